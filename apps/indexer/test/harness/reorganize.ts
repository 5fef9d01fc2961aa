import { setTimeout } from "node:timers/promises";
import { search } from "@app-registry/index/search/search";
import { parseSearchQuery } from "@app-registry/sdk";
import { type Indexer, rpc, untilCaughtUp } from "@app-registry/test-kit/startIndexer";
import { expect } from "vitest";
import type { IndexedChain } from "./indexedChain.ts";
import { runRandomActions } from "./randomActions.ts";

/** Deepest reorganization that Ponder handles: it treats a block with 30 confirmations as final. */
const DEEPEST = 29;

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

/**
 * Replaces 1, 5 and 12 blocks of the chain with longer forks while the indexer follows it. Returns the search results
 * that matched no single block.
 */
export async function reorganize({ chain, indexer }: IndexedChain, seed: number): Promise<string[]> {
  const head = async () => Number(await rpc(chain.rpcUrl, "eth_blockNumber", []));

  /** Runs random actions until at least `blocks` blocks are mined. */
  async function play(from: number, blocks: number): Promise<void> {
    const start = await head();
    for (let round = 0; (await head()) < start + blocks; round++)
      await runRandomActions(chain, { seed: from + round, count: 1 });
  }

  const seen = watch(indexer);
  for (const [round, depth] of [1, 5, 12].entries()) {
    const snapshot = await rpc(chain.rpcUrl, "evm_snapshot", []);
    const common = await head();
    await play(seed + 100 * round, depth);
    const abandoned = await head();
    expect(abandoned - common).toBeLessThanOrEqual(DEEPEST);
    await untilCaughtUp(chain, indexer);

    await rpc(chain.rpcUrl, "evm_revert", [snapshot]);
    expect(await head()).toBe(common);
    await play(seed + 100 * round + 50, abandoned - common + 1);
    await untilCaughtUp(chain, indexer);
  }
  return seen();
}
