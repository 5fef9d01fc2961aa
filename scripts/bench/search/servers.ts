import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ISSUER_INDEX, localAccount } from "../../stack/accounts.ts";
import { findFreePort } from "../../stack/ports.ts";
import {
  answers,
  rootDirectory,
  run,
  type Service,
  startService,
  waitUntilReady,
} from "../../stack/processes.ts";
import { SCHEMA } from "./load/loadRows.ts";

/** Everything of the benchmark that is not committed: logs, the web app's build, the loaded databases. */
export const benchDirectory = join(rootDirectory, "bench/.cache");

const logDirectory = join(benchDirectory, "logs");

/** Where the web app is built for the benchmark, apart from what `pnpm dev` builds. */
const NEXT_DIRECTORY = ".next-bench";

/** A server of the benchmark; it ends with `service.stop()`. */
export interface Server {
  url: string;
  service: Service;
}

/** A chain with the contracts and without records. */
export interface Chain extends Server {
  deploymentFile: string;
}

/** Starts `hardhat node` and deploys the contracts: at the same addresses every time. */
export async function startChain(firstPort: number): Promise<Chain> {
  const port = await findFreePort(firstPort);
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    name: "chain",
    command: "hardhat",
    parameters: ["node", "--port", String(port)],
    logDirectory,
  });
  await waitUntilReady(service, 120, () => chainAnswers(url));
  const deploymentFile = join(benchDirectory, "deployment.json");
  await run("hardhat", ["run", "--no-compile", "scripts/deploy.ts", "--network", "localhost"], {
    environment: {
      LOCAL_RPC_URL: url,
      DEPLOYMENT_FILE: deploymentFile,
      ISSUER_ADDRESS: localAccount(ISSUER_INDEX).address,
    },
  });
  return { url, service, deploymentFile };
}

async function chainAnswers(url: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  return response.ok;
}

/** Which database the indexer uses. */
export type IndexDatabase = { DATABASE_URL: string } | { PGLITE_DIR: string };

interface IndexerParameters {
  chain: Chain;
  database: IndexDatabase;
  /** `start` indexes and answers; `serve` answers alone, beside another process that indexes. */
  command: "start" | "serve";
  firstPort: number;
}

/** Making every index of 1,000,000 records takes minutes. */
const INDEXER_SECONDS = 1_800;

/** Starts the indexer as in production and waits until it is ready. */
export async function startIndexer({
  chain,
  database,
  command,
  firstPort,
}: IndexerParameters): Promise<Server> {
  const port = await findFreePort(firstPort);
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    name: `indexer-${command}`,
    command: "node_modules/.bin/ponder",
    parameters: [command, "--schema", SCHEMA, "--hostname", "127.0.0.1", "--port", String(port)],
    directory: join(rootDirectory, "apps/indexer"),
    environment: {
      CHAIN_ID: "31337",
      RPC_URL: chain.url,
      DEPLOYMENT_FILE: chain.deploymentFile,
      DATABASE_URL: "",
      // Nobody serves the dataUrls of the benchmark's records.
      OFFCHAIN_DOCUMENTS: "off",
      ...database,
    },
    logDirectory,
  });
  await waitUntilReady(service, INDEXER_SECONDS, () => answers(`${url}/ready`));
  return { url, service };
}

/** Builds the web app for `startWeb`. */
export async function buildWeb(): Promise<void> {
  await run("node_modules/.bin/next", ["build"], {
    directory: join(rootDirectory, "apps/web"),
    environment: { NEXT_DIST_DIR: NEXT_DIRECTORY },
  });
}

/** Above what the fastest run asks in a window; the limits themselves stay in force. */
const NO_LIMIT = "1000000";

/** Starts the built web app as in production: without an issuer, so that the floor asks the chain for its block alone. */
export async function startWeb(chain: Chain, indexerUrl: string, firstPort: number): Promise<Server> {
  const port = await findFreePort(firstPort);
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    name: "web",
    command: "node_modules/.bin/next",
    parameters: ["start", "--hostname", "127.0.0.1", "--port", String(port)],
    directory: join(rootDirectory, "apps/web"),
    environment: {
      NODE_ENV: "production",
      NEXT_DIST_DIR: NEXT_DIRECTORY,
      CHAIN_ID: "31337",
      RPC_URL: chain.url,
      DEPLOYMENT_FILE: chain.deploymentFile,
      INDEXER_URL: indexerUrl,
      PUBLIC_URL: url,
      DATABASE_URL: "",
      ISSUER_PRIVATE_KEY: "",
      RATE_LIMIT_READ_CLIENT: NO_LIMIT,
      RATE_LIMIT_SEARCH_CLIENT: NO_LIMIT,
    },
    logDirectory,
  });
  await waitUntilReady(service, 120, () => answers(`${url}/api/health`));
  return { url, service };
}

/**
 * The most memory that the processes of a service have held since they started, in bytes; null where /proc does not
 * say (it is Linux's).
 */
export async function peakMemory(service: Service): Promise<number | null> {
  const processes = async (id: number): Promise<number[]> => {
    const children = await readFile(`/proc/${id}/task/${id}/children`, "utf8");
    const below = await Promise.all(children.split(" ").filter(Boolean).map(Number).map(processes));
    return [id, ...below.flat()];
  };
  const peak = async (id: number) =>
    Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) * 1024;
  try {
    // The first one is the guard, which only waits.
    const [, ...ids] = await processes(service.processId);
    const peaks = await Promise.all(ids.map(peak));
    return peaks.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return null;
  }
}
