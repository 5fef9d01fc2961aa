import { getTransactionCount } from "viem/actions";
import type { SendingContext } from "./sendingContext.ts";

/** Number of nonces that the chain has used, and including those of the node's pending transactions. */
export async function readNonceCounts({
  publicClient,
  issuer: address,
}: SendingContext): Promise<{ used: number; pending: number }> {
  const [used, pending] = await Promise.all([
    getTransactionCount(publicClient, { address, blockTag: "latest" }),
    getTransactionCount(publicClient, { address, blockTag: "pending" }),
  ]);
  return { used, pending: Math.max(used, pending) };
}

/** Nonces of pending transactions that the store doesn't know: those of an earlier run, without a database. */
export async function readUnknownNonces(context: SendingContext): Promise<number[]> {
  // The store last: it is written before the node, so a transaction that was just sent doesn't seem unknown.
  const { used, pending } = await readNonceCounts(context);
  if (pending === used) return [];
  const known = new Set((await context.store.list()).map(({ nonce }) => nonce));
  return Array.from({ length: pending - used }, (_, index) => used + index).filter(
    (nonce) => !known.has(nonce),
  );
}
