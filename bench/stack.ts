import { join } from "node:path";
import { type PostgresServer, startPostgres } from "@app-registry/test-kit/postgres";
import getPort from "get-port";
import { buildWeb as buildWebOfStack } from "../scripts/stack/buildWeb.ts";
import {
  answers,
  type Program,
  rootDirectory,
  type Service,
  startService,
  waitUntilReady,
} from "../scripts/stack/processes.ts";
import { indexer, web } from "../scripts/stack/programs.ts";
import { deployContracts, startNode } from "../scripts/stack/stack.ts";

/** Folder of uncommitted files of benchmarks: logs, the web app's build, databases. */
export const benchDirectory = join(rootDirectory, "bench/.cache");

const logDirectory = join(benchDirectory, "logs");

/** Build folder of the web app for benchmarks, separate from that of `pnpm dev`. */
export const NEXT_DIRECTORY = ".next-bench";

/** Builds the web app for benchmarks. */
export const buildWeb = () => buildWebOfStack(NEXT_DIRECTORY);

/** Chain with the contracts. */
export type Chain = Awaited<ReturnType<typeof startChain>>;

/** Starts `hardhat node` and deploys the contracts at fixed addresses. */
export async function startChain() {
  const node = await startNode(await getPort(), logDirectory);
  const deploymentFile = join(benchDirectory, "deployment.json");
  const settings = await deployContracts(node.url, deploymentFile);
  return { ...node, deploymentFile, settings };
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

/** Starts a PostgreSQL server on a folder, which it initializes if new. */
export const startDatabase = async (directory: string, settings = {}): Promise<PostgresServer> =>
  startPostgres({ directory, port: await getPort(), settings: { ...postgresSettings, ...settings } });

/** Time limit for the start of a process, in seconds. Creating the indexes of 1,000,000 records takes minutes. */
const START_SECONDS = 1_800;

/** Starts a program and waits until its `path` has a success status. */
export async function startProgram(name: string, program: Program, path: string, settings = {}) {
  const service = await startService({ ...program, name, settings, logDirectory });
  await waitUntilReady(service, () => answers(service.url + path), START_SECONDS);
  return service;
}

/** Starts the indexer as in production. */
export async function startIndexer(
  { settings }: Chain,
  databaseUrl: string,
  parameters: string[] = [],
): Promise<Service> {
  const port = await getPort();
  const program = indexer(port, { parameters });
  // No host serves the records' dataUrls. Poll like public chains, not like the local one.
  return startProgram(`indexer-${port}`, program, "/ready", {
    ...{ ...settings, DATABASE_URL: databaseUrl },
    ...{ OFFCHAIN_DOCUMENTS: "off", POLLING_INTERVAL: "500" },
  });
}

/** Starts the built web app as in production, without an issuer and with a limit that no run reaches. */
export async function startWeb({ settings }: Chain, databaseUrl: string): Promise<Service> {
  const program = web(await getPort(), { nextDirectory: NEXT_DIRECTORY });
  return startProgram("web", program, "/api/health", {
    ...{ ...settings, DATABASE_URL: databaseUrl, PUBLIC_URL: program.url },
    ...{ ISSUER_PRIVATE_KEY: "", RATE_LIMIT_SEARCH_CLIENT: "1000000" },
  });
}
