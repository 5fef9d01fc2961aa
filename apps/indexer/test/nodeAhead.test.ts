import { text } from "node:stream/consumers";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import type { Hex } from "viem";
import { describe, expect, it, onTestFinished, vi } from "vitest";

type Call = { id: number; method: string; params: [Hex, string] };

const pointers = Array.from({ length: 30 }, (_, n): Hex => `0x${(n + 1).toString(16).padStart(40, "0")}`);
const codeAt = (pointer: Hex): Hex => `0x00${pointer.slice(2)}`;

/** Starts an RPC where a contract's code is its address, which counts requests, and a source that reads from it. */
async function startNode({ takesBatches }: { takesBatches: boolean }) {
  const node = { requests: 0 };
  const url = await serveHttp(async (request, response) => {
    node.requests++;
    const body = JSON.parse(await text(request)) as Call | Call[];
    const answer = ({ id, params: [pointer] }: Call) => ({ jsonrpc: "2.0", id, result: codeAt(pointer) });
    const refusal = {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "batches are not supported" },
    };
    const result = Array.isArray(body) ? (takesBatches ? body.map(answer) : refusal) : answer(body);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  });
  vi.stubEnv("RPC_URL", url);
  onTestFinished(() => void vi.unstubAllEnvs());
  // Reset the modules, because a process reads its environment once.
  vi.resetModules();
  const { createRpcReadAheadSource: nodeAhead } = await import("../src/document.ts");
  return { node, nodeAhead };
}

describe("createRpcReadAheadSource", () => {
  it("requests many codes in one batch", async () => {
    const { node, nodeAhead } = await startNode({ takesBatches: true });
    const { getCode: codeOf } = nodeAhead(pointers[0] as Hex);
    expect(await Promise.all(pointers.map(codeOf))).toEqual(pointers.map(codeAt));
    expect(node.requests).toBe(2);
  });

  it("requests one code at a time if the RPC rejects batches", async () => {
    const { nodeAhead } = await startNode({ takesBatches: false });
    const { getCode: codeOf } = nodeAhead(pointers[0] as Hex);
    await expect(codeOf(pointers[0] as Hex)).rejects.toThrow();
    expect(await Promise.all(pointers.map(codeOf))).toEqual(pointers.map(codeAt));
  });
});
