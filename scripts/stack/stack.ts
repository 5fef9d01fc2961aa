import { rm } from "node:fs/promises";
import { join } from "node:path";
import getPort, { portNumbers } from "get-port";
import { ISSUER_INDEX, localPrivateKey } from "./accounts.ts";
import { deployContracts, startNode } from "./chain.ts";
import { spawnIndexer } from "./indexer.ts";
import { answers, rootDirectory, stopServices, waitUntilReady } from "./processes.ts";
import type { StackUrls } from "./state.ts";
import { startWeb } from "./web.ts";

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
  /** A PostgreSQL for the index. Left out, it has an embedded database. */
  databaseUrl?: string;
  /** Variables of the web app beside its usual ones. */
  webEnvironment?: Record<string, string>;
  onProgress?: (message: string) => void;
}

/** A running local stack: chain, contracts, indexer and web. */
export interface Stack extends StackUrls {
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

/** The preferred port, or the next free one. */
const portFrom = (preferred: number) => getPort({ port: portNumbers(preferred, preferred + 49) });

async function start({ databaseUrl, ...parameters }: StackParameters): Promise<Stack> {
  const progress = parameters.onProgress ?? (() => {});
  const directory = join(rootDirectory, ".local", parameters.name);
  const logDirectory = join(directory, "logs");
  await rm(directory, { recursive: true, force: true });
  await rm(parameters.deploymentFile, { force: true });

  progress("Starting a clean chain");
  const chain = await startNode(await portFrom(parameters.ports.chain), logDirectory);
  const rpcUrl = chain.url;

  progress("Deploying the contracts");
  await deployContracts(rpcUrl, parameters.deploymentFile);

  progress("Starting the indexer with an empty index");
  const webPort = await portFrom(parameters.ports.web);
  const indexer = await spawnIndexer({
    rpcUrl,
    deploymentFile: parameters.deploymentFile,
    database: databaseUrl ? { DATABASE_URL: databaseUrl } : { PGLITE_DIR: join(directory, "index") },
    port: await portFrom(parameters.ports.indexer),
    // The prober's user agent links to a page of this stack's web app.
    environment: { ALLOW_LOOPBACK_DIDS: "true", PUBLIC_URL: `http://localhost:${webPort}` },
    logDirectory,
  });
  await waitUntilReady(indexer.service, READY_SECONDS, () => answers(`${indexer.url}/ready`));

  progress("Starting the web app");
  const web = await startWeb({
    command: parameters.web === "production" ? "start" : "dev",
    port: webPort,
    rpcUrl,
    deploymentFile: parameters.deploymentFile,
    indexerUrl: indexer.url,
    nextDirectory: parameters.nextDirectory ?? ".next",
    environment: {
      ALLOW_LOOPBACK_DIDS: "true",
      ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX),
      ...parameters.webEnvironment,
    },
    logDirectory,
  });
  const webUrl = web.url;
  if (parameters.web === "development") {
    progress("Compiling the pages that come first");
    for (const path of FIRST_PATHS)
      await fetch(new URL(path, webUrl)).then((response) => response.body?.cancel());
  }

  const services = [chain.service, indexer.service, web.service];
  return {
    webUrl,
    rpcUrl,
    indexerUrl: indexer.url,
    deploymentFile: parameters.deploymentFile,
    logDirectory,
    firstEnded: Promise.race(services.map((service) => service.ended.then(() => service.name))),
  };
}
