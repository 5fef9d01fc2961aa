import { eventually } from "@app-registry/test-kit/eventually";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import {
  createReadAhead,
  INITIAL_REQUESTS,
  MAX_BUFFERED,
  MAX_REQUESTS,
  RECENT_BLOCKS,
  type ReadAheadSource,
} from "../src/document/readAhead.ts";

const pointerAt = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
const codeAt = (pointer: Hex): Hex => `0x00${pointer.slice(2)}`;

/** A chain with one document in each block that is a multiple of `every`, and what was asked of its node. */
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

describe("a reader of documents ahead of their handlers", () => {
  it("gives every old block's document, asks for each once, and never for too many together", async () => {
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

  it("keeps no more than its window, however long the handlers take", async () => {
    const { node, source } = createChain({ blocks: 3_000 });
    const ahead = createReadAhead(source);
    await ahead.take(pointerAt(0), 0);
    await eventually(() => expect(node.codes).toHaveLength(MAX_BUFFERED + 1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(node.codes).toHaveLength(MAX_BUFFERED + 1);
  });

  it("asks a node that follows the chain for nothing, after one look", async () => {
    const { node, source } = createChain({ blocks: 1_000 });
    const ahead = createReadAhead(source);
    for (const block of [990, 991, 992]) expect(await ahead.take(pointerAt(block), block)).toBeUndefined();
    expect(node).toMatchObject({ looks: 1, ranges: [], codes: [] });
  });

  it("skips long stretches without documents instead of reading through them", async () => {
    const { node, source, numbers } = createChain({ blocks: 5_000_000, every: 1_000_000 });
    const ahead = createReadAhead(source);
    for (const number of numbers) {
      expect(await ahead.take(pointerAt(number), number)).toBe(codeAt(pointerAt(number)));
    }
    // All 5,000,000 blocks would be 500 ranges at least.
    expect(node.ranges.length).toBeLessThan(50);
  });

  it("gives the same documents again when blocks are indexed a second time", async () => {
    const { source } = createChain({ blocks: 1_000 });
    const ahead = createReadAhead(source);
    for (const start of [0, 40, 20]) {
      for (let number = start; number < start + 60; number++) {
        expect(await ahead.take(pointerAt(number), number)).toBe(codeAt(pointerAt(number)));
      }
    }
  });

  it("asks for fewer blocks when the node refuses many", async () => {
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

  it("leaves what a node does not answer to the handler, and asks it less", async () => {
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

  it("is no reason for a handler to fail when the node is away", async () => {
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
