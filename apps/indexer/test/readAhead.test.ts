import { text } from "node:stream/consumers";
import { eventually } from "@app-registry/test-kit/eventually";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import type { Hex } from "viem";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createReadAhead,
  INITIAL_REQUESTS,
  MAX_BUFFERED,
  MAX_REQUESTS,
  RECENT_BLOCKS,
  type ReadAheadSource,
} from "../src/document.ts";

const pointerAt = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
const codeAt = (pointer: Hex): Hex => `0x00${pointer.slice(2)}`;

/** Creates a chain with a document in every `every`th block, and a log of the requests to its RPC. */
function createChain({ blocks, every = 1 }: { blocks: number; every?: number }) {
  const node = { ranges: [] as [number, number][], codes: [] as Hex[], underWay: 0, most: 0, looks: 0 };
  const source: ReadAheadSource = {
    blockNumber: async () => {
      node.looks++;
      return blocks;
    },
    listPointers: async (from, to) => {
      node.ranges.push([from, to]);
      await new Promise((resolve) => setImmediate(resolve));
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      return numbers.filter((number) => number % every === 0).map(pointerAt);
    },
    getCode: async (pointer) => {
      node.codes.push(pointer);
      node.most = Math.max(node.most, ++node.underWay);
      await new Promise((resolve) => setImmediate(resolve));
      node.underWay--;
      return codeAt(pointer);
    },
  };
  return {
    node,
    source,
    numbers: Array.from({ length: blocks }, (_, n) => n).filter((n) => n % every === 0),
  };
}

describe("createReadAhead", () => {
  it("returns every old block's document, requests each once, and limits simultaneous requests", async () => {
    const { node, source, numbers } = createChain({ blocks: 3_000 });
    const ahead = createReadAhead(source);
    const old = numbers.filter((number) => number <= 3_000 - RECENT_BLOCKS);
    for (const number of old) {
      expect(await ahead.take(pointerAt(number), number)).toBe(codeAt(pointerAt(number)));
    }
    expect(node.codes).toEqual(old.map(pointerAt));
    expect(node.most).toBeGreaterThan(INITIAL_REQUESTS);
    expect(node.most).toBeLessThanOrEqual(MAX_REQUESTS);
  });

  it("buffers at most MAX_BUFFERED documents, even if the handlers are slow", async () => {
    const { node, source } = createChain({ blocks: 3_000 });
    const ahead = createReadAhead(source);
    await ahead.take(pointerAt(0), 0);
    await eventually(() => expect(node.codes).toHaveLength(MAX_BUFFERED + 1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(node.codes).toHaveLength(MAX_BUFFERED + 1);
  });

  it("requests only the block number while the handlers follow the chain", async () => {
    const { node, source } = createChain({ blocks: 1_000 });
    const ahead = createReadAhead(source);
    for (const block of [990, 991, 992]) expect(await ahead.take(pointerAt(block), block)).toBeUndefined();
    expect(node).toMatchObject({ looks: 1, ranges: [], codes: [] });
  });

  it("skips long ranges without documents", async () => {
    const { node, source, numbers } = createChain({ blocks: 5_000_000, every: 1_000_000 });
    const ahead = createReadAhead(source);
    for (const number of numbers) {
      expect(await ahead.take(pointerAt(number), number)).toBe(codeAt(pointerAt(number)));
    }
    // Reading all 5,000,000 blocks would take at least 500 ranges.
    expect(node.ranges.length).toBeLessThan(50);
  });

  it("returns the same documents when blocks are indexed again", async () => {
    const { source } = createChain({ blocks: 1_000 });
    const ahead = createReadAhead(source);
    for (const start of [0, 40, 20]) {
      for (let number = start; number < start + 60; number++) {
        expect(await ahead.take(pointerAt(number), number)).toBe(codeAt(pointerAt(number)));
      }
    }
  });

  it("requests fewer blocks if the RPC refuses many", async () => {
    const { node, source } = createChain({ blocks: 1_000 });
    const ahead = createReadAhead({
      ...source,
      listPointers: async (from, to) => {
        const pointers = await source.listPointers(from, to);
        if (to - from >= 10) throw new Error("block range is too wide");
        return pointers;
      },
    });
    const given = [];
    for (let number = 0; number < 100; number++) given.push(await ahead.take(pointerAt(number), number));
    expect(given.filter((code) => code === undefined).length).toBeLessThan(10);
    expect(given.at(-1)).toBe(codeAt(pointerAt(99)));
    expect(node.ranges.filter(([from, to]) => to - from >= 10).length).toBeLessThan(10);
  });

  it("returns undefined for failed requests, and sends fewer of them", async () => {
    const { source } = createChain({ blocks: 1_000 });
    let underWay = 0;
    let most = 0;
    const ahead = createReadAhead({
      ...source,
      getCode: async () => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay--;
        throw new Error("429");
      },
    });
    for (let number = 0; number < 30; number++) {
      expect(await ahead.take(pointerAt(number), number)).toBeUndefined();
    }
    expect(most).toBeLessThanOrEqual(INITIAL_REQUESTS + 1);
  });

  it("lets the handler continue if the RPC is unavailable", async () => {
    const away = async () => {
      throw new Error("connect ECONNREFUSED");
    };
    const ahead = createReadAhead({ blockNumber: away, listPointers: away, getCode: away });
    expect(await ahead.take(pointerAt(1), 1)).toBeUndefined();
    const { source } = createChain({ blocks: 1_000 });
    const halfAway = createReadAhead({ ...source, listPointers: away });
    for (const block of [1, 2, 3]) expect(await halfAway.take(pointerAt(block), block)).toBeUndefined();
  });
});

type Call = { id: number; method: string; params: [Hex, string] };

const pointers = Array.from({ length: 30 }, (_, number) => pointerAt(number + 1));

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
