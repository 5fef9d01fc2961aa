import type { Index } from "@app-registry/index/openIndex";
import type { Session } from "@app-registry/index/session";
import { describe, expect, it } from "vitest";
import { readIndex } from "./readIndex.ts";

/** Index that has one block more at each read. */
function createIndex(first: number): { index: Index; lastBlock(): number } {
  let block = first - 1;
  return {
    lastBlock: () => block,
    index: {
      read(answer) {
        block += 1;
        return answer({} as Session, { isReady: true, block, hash: null });
      },
      close: async () => undefined,
    },
  };
}

const readBlock = async (_session: Session, block: number) => block;

describe("readIndex", () => {
  it("reads again until the index has the block of a receipt", async () => {
    const { index } = createIndex(7);
    expect(await readIndex({ index }, readBlock, { minBlock: 9 })).toBe(9);
    expect(await readIndex({ index }, readBlock, { minBlock: 9 })).toBe(10);
  });

  it("answers from an older block if the index does not reach the block in time", async () => {
    const { index, lastBlock } = createIndex(7);
    expect(await readIndex({ index }, readBlock, { minBlock: 1_000_000 })).toBe(lastBlock());
    expect(lastBlock()).toBeGreaterThan(8);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("waits for the block of few reads at once, and answers the others from an older block", async () => {
    const { index } = createIndex(7);
    const ask = () => readIndex({ index }, readBlock, { minBlock: 1_000_000 });
    const blocks = await Promise.all(Array.from({ length: 20 }, ask));
    expect(blocks.filter((block) => Number(block) <= 7 + 20)).toHaveLength(12);
  });
});
