import { getTransactionCount } from "viem/actions";
import type { SendingContext } from "./sendingContext.ts";

/** Nonces that the chain has used, and those that the node holds transactions for beyond them. */
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

/** Nonces of transactions that wait in the node and that the store does not know: an earlier run's, without a database. */
export async function readUnknownNonces(context: SendingContext): Promise<number[]> {
  // The store last: it is written before the node, so nothing that was just sent is taken for unknown.
  const { used, pending } = await readNonceCounts(context);
  if (pending === used) return [];
  const known = new Set((await context.store.list()).map(({ nonce }) => nonce));
  return Array.from({ length: pending - used }, (_, index) => used + index).filter(
    (nonce) => !known.has(nonce),
  );
}
