import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Index, openIndex } from "@app-registry/index/openIndex";
import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { ISSUER_INDEX, localAccount } from "../../../scripts/stack/accounts.ts";
import {
  type Service,
  startService,
  stopServices,
  waitUntilReady,
} from "../../../scripts/stack/processes.ts";
import { indexer, worker } from "../../../scripts/stack/programs.ts";
import { deployContracts } from "./deployContracts.ts";
import { freePort } from "./freePort.ts";
import { startHardhatNode } from "./hardhatNode.ts";
import { read } from "./indexReads.ts";
import { createDatabase, type PostgresDatabase } from "./postgres.ts";

/** Local chain with the contracts, and an empty database and a new folder for its indexes. */
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

/** Running indexer, and its index. */
export type Indexer = Service & { index: Index };

/** Database of an index. */
export type IndexerOptions = {
  /** Name of the schema. Default app_registry. */
  index?: string;
  /** URL of a PostgreSQL database. Default: the chain's. */
  databaseUrl?: string;
  environment?: Record<string, string>;
};

/** Properties of a chain that an indexer needs. */
type Place = Pick<Chain, "rpcUrl" | "deploymentFile" | "directory" | "database">;

/**
 * Number of times that the RPC URL is listed. Ponder starts with 20 requests per second per endpoint, but a test node
 * can serve more.
 */
const ENDPOINTS = 10;

/** Starts a Ponder process on a chain. */
export async function spawnIndexer(
  { rpcUrl, deploymentFile, directory, ...chain }: Place,
  { index = "app_registry", databaseUrl = chain.database.url, environment = {} }: IndexerOptions = {},
): Promise<Indexer> {
  const port = await freePort();
  const service = await startService({
    ...indexer(port, { schema: index }),
    name: `indexer-${port}`,
    settings: {
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      RPC_URL: Array.from({ length: ENDPOINTS }, () => rpcUrl).join(),
      DEPLOYMENT_FILE: deploymentFile,
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: index,
      PROBER: "off",
      ...environment,
    },
    logDirectory: directory,
  });
  return { ...service, index: openIndex({ databaseUrl, schema: index, chainId: LOCAL_CHAIN_ID }) };
}

/** Starts a worker on a chain's index. */
export const startWorker = (
  { rpcUrl, deploymentFile, directory, database }: Place,
  environment: Record<string, string>,
): Promise<Service> =>
  startService({
    ...{ ...worker, name: `worker-${environment.METRICS_PORT}`, logDirectory: directory },
    settings: {
      ...{ CHAIN_ID: String(LOCAL_CHAIN_ID), RPC_URL: rpcUrl, DEPLOYMENT_FILE: deploymentFile },
      ...{ DATABASE_URL: database.url, PROBER: "off" },
      ...environment,
    },
  });

/** Waits until an index has reached the last block of the chain. */
export async function untilCaughtUp(chain: Pick<Chain, "rpcUrl">, indexer: Indexer): Promise<void> {
  const head = Number(await rpc(chain.rpcUrl, "eth_blockNumber", []));
  await waitUntilReady(indexer, async () => (await read(indexer, async (_, block) => block)) >= head);
}

/** Starts a Ponder process on a chain and waits until it has indexed the last block. */
export async function startIndexer(chain: Place, options: IndexerOptions = {}): Promise<Indexer> {
  const indexer = await spawnIndexer(chain, options);
  await untilCaughtUp(chain, indexer);
  return indexer;
}

/** Stops every process and removes the folder. */
export async function stopAll(chain: Chain | undefined): Promise<void> {
  await stopServices();
  await chain?.stop();
  if (chain) await rm(chain.directory, { recursive: true, force: true });
}
