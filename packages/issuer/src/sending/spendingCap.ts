import { highestCost, type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";
import { ClientSpendingCapError, IssuerSpendingCapError } from "./sendingErrors.ts";

/** Length of the rolling window, in milliseconds. Mined transactions are stored at least this long. */
export const SPENDING_WINDOW = 3_600_000;

/** Purpose of a transaction. */
export type Spender =
  /** `client` identifies the requester, or is `undefined` for an anonymous request. */
  { purpose: "request"; client?: string | undefined } | { purpose: "renewal" | "revocation" };

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
 * Checks that the caps allow an additional cost, in wei. `transactions` are all in the issuer's store.
 * @throws {ClientSpendingCapError} if the client's cap does not.
 * @throws {IssuerSpendingCapError} if the issuer's cap does not.
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
 * Returns the seconds until an hourly cap allows an additional cost in wei, or 0 if it does now. Each transaction
 * counts with its maximum cost, while it is open and for an hour after its latest signature, so the transactions mined
 * in any hour never exceed the cap.
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

/** Returns the current spending that counts toward the hourly cap, in wei. */
export const getCurrentSpending = (transactions: readonly IssuerTransaction[]): bigint =>
  sumSpendingAt(transactions, Date.now()).reduce((sum, { cost }) => sum + cost, 0n);

const sumSpendingAt = (transactions: readonly IssuerTransaction[], now: number) =>
  transactions
    .map((transaction) => ({ cost: highestCost(transaction), until: getSpendingExpiry(transaction) }))
    .filter(({ until }) => until > now);

function getSpendingExpiry(transaction: IssuerTransaction): number {
  return transaction.mined ? lastAttempt(transaction).signedAt + SPENDING_WINDOW : Number.POSITIVE_INFINITY;
}
