import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { startIndexer, untilCaughtUp } from "@app-registry/test-kit/startIndexer";
import type { RegistryFixture } from "./registryFixture.ts";

/** Running indexer process with a database of its own. */
export type TestIndex = {
  /** URL of the database, for DATABASE_READ_URL. */
  url: string;
  /** Waits until the index contains the last block of its chain. */
  untilCaughtUp(): Promise<void>;
  /** Freezes the process (SIGSTOP), which indexes nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
};

/** Starts an indexer on a local chain and waits until it contains the last block. */
export async function startIndex(chain: { rpcUrl: string; deploymentFile: string }): Promise<TestIndex> {
  const directory = await mkdtemp(join(tmpdir(), "web-index-"));
  const database = await createDatabase();
  const environment = { ALLOW_LOOPBACK_DIDS: "true" };
  const indexer = await startIndexer({ ...chain, directory, database }, { environment });
  return {
    url: database.url,
    untilCaughtUp: () => untilCaughtUp(chain, indexer),
    freeze: () => void process.kill(-indexer.processId, "SIGSTOP"),
    thaw: () => void process.kill(-indexer.processId, "SIGCONT"),
    async stop() {
      await indexer.stop();
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Registry with its index, which several suites share. Set before the first test. */
export interface IndexedRegistry {
  fixture: RegistryFixture;
  index: TestIndex;
}
