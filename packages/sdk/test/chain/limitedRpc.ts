import { text } from "node:stream/consumers";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { createPublicClient, http } from "viem";
import { hardhat } from "viem/chains";

type Request = { id: number; method: string; params: [{ fromBlock?: string; toBlock?: string }] };

/** Starts a JSON-RPC proxy that limits `eth_getLogs` as public RPCs do. It stops at the end of the test. */
export async function createLimitedRpc(upstream: string, { maxLogBlocks }: { maxLogBlocks: number }) {
  let refused = 0;
  const url = await serveHttp(async (request, response) => {
    const body = await text(request);
    const { id, method, params } = JSON.parse(body) as Request;
    response.setHeader("content-type", "application/json");
    if (method === "eth_getLogs" && Number(params[0].toBlock) - Number(params[0].fromBlock) >= maxLogBlocks) {
      refused += 1;
      const error = { code: -32005, message: `query exceeds max block range ${maxLogBlocks}` };
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      return;
    }
    const headers = { "content-type": "application/json" };
    response.end(await (await fetch(upstream, { method: "POST", headers, body })).text());
  });
  return {
    client: createPublicClient({ chain: hardhat, transport: http(url, { retryCount: 0 }) }),
    get refused() {
      return refused;
    },
  };
}
