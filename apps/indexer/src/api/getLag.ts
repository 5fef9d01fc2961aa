import { watchChainHead } from "@app-registry/server/chainHead";
import { createPublicClient } from "viem";
import { createRpcTransport } from "../createRpcTransport.ts";

const readHead = watchChainHead(
  createPublicClient({ transport: createRpcTransport({ timeout: 1_000, retryCount: 0 }) }),
);

/** Returns the number of the chain's blocks after `block`, or null while the RPC is unavailable. */
export async function getLag(block: number): Promise<number | null> {
  const last = await readHead();
  return last === null ? null : Math.max(0, last - block);
}
