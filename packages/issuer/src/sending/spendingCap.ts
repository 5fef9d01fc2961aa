import { ClientSpendingCapError, IssuerSpendingCapError } from "./sendingErrors.ts";

/** Length of the rolling window, in milliseconds. */
export const SPENDING_WINDOW = 3_600_000;

/** Maximum cost, in wei, of the transactions that count toward an hourly cap. */
export type Spending = {
  /** Cost of open transactions. It counts until they are mined. */
  open: bigint;
  /** Costs of mined transactions, oldest first, at most one per minute. Each counts until a time in Unix milliseconds. */
  mined: { cost: bigint; until: number }[];
};

/** Purpose of a transaction. */
export type Spender =
  /** `client` identifies the requester, or is `undefined` for an anonymous request. */
  { purpose: "request"; client?: string | undefined } | { purpose: "renewal" | "revocation" };

/** Returns the client whose cap a statement counts toward. */
export const payingClient = (spender: Spender): string | undefined =>
  spender.purpose === "request" ? spender.client : undefined;

export type SpendingCaps = {
  /** Maximum spending per hour, in wei, or `undefined` for no limit. */
  spendingCap: bigint | undefined;
  /** Maximum spending per hour on the requests of one client, in wei, or `undefined` for no limit. */
  clientSpendingCap: bigint | undefined;
};

/**
 * Percentage of the spending cap that each purpose may use. Requests leave a part for renewals, and both leave a part
 * for revocations, so that a busy issuer can always revoke an account that lost a DID.
 */
const CAP_PERCENT_BY_PURPOSE = { request: 80n, renewal: 90n, revocation: 100n } as const;

/**
 * Checks that the caps allow an additional cost, in wei. `spending` is by client, and `""` for everybody.
 * @throws {ClientSpendingCapError} if the client's cap does not.
 * @throws {IssuerSpendingCapError} if the issuer's cap does not.
 */
export function assertWithinCaps(
  spending: ReadonlyMap<string, Spending>,
  cost: bigint,
  { spendingCap, clientSpendingCap }: SpendingCaps,
  spender: Spender,
): void {
  if (spendingCap !== undefined) {
    const cap = (spendingCap * CAP_PERCENT_BY_PURPOSE[spender.purpose]) / 100n;
    const wait = spendingCapWait(spending.get(""), { cost, cap });
    if (wait > 0) throw new IssuerSpendingCapError(cap, wait);
  }
  const client = payingClient(spender);
  if (clientSpendingCap === undefined || client === undefined) return;
  const wait = spendingCapWait(spending.get(client), { cost, cap: clientSpendingCap });
  if (wait > 0) throw new ClientSpendingCapError(clientSpendingCap, wait);
}

/** Returns true if the issuer's cap does not allow a replacement that costs this much more, in wei. */
export async function isOverCap(
  {
    store,
    spendingCap,
  }: Pick<SpendingCaps, "spendingCap"> & {
    store: { readSpending(): Promise<ReadonlyMap<string, Spending>> };
  },
  cost: bigint,
): Promise<boolean> {
  if (spendingCap === undefined) return false;
  const spending = (await store.readSpending()).get("");
  return spendingCapWait(spending, { cost, cap: spendingCap }) > 0;
}

/**
 * Returns the seconds until an hourly cap allows an additional cost in wei, or 0 if it does now. Each transaction
 * counts with its maximum cost, while it is open and for at least an hour after its latest signature, so the
 * transactions mined in any hour never exceed the cap.
 */
export function spendingCapWait(
  spending: Spending | undefined,
  { cost, cap, now = Date.now() }: { cost: bigint; cap: bigint; now?: number },
): number {
  let total = spending ? sumSpending(spending) + cost : cost;
  if (total <= cap) return 0;
  for (const mined of spending?.mined ?? []) {
    total -= mined.cost;
    if (total <= cap) return Math.ceil(Math.min(mined.until - now, SPENDING_WINDOW) / 1_000);
  }
  return SPENDING_WINDOW / 1_000;
}

/** Returns the current spending that counts toward the hourly cap, in wei. */
export const sumSpending = ({ open, mined }: Spending): bigint =>
  mined.reduce((sum, { cost }) => sum + cost, open);
