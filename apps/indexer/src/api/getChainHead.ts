import { createPublicClient } from "viem";
import { createRpcTransport } from "../createRpcTransport.ts";

const node = createPublicClient({ transport: createRpcTransport({ timeout: 1_000, retryCount: 0 }) });

/** Milliseconds after which the node is asked again. */
const MAX_AGE_MS = 1_000;

let known: number | null = null;
let askedAt: number | undefined;
let asking: Promise<void> | undefined;

/**
 * The chain's last block as the node said a moment ago; null while it does not answer. Only the first call waits for the
 * node, at most a second.
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
