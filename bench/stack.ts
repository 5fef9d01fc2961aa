import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "@app-registry/test-kit/postgres";
import getPort from "get-port";
import { ISSUER_INDEX, localPrivateKey } from "../scripts/stack/accounts.ts";
import { buildWeb as buildWebOfStack } from "../scripts/stack/buildWeb.ts";
import { deployContracts, startNode } from "../scripts/stack/chain.ts";
import {
  answers,
  rootDirectory,
  type Service,
  startService,
  waitUntilReady,
} from "../scripts/stack/processes.ts";
import { type PonderOptions, ponder, web } from "../scripts/stack/programs.ts";

/** Folder of uncommitted files of benchmarks: logs, the web app's build, databases. */
export const benchDirectory = join(rootDirectory, "bench/.cache");

const logDirectory = join(benchDirectory, "logs");

/** Build folder of the web app for benchmarks, separate from that of `pnpm dev`. */
const NEXT_DIRECTORY = ".next-bench";

/** Chain with the contracts. */
export type Chain = Awaited<ReturnType<typeof startChain>>;

/** Starts `hardhat node` and deploys the contracts at fixed addresses. */
export async function startChain() {
  const node = await startNode(await getPort(), logDirectory);
  const deploymentFile = join(benchDirectory, "deployment.json");
  const settings = await deployContracts(node.url, deploymentFile);
  return { ...node, deploymentFile, settings };
}

/** Creates a temporary folder for the database of one run. */
export const newDirectory = () => mkdtemp(join(tmpdir(), "registry-bench-"));

/** Time limit for the start of an indexer, in seconds. Creating the indexes of 1,000,000 records takes minutes. */
const INDEXER_SECONDS = 1_800;

/** URL of a PostgreSQL, or folder of an embedded database. */
export type Database = { DATABASE_URL: string } | { PGLITE_DIR: string };

/** Starts the indexer as in production and waits until it is ready. */
export async function startIndexer(
  chain: Chain,
  database: Database,
  options: PonderOptions & { command?: "start" | "serve" } = {},
): Promise<Service> {
  const port = await getPort();
  const indexer = await startService({
    ...ponder(options.command ?? "start", port, options),
    name: `indexer-${port}`,
    // No host serves the records' dataUrls. Poll like public chains, not like the local one.
    settings: {
      ...{ ...chain.settings, DATABASE_URL: "", ...database },
      ...{ OFFCHAIN_DOCUMENTS: "off", POLLING_INTERVAL: "500" },
    },
    logDirectory,
  });
  await waitUntilReady(indexer, () => answers(`${indexer.url}/ready`), INDEXER_SECONDS);
  return indexer;
}

/**
 * Settings of an operator whose PostgreSQL may use 4 GB on a machine with 2 cores. Other settings have PostgreSQL's
 * defaults. JIT is off, because compiling the plan of a short query takes longer than it saves.
 */
export const postgresSettings = {
  shared_buffers: "2GB",
  effective_cache_size: "3GB",
  maintenance_work_mem: "1GB",
  max_wal_size: "4GB",
  random_page_cost: "1.1",
  jit: "off",
};

/** Starts a PostgreSQL server on a folder, which it initialises if new. */
export const startDatabase = async (directory: string, settings = {}): Promise<PostgresServer> =>
  startPostgres({ directory, port: await getPort(), settings: { ...postgresSettings, ...settings } });

/** Starts the server of `bench/search/bare.ts` on the database of an index. */
export async function startBare(databaseUrl: string): Promise<Service> {
  const port = await getPort();
  const bare = await startService({
    command: [process.execPath, join(rootDirectory, "bench/search/bare.ts")],
    name: "bare",
    url: `http://localhost:${port}`,
    logDirectory,
    settings: { PORT: String(port), DATABASE_URL: databaseUrl },
  });
  await waitUntilReady(bare, () => answers(bare.url));
  return bare;
}

/** Builds the web app for `startWeb`. */
export const buildWeb = () => buildWebOfStack(NEXT_DIRECTORY);

/** Rate limit above the requests of the fastest run. The limiter itself stays active. */
const NO_LIMIT = "1000000";

/** Starts the built web app as in production. Without an issuer, health reads only the block number. */
export async function startWeb(
  { settings }: Chain,
  indexerUrl: string,
  { isIssuer = false } = {},
): Promise<Service> {
  const program = web(await getPort(), { nextDirectory: NEXT_DIRECTORY });
  const app = await startService({
    ...program,
    name: "web",
    settings: {
      ...{ ...settings, INDEXER_URL: indexerUrl, PUBLIC_URL: program.url },
      ...{ DATABASE_URL: "", ISSUER_PRIVATE_KEY: isIssuer ? localPrivateKey(ISSUER_INDEX) : "" },
      RATE_LIMIT_ATTEST_CLIENT: NO_LIMIT,
      RATE_LIMIT_ATTEST_ADDRESS: NO_LIMIT,
      RATE_LIMIT_ATTEST_HOST: NO_LIMIT,
      RATE_LIMIT_READ_CLIENT: NO_LIMIT,
      RATE_LIMIT_SEARCH_CLIENT: NO_LIMIT,
      RATE_LIMIT_PAGE_CLIENT: NO_LIMIT,
    },
    logDirectory,
  });
  await waitUntilReady(app, () => answers(`${app.url}/api/health`));
  return app;
}
