import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "./accounts.ts";
import { findFreePort } from "./ports.ts";
import {
  answers,
  rootDirectory,
  run,
  type Service,
  startService,
  stopServices,
  waitUntilReady,
} from "./processes.ts";

export interface StackParameters {
  /** Names the folder `.local/<name>` that holds logs and the index. */
  name: string;
  /** `development` compiles pages on demand; `production` serves an existing `next build`. */
  web: "development" | "production";
  /** First port tried for each part; a taken one moves on to the next free one. */
  ports: { web: number; chain: number; indexer: number };
  /** Where the deployment is written. */
  deploymentFile: string;
  /** Folder of Next's build, relative to apps/web. */
  nextDirectory?: string;
  onProgress?: (message: string) => void;
}

/** A running local stack: chain, contracts, indexer and web. */
export interface Stack {
  webUrl: string;
  rpcUrl: string;
  indexerUrl: string;
  deploymentFile: string;
  logDirectory: string;
  /** Settles with the name of the first part that ends by itself. */
  firstEnded: Promise<string>;
}

const READY_SECONDS = 180;

/** What a development server should not compile while somebody waits for it, or times out waiting. */
const FIRST_PATHS = [
  "/.well-known/did.json",
  "/api/verify-and-attest",
  "/api/search",
  "/",
  "/apps",
  "/register",
];

/**
 * Starts a clean chain, deploys the contracts, and starts the indexer and the web app, each waited for until it
 * answers; `stopServices` ends them. The contracts must be compiled (`pnpm build`).
 * @throws When a part does not become ready; what was started is stopped first.
 */
export async function startStack(parameters: StackParameters): Promise<Stack> {
  try {
    return await start(parameters);
  } catch (error) {
    await stopServices();
    throw error;
  }
}

async function start(parameters: StackParameters): Promise<Stack> {
  const progress = parameters.onProgress ?? (() => {});
  const directory = join(rootDirectory, ".local", parameters.name);
  const logDirectory = join(directory, "logs");
  await rm(directory, { recursive: true, force: true });
  await rm(parameters.deploymentFile, { force: true });

  const services: Service[] = [];
  const launch = async (
    options: Omit<Parameters<typeof startService>[0], "logDirectory">,
    probe: () => Promise<boolean>,
  ) => {
    const service = await startService({ ...options, logDirectory });
    services.push(service);
    await waitUntilReady(service, READY_SECONDS, probe);
  };

  progress("Starting a clean chain");
  const chainPort = await findFreePort(parameters.ports.chain);
  const rpcUrl = `http://127.0.0.1:${chainPort}`;
  await launch({ name: "chain", command: "hardhat", parameters: ["node", "--port", String(chainPort)] }, () =>
    chainAnswers(rpcUrl),
  );

  progress("Deploying the contracts");
  await run("hardhat", ["run", "--no-compile", "scripts/deploy.ts", "--network", "localhost"], {
    environment: {
      LOCAL_RPC_URL: rpcUrl,
      DEPLOYMENT_FILE: parameters.deploymentFile,
      ISSUER_ADDRESS: localAccount(ISSUER_INDEX).address,
    },
  });

  const webPort = await findFreePort(parameters.ports.web);
  const indexerPort = await findFreePort(parameters.ports.indexer);
  const webUrl = `http://localhost:${webPort}`;
  const indexerUrl = `http://127.0.0.1:${indexerPort}`;
  const environment = {
    CHAIN_ID: "31337",
    RPC_URL: rpcUrl,
    DEPLOYMENT_FILE: parameters.deploymentFile,
    INDEXER_URL: indexerUrl,
    PUBLIC_URL: webUrl,
    ALLOW_LOOPBACK_DIDS: "true",
    ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX),
    PGLITE_DIR: join(directory, "index"),
    NEXT_DIST_DIR: parameters.nextDirectory ?? ".next",
  };

  progress("Starting the indexer with an empty index");
  await launch(
    {
      name: "indexer",
      command: "node_modules/.bin/ponder",
      parameters: ["start", "--schema", "app_registry", "--port", String(indexerPort)],
      directory: join(rootDirectory, "apps/indexer"),
      environment,
    },
    () => answers(`${indexerUrl}/ready`),
  );

  progress("Starting the web app");
  await launch(
    {
      name: "web",
      command: "node_modules/.bin/next",
      parameters: [parameters.web === "production" ? "start" : "dev", "--port", String(webPort)],
      directory: join(rootDirectory, "apps/web"),
      environment,
    },
    () => answers(`${webUrl}/api/health`),
  );
  if (parameters.web === "development") {
    progress("Compiling the pages that come first");
    for (const path of FIRST_PATHS)
      await fetch(new URL(path, webUrl)).then((response) => response.body?.cancel());
  }

  return {
    webUrl,
    rpcUrl,
    indexerUrl,
    deploymentFile: parameters.deploymentFile,
    logDirectory,
    firstEnded: Promise.race(services.map((service) => service.ended.then(() => service.name))),
  };
}

async function chainAnswers(rpcUrl: string): Promise<boolean> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
    signal: AbortSignal.timeout(5_000),
  });
  const { result } = (await response.json()) as { result?: string };
  return result === "0x7a69";
}
