import { LRUCache } from "lru-cache";
import { createPublicClient } from "viem";
import { createRpcTransport } from "../createRpcTransport.ts";

const node = createPublicClient({ transport: createRpcTransport({ timeout: 1_000, retryCount: 0 }) });

/** Answer of the RPC, which is reused for a second, and until the next answer. */
const answers = new LRUCache<"head", { number: number | null }>({
  max: 1,
  ttl: 1_000,
  allowStale: true,
  fetchMethod: async () => ({ number: await node.getBlockNumber({ cacheTime: 0 }).then(Number, () => null) }),
});

/**
 * Returns the number of the latest block, about a second old at most, or null while the RPC is unavailable. Only the
 * first call waits for the RPC, at most a second.
 */
export const getChainHead = async (): Promise<number | null> => (await answers.fetch("head"))?.number ?? null;

/** Returns the number of the chain's blocks after `block`, or null while the RPC is unavailable. */
export async function getLag(block: number): Promise<number | null> {
  const last = await getChainHead();
  return last === null ? null : Math.max(0, last - block);
}
