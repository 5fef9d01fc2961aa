import { createPublicClient } from "viem";
import { createRpcTransport } from "../createRpcTransport.ts";

const node = createPublicClient({ transport: createRpcTransport({ timeout: 1_000, retryCount: 0 }) });

/** Time to reuse the RPC's answer, in milliseconds. */
const MAX_AGE_MS = 1_000;

let known: number | null = null;
let askedAt: number | undefined;
let asking: Promise<void> | undefined;

/**
 * Returns the number of the latest block, about a second old at most, or null while the RPC is unavailable. Only the
 * first call waits for the RPC, at most a second.
 */
export async function getChainHead(): Promise<number | null> {
  const isFirst = askedAt === undefined;
  if (askedAt === undefined || performance.now() - askedAt > MAX_AGE_MS) {
    askedAt = performance.now();
    asking = node.getBlockNumber({ cacheTime: 0 }).then(
      (number) => {
        known = Number(number);
      },
      () => {
        known = null;
      },
    );
  }
  if (isFirst) await asking;
  return known;
}
