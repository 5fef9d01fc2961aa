import { highestCost, type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";

/** Milliseconds of the rolling window; mined transactions are remembered at least this long. */
export const SPENDING_WINDOW = 3_600_000;

/**
 * Seconds until an issuer may spend a further cost, in wei, under its cap for an hour; 0 if it may now. Every transaction
 * counts with its highest possible cost, for an hour after it was last signed and while it is open. So what is mined in
 * an hour never costs more than the cap.
 */
export function spendingCapWait(
  transactions: readonly IssuerTransaction[],
  { cost, cap, now = Date.now() }: { cost: bigint; cap: bigint; now?: number },
): number {
  const spent = transactions
    .map((transaction) => ({ cost: highestCost(transaction), until: countsUntil(transaction) }))
    .filter(({ until }) => until > now)
    .sort((a, b) => a.until - b.until);
  let total = spent.reduce((sum, transaction) => sum + transaction.cost, cost);
  if (total <= cap) return 0;
  for (const transaction of spent) {
    total -= transaction.cost;
    if (total <= cap) return Math.ceil(Math.min(transaction.until - now, SPENDING_WINDOW) / 1_000);
  }
  return SPENDING_WINDOW / 1_000;
}

function countsUntil(transaction: IssuerTransaction): number {
  return transaction.mined ? lastAttempt(transaction).signedAt + SPENDING_WINDOW : Number.POSITIVE_INFINITY;
}
