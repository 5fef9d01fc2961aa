import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { createPublicClient, http } from "viem";
import { hardhat } from "viem/chains";
import { onTestFinished } from "vitest";

/** Starts a JSON-RPC proxy that limits `eth_getLogs` as public RPCs do. It stops at the end of the test. */
export async function createLimitedRpc(upstream: string, { maxLogBlocks }: { maxLogBlocks: number }) {
  const rpc = await startFaultyRpc(upstream);
  onTestFinished(() => rpc.close());
  let refused = 0;
  rpc.break(({ method, params }) => {
    if (method !== "eth_getLogs") return "pass";
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
    if (Number(toBlock) - Number(fromBlock) < maxLogBlocks) return "pass";
    refused += 1;
    return "error";
  });
  return {
    client: createPublicClient({ chain: hardhat, transport: http(rpc.url, { retryCount: 0 }) }),
    get refused() {
      return refused;
    },
  };
}
