import { join } from "node:path";
import getPort from "get-port";
import { type PostgresServer, startPostgres } from "../../packages/sdk/test/support/postgres.ts";
import { buildWeb as buildWebOfStack } from "../../scripts/stack/buildWeb.ts";
import { deployContracts, type Server, startNode } from "../../scripts/stack/chain.ts";
import { type IndexerParameters, spawnIndexer } from "../../scripts/stack/indexer.ts";
import { answers, rootDirectory, type Service, waitUntilReady } from "../../scripts/stack/processes.ts";
import { processesOf, type Usage, usageOf } from "../../scripts/stack/processTree.ts";
import { startWeb as startWebOfStack } from "../../scripts/stack/web.ts";

/** Everything of the benchmark that is not committed: logs, the web app's build, the loaded databases. */
export const benchDirectory = join(rootDirectory, "bench/.cache");

const logDirectory = join(benchDirectory, "logs");

/** Where the web app is built for the benchmark, apart from what `pnpm dev` builds. */
const NEXT_DIRECTORY = ".next-bench";

/** A chain with the contracts and without records. */
export interface Chain extends Server {
  deploymentFile: string;
}

/** Starts `hardhat node` and deploys the contracts: at the same addresses every time. */
export async function startChain(): Promise<Chain> {
  const node = await startNode(await getPort(), logDirectory);
  const deploymentFile = join(benchDirectory, "deployment.json");
  await deployContracts(node.url, deploymentFile);
  return { ...node, deploymentFile };
}

/** Making every index of 1,000,000 records takes minutes. */
const INDEXER_SECONDS = 1_800;

/** The schema that the benchmark has Ponder make. */
export const SCHEMA = "app_registry";

/** Starts the indexer as in production and waits until it is ready. */
export async function startIndexer({
  chain,
  database,
  command = "start",
}: Pick<IndexerParameters, "database" | "command"> & { chain: Chain }): Promise<Server> {
  const indexer = await spawnIndexer({
    rpcUrl: chain.url,
    deploymentFile: chain.deploymentFile,
    database,
    port: await getPort(),
    command,
    schema: SCHEMA,
    // Nobody serves the dataUrls of the benchmark's records.
    environment: { OFFCHAIN_DOCUMENTS: "off" },
    name: `indexer-${command}`,
    logDirectory,
  });
  await waitUntilReady(indexer.service, INDEXER_SECONDS, () => answers(`${indexer.url}/ready`));
  return indexer;
}

/**
 * An operator's settings for a machine with 2 cores where PostgreSQL may use 4 GB; the rest are PostgreSQL's defaults.
 * Without JIT, because compiling a plan costs a short query more than it saves.
 */
export const postgresSettings = {
  shared_buffers: "2GB",
  effective_cache_size: "3GB",
  maintenance_work_mem: "1GB",
  max_wal_size: "4GB",
  random_page_cost: "1.1",
  jit: "off",
};

/** Only while rows are loaded: a crash would lose them. */
const loadingSettings = { fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0" };

/** Starts a PostgreSQL server on a folder, and initialises a new one. */
export const startDatabase = async (directory: string, { loading = false } = {}): Promise<PostgresServer> =>
  startPostgres({
    directory,
    port: await getPort(),
    settings: { ...postgresSettings, ...(loading && loadingSettings) },
  });

/** Builds the web app for `startWeb`. */
export const buildWeb = () => buildWebOfStack(NEXT_DIRECTORY);

/** Above what the fastest run asks in a window; the limits themselves stay in force. */
const NO_LIMIT = "1000000";

/** Starts the built web app as in production: without an issuer, so that the floor asks the chain for its block alone. */
export const startWeb = async (chain: Chain, indexerUrl: string): Promise<Server> =>
  startWebOfStack({
    command: "start",
    port: await getPort(),
    rpcUrl: chain.url,
    deploymentFile: chain.deploymentFile,
    indexerUrl,
    nextDirectory: NEXT_DIRECTORY,
    environment: {
      NODE_ENV: "production",
      DATABASE_URL: "",
      ISSUER_PRIVATE_KEY: "",
      RATE_LIMIT_READ_CLIENT: NO_LIMIT,
      RATE_LIMIT_SEARCH_CLIENT: NO_LIMIT,
      RATE_LIMIT_PAGE_CLIENT: NO_LIMIT,
    },
    logDirectory,
  });

/** Bytes of memory that the processes of a service hold now, and the most that they have held since they started. */
export type Memory = Pick<Usage, "resident" | "peak">;

/** The memory of a service; null where /proc does not say (it is Linux's). */
export async function memoryOf(service: Service): Promise<Memory | null> {
  const usage = await usageOf(await processesOf(service));
  return usage ? { resident: usage.resident, peak: usage.peak } : null;
}
