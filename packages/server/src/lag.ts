import { LRUCache } from "lru-cache";
import type { PublicClient } from "viem";
import { createDeadline } from "./deadline.ts";

/** Time after which the RPC is asked again, and most that the first caller waits for it, in milliseconds. */
const AGE_MS = 1_000;

/**
 * Creates a function that returns the number of the chain's blocks after a block, about a second old at most, or null
 * while the RPC is unavailable. Only its first call waits for the RPC, at most a second.
 */
export function watchLag(
  client: Pick<PublicClient, "getBlockNumber">,
): (block: number) => Promise<number | null> {
  const read = () => createDeadline(AGE_MS)(client.getBlockNumber({ cacheTime: 0 }));
  const answers = new LRUCache<"head", { number: number | null }>({
    max: 1,
    ttl: AGE_MS,
    allowStale: true,
    fetchMethod: async () => ({ number: await read().then(Number, () => null) }),
  });
  return async (block) => {
    const { number = null } = (await answers.fetch("head")) ?? {};
    return number === null ? null : Math.max(0, number - block);
  };
}
