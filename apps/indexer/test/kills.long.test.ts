import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type PostgresServer, startPostgres } from "@app-registry/test-kit/postgres";
import {
  type Chain,
  type IndexerOptions,
  spawnIndexer,
  startChain,
  startIndexer,
  stopAll,
  untilCaughtUp,
} from "@app-registry/test-kit/startIndexer";
import { testSeed } from "@app-registry/test-kit/testSeed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomFrom } from "./harness/random.ts";
import { prepareRandomActions, runRandomActions } from "./harness/randomActions.ts";
import { removeStaleLock } from "./harness/removeStaleLock.ts";
import { type RpcProxy, startRpcProxy } from "./harness/rpcProxy.ts";
import { runScenarios } from "./harness/scenarios.ts";
import { readTables, type Tables } from "./harness/tables.ts";

const kills = 10;
const seed = testSeed(5);

/** Settings without off-chain documents, whose time of arrival does not depend on the chain. */
const environment = { OFFCHAIN_DOCUMENTS: "off" };

describe(`an indexer that is killed ${kills} times while it indexes the past (TEST_SEED=${seed})`, () => {
  let chain: Chain;
  let proxy: RpcProxy;
  let undisturbed: Tables;
  let requests: number;

  beforeAll(async () => {
    chain = await startChain();
    await prepareRandomActions(chain);
    await runRandomActions(chain, { seed, count: 400 });
    await runScenarios(chain);
    proxy = await startRpcProxy(chain.rpcUrl);
    const indexer = await startIndexer(
      { ...chain, rpcUrl: proxy.url },
      { index: "undisturbed", environment },
    );
    requests = proxy.count();
    undisturbed = await readTables(indexer);
    await indexer.stop();
  });

  afterAll(async () => {
    proxy?.close();
    await stopAll(chain);
  });

  it("has the same rows in every table as an undisturbed one", async () => {
    const options: IndexerOptions = { index: "killed", environment };
    const random = randomFrom(seed);
    const moments: string[] = [];
    for (let number = 1; number <= kills; number++) {
      const indexer = await spawnIndexer({ ...chain, rpcUrl: proxy.url }, options);
      const request = 1 + random.below(Math.ceil(requests / 2));
      let isDue = false;
      const isKilled = new Promise<boolean>((resolve, reject) => {
        proxy.at(request, async () => {
          isDue = true;
          await indexer.kill();
          resolve(true);
        });
        // It may finish before the chosen request, or exit on its own.
        void untilCaughtUp(chain, indexer).then(
          () => resolve(false),
          (error) => isDue || reject(error),
        );
      });
      const early = await isKilled;
      if (!early) await indexer.kill();
      moments.push(early ? `request ${request}` : "after the last block");
      await removeStaleLock(chain, options);
    }
    console.log(`Killed at ${moments.join(", ")} of ${requests} requests`);
    expect(moments.some((moment) => moment.startsWith("request"))).toBe(true);

    const indexer = await startIndexer({ ...chain, rpcUrl: proxy.url }, options);
    expect(await readTables(indexer)).toEqual(undisturbed);
    await indexer.stop();
  });
});

/** Copies a folder with its ownership. */
const copyFolder = (from: string, to: string) => promisify(execFile)("cp", ["-a", from, to]);

describe("an indexer whose database lost its last blocks", () => {
  let chain: Chain;
  let directory: string;
  let server: PostgresServer;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "lost-blocks-"));
    // PostgreSQL runs as another user if this process is root.
    await chmod(directory, 0o755);
    [chain, server] = await Promise.all([startChain(), startPostgres({ directory: join(directory, "now") })]);
    await prepareRandomActions(chain);
    await runRandomActions(chain, { seed, count: 40 });
  });

  afterAll(async () => {
    await stopAll(chain);
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it("exits, and has every row after the next start", async () => {
    const options = { databaseUrl: server.url, environment };
    const indexer = await startIndexer(chain, options);
    await runRandomActions(chain, { seed: seed + 1, count: 4 });
    await untilCaughtUp(chain, indexer);

    const [now, before] = [join(directory, "now"), join(directory, "before")];
    await server.freeze();
    await copyFolder(now, before);
    await server.thaw();
    await runRandomActions(chain, { seed: seed + 2, count: 4 });
    await untilCaughtUp(chain, indexer);
    await server.restart("immediate", async () => {
      await rm(now, { recursive: true });
      await copyFolder(before, now);
      await rm(join(now, "data/postmaster.pid"));
    });
    await runRandomActions(chain, { seed: seed + 3, count: 4 });
    expect(await indexer.ended).not.toBe(0);

    await removeStaleLock(chain, options);
    const again = await startIndexer(chain, options);
    const fresh = await startIndexer(chain, { index: "fresh", environment });
    expect(await readTables(again)).toEqual(await readTables(fresh));
  });
});
