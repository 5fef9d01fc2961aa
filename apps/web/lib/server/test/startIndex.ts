import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { searchPageSchema } from "@app-registry/sdk";
import { createPublicClient, http } from "viem";
import { freePort } from "../../../../../packages/sdk/test/support/freePort.ts";
import { createDatabase } from "../../../../../packages/sdk/test/support/postgres.ts";
import { spawnIndexer } from "../../../../../scripts/stack/indexer.ts";
import { waitUntilReady } from "../../../../../scripts/stack/processes.ts";

/** A real indexer. */
export type TestIndex = {
  url: string;
  /** Waits until it has the last block of the chain that it reads. */
  untilCaughtUp(): Promise<void>;
  /** Stops it where it is (SIGSTOP): its port takes connections, and nothing answers until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
};

/** Starts an indexer on a local chain and waits until it has its last block. */
export async function startIndex(chain: { rpcUrl: string; deploymentFile: string }): Promise<TestIndex> {
  const directory = await mkdtemp(join(tmpdir(), "web-index-"));
  const database = await createDatabase();
  const { url, service } = await spawnIndexer({
    ...chain,
    database: { DATABASE_URL: database.url },
    port: await freePort(),
    environment: { ALLOW_LOOPBACK_DIDS: "true" },
    logDirectory: directory,
  });
  const node = createPublicClient({ transport: http(chain.rpcUrl) });
  const untilCaughtUp = async () => {
    const head = Number(await node.getBlockNumber({ cacheTime: 0 }));
    await waitUntilReady(service, 180, async () => {
      const answer = await fetch(`${url}/search?limit=1`);
      return searchPageSchema.parse(await answer.json()).block >= head;
    });
  };
  await untilCaughtUp();
  return {
    url,
    untilCaughtUp,
    freeze: () => void process.kill(-service.processId, "SIGSTOP"),
    thaw: () => void process.kill(-service.processId, "SIGCONT"),
    async stop() {
      await service.stop();
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
