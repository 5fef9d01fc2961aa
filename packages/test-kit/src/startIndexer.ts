import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { ISSUER_INDEX, localAccount } from "../../../scripts/stack/accounts.ts";
import {
  type Service,
  startService,
  stopServices,
  waitUntilReady,
} from "../../../scripts/stack/processes.ts";
import { ponder } from "../../../scripts/stack/programs.ts";
import { deployContracts } from "./deployContracts.ts";
import { freePort } from "./freePort.ts";
import { startHardhatNode } from "./hardhatNode.ts";
import { search } from "./indexerRequests.ts";
import { createDatabase, type PostgresDatabase } from "./postgres.ts";

/** A local chain with the contracts, and an empty database and a fresh folder for its indexes. */
export type Chain = {
  rpcUrl: string;
  deploymentFile: string;
  deployment: Deployment;
  database: PostgresDatabase;
  directory: string;
  stop(): Promise<void>;
};

/** Starts a chain and deploys the contracts. */
export async function startChain(): Promise<Chain> {
  const directory = await mkdtemp(join(tmpdir(), "indexer-test-"));
  const [{ rpcUrl, stop }, database] = await Promise.all([
    freePort().then(startHardhatNode),
    createDatabase(),
  ]);
  const deployment = await deployContracts(rpcUrl, { issuer: localAccount(ISSUER_INDEX).address });
  const deploymentFile = join(directory, "deployment.json");
  await writeFile(deploymentFile, JSON.stringify(deployment));
  return {
    ...{ rpcUrl, deploymentFile, deployment, directory, database },
    async stop() {
      await Promise.all([stop(), database.stop()]);
    },
  };
}

/** Sends one JSON-RPC request. */
export async function rpc(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** A running indexer. */
export type Indexer = Service;

/** Where an index is kept, and what its process does. */
export type IndexerOptions = {
  /** Names the schema, and the folder of an embedded database. Default app_registry. */
  index?: string;
  /** PGlite instead of PostgreSQL: it takes ten seconds of a core more to start, and several times as long for a block. */
  embedded?: boolean;
  /** A PostgreSQL other than the chain's. */
  databaseUrl?: string;
  /** `serve` is a reader of a PostgreSQL that another process indexes into. */
  command?: "start" | "serve";
  environment?: Record<string, string>;
};

/** What an indexer needs to know of a chain. */
type Place = Pick<Chain, "rpcUrl" | "deploymentFile" | "directory" | "database">;

/** Ponder begins with 20 requests a second to an endpoint; a node of a test can take more, as several. */
const ENDPOINTS = 10;

/** Starts a Ponder process on a chain. */
export async function spawnIndexer(
  { rpcUrl, deploymentFile, directory, ...chain }: Place,
  {
    index = "app_registry",
    embedded = false,
    databaseUrl = chain.database.url,
    command = "start",
    environment = {},
  }: IndexerOptions = {},
): Promise<Indexer> {
  const port = await freePort();
  return startService({
    ...ponder(command, port, { schema: index }),
    name: `indexer-${port}`,
    settings: {
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      RPC_URL: Array.from({ length: ENDPOINTS }, () => rpcUrl).join(),
      DEPLOYMENT_FILE: deploymentFile,
      DATABASE_URL: embedded ? "" : databaseUrl,
      PGLITE_DIR: join(directory, index),
      PROBER: "off",
      ...environment,
    },
    logDirectory: directory,
  });
}

/** Waits until an index holds the chain's last block. */
export async function untilCaughtUp(chain: Pick<Chain, "rpcUrl">, indexer: Indexer): Promise<void> {
  const head = Number(await rpc(chain.rpcUrl, "eth_blockNumber", []));
  await waitUntilReady(indexer, async () => (await search(indexer, { limit: 1 })).block >= head);
}

/** Starts a Ponder process on a chain and waits until it has indexed its last block. */
export async function startIndexer(chain: Place, options: IndexerOptions = {}): Promise<Indexer> {
  const indexer = await spawnIndexer(chain, options);
  await untilCaughtUp(chain, indexer);
  return indexer;
}

/** Ends every process and removes the folder. */
export async function stopAll(chain: Chain | undefined): Promise<void> {
  await stopServices();
  await chain?.stop();
  if (chain) await rm(chain.directory, { recursive: true, force: true });
}
