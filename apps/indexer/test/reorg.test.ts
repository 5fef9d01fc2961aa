import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type PostgresDatabase } from "../../../packages/sdk/test/support/postgres.ts";
import { playRandomActions, prepareRandomActions } from "./harness/randomActions.ts";
import {
  type Chain,
  type Indexer,
  rpc,
  startChain,
  startIndexer,
  stopAll,
  untilCaughtUp,
} from "./harness/stack.ts";
import { asText, readTables } from "./harness/tables.ts";

const seed = Number(process.env.TEST_SEED ?? 11);

/** Ponder takes a block that thirty others follow for final. */
const DEEPEST = 29;

/** Off-chain documents come when their hosts answer, whatever the chain says. */
const environment = { OFFCHAIN_DOCUMENTS: "off" };

describe(`an index of a chain that is rolled back (TEST_SEED=${seed})`, () => {
  let chain: Chain;
  let server: PostgresDatabase;
  let indexers: Indexer[];

  beforeAll(async () => {
    [chain, server] = await Promise.all([startChain(), createDatabase()]);
    await prepareRandomActions(chain);
    await playRandomActions(chain, { seed, count: 60 });
    indexers = [
      await startIndexer(chain, { index: "pglite", environment }),
      await startIndexer(chain, { databaseUrl: server.url, environment }),
    ];
  });

  afterAll(async () => {
    await stopAll(chain);
    await server?.stop();
  });

  const head = async () => Number(await rpc(chain.rpcUrl, "eth_blockNumber", []));
  const bothCaughtUp = () => Promise.all(indexers.map((indexer) => untilCaughtUp(chain, indexer)));

  /** Does random things until at least `blocks` blocks came. */
  async function play(from: number, blocks: number): Promise<void> {
    const start = await head();
    for (let round = 0; (await head()) < start + blocks; round++) {
      await playRandomActions(chain, { seed: from + round, count: 1 });
    }
  }

  it("holds the new chain only, on PGlite and on PostgreSQL, as an index that never saw the old one", {
    timeout: 300_000,
  }, async () => {
    for (const [round, depth] of [1, 5, 12].entries()) {
      const snapshot = await rpc(chain.rpcUrl, "evm_snapshot", []);
      const common = await head();
      await play(seed + 100 * round, depth);
      const abandoned = await head();
      expect(abandoned - common).toBeLessThanOrEqual(DEEPEST);
      await bothCaughtUp();

      await rpc(chain.rpcUrl, "evm_revert", [snapshot]);
      expect(await head()).toBe(common);
      // The chain that wins is the longer one.
      await play(seed + 100 * round + 50, abandoned - common + 1);
      await bothCaughtUp();
    }
    const fresh = await startIndexer(chain, { index: "fresh", environment });
    const expected = asText(await readTables(fresh));
    for (const indexer of indexers) expect(asText(await readTables(indexer))).toEqual(expected);
  });
});
