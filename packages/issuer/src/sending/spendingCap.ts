import { highestCost, type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";
import { ClientSpendingCapError, IssuerSpendingCapError } from "./sendingErrors.ts";

/** Milliseconds of the rolling window; mined transactions are remembered at least this long. */
export const SPENDING_WINDOW = 3_600_000;

/** What an issuer pays for. */
export type Spender =
  /** `client` stands for who asks; undefined when the caller names nobody. */
  { purpose: "request"; client?: string | undefined } | { purpose: "renewal" | "revocation" };

export type SpendingCaps = {
  /** The most to spend in an hour, in wei; undefined for no limit. */
  spendingCap: bigint | undefined;
  /** The most to spend in an hour on the requests of one client, in wei; undefined for no limit. */
  clientSpendingCap: bigint | undefined;
};

/**
 * Percent of the spending cap up to which each purpose may use it. Strangers' requests leave a part to the issuer's own
 * work, and its renewals leave a part to revocations: whoever lost a DID must stop counting, however busy the issuer is.
 */
const CAP_PERCENT_BY_PURPOSE = { request: 80n, renewal: 90n, revocation: 100n } as const;

/**
 * Checks that the caps allow a further cost, in wei. `transactions` are all that the issuer's store lists.
 * @throws ClientSpendingCapError, IssuerSpendingCapError
 */
export function assertWithinCaps(
  transactions: readonly IssuerTransaction[],
  cost: bigint,
  { spendingCap, clientSpendingCap }: SpendingCaps,
  spender: Spender,
): void {
  if (spendingCap !== undefined) {
    const cap = (spendingCap * CAP_PERCENT_BY_PURPOSE[spender.purpose]) / 100n;
    const wait = spendingCapWait(transactions, { cost, cap });
    if (wait > 0) throw new IssuerSpendingCapError(cap, wait);
  }
  if (clientSpendingCap === undefined || spender.purpose !== "request" || spender.client === undefined)
    return;
  const own = transactions.filter(({ client }) => client === spender.client);
  const wait = spendingCapWait(own, { cost, cap: clientSpendingCap });
  if (wait > 0) throw new ClientSpendingCapError(clientSpendingCap, wait);
}

/**
 * Seconds until an issuer may spend a further cost, in wei, under its cap for an hour; 0 if it may now. Every transaction
 * counts with its highest possible cost, for an hour after it was last signed and while it is open. So what is mined in
 * an hour never costs more than the cap.
 */
export function spendingCapWait(
  transactions: readonly IssuerTransaction[],
  { cost, cap, now = Date.now() }: { cost: bigint; cap: bigint; now?: number },
): number {
  const spent = sumSpendingAt(transactions, now).sort((a, b) => a.until - b.until);
  let total = spent.reduce((sum, transaction) => sum + transaction.cost, cost);
  if (total <= cap) return 0;
  for (const transaction of spent) {
    total -= transaction.cost;
    if (total <= cap) return Math.ceil(Math.min(transaction.until - now, SPENDING_WINDOW) / 1_000);
  }
  return SPENDING_WINDOW / 1_000;
}

/** What counts against the cap of an hour now, in wei. */
export const getCurrentSpending = (transactions: readonly IssuerTransaction[]): bigint =>
  sumSpendingAt(transactions, Date.now()).reduce((sum, { cost }) => sum + cost, 0n);

const sumSpendingAt = (transactions: readonly IssuerTransaction[], now: number) =>
  transactions
    .map((transaction) => ({ cost: highestCost(transaction), until: getSpendingExpiry(transaction) }))
    .filter(({ until }) => until > now);

function getSpendingExpiry(transaction: IssuerTransaction): number {
  return transaction.mined ? lastAttempt(transaction).signedAt + SPENDING_WINDOW : Number.POSITIVE_INFINITY;
}
