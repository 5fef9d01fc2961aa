import { setTimeout } from "node:timers/promises";
import { search } from "@app-registry/index/search/search";
import { parseSearchQuery } from "@app-registry/sdk";
import { type Indexer, rpc, startIndexer, untilCaughtUp } from "@app-registry/test-kit/startIndexer";
import { describe, expect, it } from "vitest";
import { type IndexedChain, indexerOptions } from "./indexedChain.ts";
import { runRandomActions } from "./randomActions.ts";
import { readTables } from "./tables.ts";

/** Deepest reorganization that Ponder handles: it treats a block with 30 confirmations as final. */
const DEEPEST = 29;

/** Replaces up to 12 blocks of the chain, and compares the index with a new one. */
export function describeReorganizations(place: IndexedChain, seed: number): void {
  describe("after reorganizations of the chain", () => {
    const head = async () => Number(await rpc(place.chain.rpcUrl, "eth_blockNumber", []));
    const caughtUp = () => untilCaughtUp(place.chain, place.indexer);

    /** Runs random actions until at least `blocks` blocks are mined. */
    async function play(from: number, blocks: number): Promise<void> {
      const start = await head();
      for (let round = 0; (await head()) < start + blocks; round++) {
        await runRandomActions(place.chain, { seed: from + round, count: 1 });
      }
    }

    const query = parseSearchQuery({ status: "any", limit: 100, facets: true });

    /** Searches until the returned function is called, which returns the results that match no single block. */
    function watch(from: Indexer): () => Promise<string[]> {
      const wrong: string[] = [];
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          await setTimeout(20);
          const page = await from.index.read(async (session, state) =>
            state.isReady ? search(session, query, state.block) : undefined,
          );
          if (!page) continue;
          const { results, total, block } = page;
          const newer = results.filter(({ changedBlock }) => (changedBlock ?? 0) > block);
          if (total?.count !== results.length)
            wrong.push(`${results.length} records, and a total of ${total?.count}`);
          if (newer.length > 0) wrong.push(`records of block ${newer[0]?.changedBlock}, at block ${block}`);
        }
      })();
      return async () => {
        isOver = true;
        await watching;
        return wrong;
      };
    }

    it("equals an index that never saw the old blocks", async () => {
      const seen = watch(place.indexer);
      for (const [round, depth] of [1, 5, 12].entries()) {
        const snapshot = await rpc(place.chain.rpcUrl, "evm_snapshot", []);
        const common = await head();
        await play(seed + 100 * round, depth);
        const abandoned = await head();
        expect(abandoned - common).toBeLessThanOrEqual(DEEPEST);
        await caughtUp();

        await rpc(place.chain.rpcUrl, "evm_revert", [snapshot]);
        expect(await head()).toBe(common);
        // The replacing chain is longer.
        await play(seed + 100 * round + 50, abandoned - common + 1);
        await caughtUp();
      }
      expect(await seen()).toEqual([]);
      const fresh = await startIndexer(place.chain, { ...indexerOptions, index: "fresh" });
      expect(await readTables(place.indexer)).toEqual(await readTables(fresh));
    });
  });
}
