import { setTimeout } from "node:timers/promises";
import { search } from "@app-registry/index/search/search";
import { parseSearchQuery } from "@app-registry/sdk";
import {
  type Chain,
  type Indexer,
  rpc,
  startChain,
  startIndexer,
  stopAll,
  untilCaughtUp,
} from "@app-registry/test-kit/startIndexer";
import { testSeed } from "@app-registry/test-kit/testSeed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareRandomActions, runRandomActions } from "./harness/randomActions.ts";
import { readTables } from "./harness/tables.ts";

const seed = testSeed(11);

/** Deepest reorganization that Ponder handles: it treats a block with 30 confirmations as final. */
const DEEPEST = 29;

/** Settings without off-chain documents, whose time of arrival does not depend on the chain. */
const environment = { OFFCHAIN_DOCUMENTS: "off" };

describe(`an index of a chain with reorganizations (TEST_SEED=${seed})`, () => {
  let chain: Chain;
  let indexer: Indexer;

  beforeAll(async () => {
    chain = await startChain();
    await prepareRandomActions(chain);
    await runRandomActions(chain, { seed, count: 60 });
    indexer = await startIndexer(chain, { environment });
  });

  afterAll(() => stopAll(chain));

  const head = async () => Number(await rpc(chain.rpcUrl, "eth_blockNumber", []));
  const caughtUp = () => untilCaughtUp(chain, indexer);

  /** Runs random actions until at least `blocks` blocks are mined. */
  async function play(from: number, blocks: number): Promise<void> {
    const start = await head();
    for (let round = 0; (await head()) < start + blocks; round++) {
      await runRandomActions(chain, { seed: from + round, count: 1 });
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
    const seen = watch(indexer);
    for (const [round, depth] of [1, 5, 12].entries()) {
      const snapshot = await rpc(chain.rpcUrl, "evm_snapshot", []);
      const common = await head();
      await play(seed + 100 * round, depth);
      const abandoned = await head();
      expect(abandoned - common).toBeLessThanOrEqual(DEEPEST);
      await caughtUp();

      await rpc(chain.rpcUrl, "evm_revert", [snapshot]);
      expect(await head()).toBe(common);
      // The replacing chain is longer.
      await play(seed + 100 * round + 50, abandoned - common + 1);
      await caughtUp();
    }
    expect(await seen()).toEqual([]);
    const fresh = await startIndexer(chain, { index: "fresh", environment });
    expect(await readTables(indexer)).toEqual(await readTables(fresh));
  });
});
