import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Deployment, parseDeployment } from "@app-registry/sdk";
import { freePort } from "../../../../packages/sdk/test/support/freePort.ts";
import { ISSUER_INDEX, localAccount } from "../../../../scripts/stack/accounts.ts";
import {
  rootDirectory,
  run,
  type Service,
  startService,
  stopServices,
  waitUntilReady,
} from "../../../../scripts/stack/processes.ts";
import { search } from "./http.ts";

/** A local chain with the contracts, and a fresh folder for the index. */
export type Chain = {
  rpcUrl: string;
  deploymentFile: string;
  deployment: Deployment;
  directory: string;
};

/** Starts `hardhat node` and deploys the contracts as the local stack does. */
export async function startChain(): Promise<Chain> {
  const directory = await mkdtemp(join(tmpdir(), "indexer-test-"));
  const port = await freePort();
  const rpcUrl = `http://127.0.0.1:${port}`;
  const service = await startService({
    name: "chain",
    command: "hardhat",
    parameters: ["node", "--port", String(port)],
    logDirectory: directory,
  });
  await waitUntilReady(service, 60, async () => (await rpc(rpcUrl, "eth_chainId", [])) === "0x7a69");
  const deploymentFile = join(directory, "deployment.json");
  await run("hardhat", ["run", "--no-compile", "scripts/deploy.ts", "--network", "localhost"], {
    environment: {
      LOCAL_RPC_URL: rpcUrl,
      DEPLOYMENT_FILE: deploymentFile,
      ISSUER_ADDRESS: localAccount(ISSUER_INDEX).address,
    },
  });
  return {
    rpcUrl,
    deploymentFile,
    deployment: parseDeployment(await readFile(deploymentFile, "utf8")),
    directory,
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
export type Indexer = { url: string; service: Service };

/** Where an index is kept, and what its process does. */
export type IndexerOptions = {
  /** Names the PGlite folder. */
  index?: string;
  /** PostgreSQL instead of PGlite. */
  databaseUrl?: string;
  /** Default app_registry. */
  schema?: string;
  /** `serve` is a reader of a PostgreSQL that another process indexes into. */
  command?: "start" | "serve";
  environment?: Record<string, string>;
};

/** Starts a Ponder process on a chain. */
export async function spawnIndexer(
  chain: Pick<Chain, "rpcUrl" | "deploymentFile" | "directory">,
  {
    index = "index",
    databaseUrl = "",
    schema = "app_registry",
    command = "start",
    environment = {},
  }: IndexerOptions = {},
): Promise<Indexer> {
  const port = await freePort();
  const service = await startService({
    name: `indexer-${port}`,
    command: "node_modules/.bin/ponder",
    parameters: [command, "--schema", schema, "--hostname", "127.0.0.1", "--port", String(port)],
    directory: join(rootDirectory, "apps/indexer"),
    environment: {
      CHAIN_ID: "31337",
      RPC_URL: chain.rpcUrl,
      DEPLOYMENT_FILE: chain.deploymentFile,
      PGLITE_DIR: join(chain.directory, index),
      DATABASE_URL: databaseUrl,
      ...environment,
    },
    logDirectory: chain.directory,
  });
  return { url: `http://127.0.0.1:${port}`, service };
}

/** Waits until an index holds the chain's last block. */
export async function untilCaughtUp(chain: Pick<Chain, "rpcUrl">, { url, service }: Indexer): Promise<void> {
  const head = Number(await rpc(chain.rpcUrl, "eth_blockNumber", []));
  await waitUntilReady(service, 180, async () => (await search({ url }, { limit: 1 })).block >= head);
}

/** Starts a Ponder process on a chain and waits until it has indexed its last block. */
export async function startIndexer(
  chain: Pick<Chain, "rpcUrl" | "deploymentFile" | "directory">,
  options: IndexerOptions = {},
): Promise<Indexer> {
  const indexer = await spawnIndexer(chain, options);
  await untilCaughtUp(chain, indexer);
  return indexer;
}

/** Ends every process and removes the folder. */
export async function stopAll(chain: Chain | undefined): Promise<void> {
  await stopServices();
  if (chain) await rm(chain.directory, { recursive: true, force: true });
}
