import { rm } from "node:fs/promises";
import { join } from "node:path";
import getPort, { portNumbers } from "get-port";
import { ISSUER_INDEX, localPrivateKey } from "./accounts.ts";
import { deployContracts, startNode } from "./chain.ts";
import { answers, rootDirectory, startService, stopServices, waitUntilReady } from "./processes.ts";
import { ponder, web } from "./programs.ts";
import type { StackUrls } from "./state.ts";

export interface StackParameters {
  /** Name of the folder `.local/<name>` with logs and the index. */
  name: string;
  /** Preferred port of each part. If it is taken, the part uses the next free one. */
  ports: { web: number; chain: number; indexer: number };
  /** Path of the deployment file to write. */
  deploymentFile: string;
  /** Folder of Next's build, relative to apps/web. If omitted, pages are compiled on demand. */
  nextDirectory?: string;
  /** URL of a PostgreSQL for the index. If omitted, the index uses an embedded database. */
  databaseUrl?: string;
  /** Ports of the inspectors of the processes. Default: no inspectors. */
  inspectPorts?: { web: number; indexer: number };
  /** Additional variables of the web app. */
  webEnvironment?: Record<string, string>;
  onProgress?: (message: string) => void;
}

/** Running local stack: chain, contracts, indexer and web app. */
export interface Stack extends StackUrls {
  logDirectory: string;
  /** Resolves with the name of the first part that stops unexpectedly. */
  firstEnded: Promise<string>;
}

/** Paths to request at the start, so that the development server compiles them before a user waits for them. */
const FIRST_PATHS = [
  "/.well-known/did.json",
  "/api/verify-and-attest",
  "/api/search",
  "/",
  "/apps",
  "/register",
];

/**
 * Starts a new chain, deploys the contracts, and starts the indexer and the web app. Waits until each responds.
 * `stopServices` stops them. The contracts must be compiled (`pnpm build`).
 * @throws Error if a part does not become ready. Stops the other parts first.
 */
export const startStack = (parameters: StackParameters): Promise<Stack> =>
  start(parameters).catch((error) => stopServices().then(() => Promise.reject(error)));

/** Returns the preferred port, or the next free one. */
const portFrom = (preferred: number) => getPort({ port: portNumbers(preferred, preferred + 49) });

async function start(parameters: StackParameters): Promise<Stack> {
  const { ports, deploymentFile, nextDirectory, inspectPorts } = parameters;
  const progress = parameters.onProgress ?? (() => {});
  const directory = join(rootDirectory, ".local", parameters.name);
  const logDirectory = join(directory, "logs");
  await rm(directory, { recursive: true, force: true });
  await rm(deploymentFile, { force: true });

  progress("Starting a clean chain");
  const chain = await startNode(await portFrom(ports.chain), logDirectory);

  progress("Deploying the contracts");
  const deployed = await deployContracts(chain.url, deploymentFile);

  progress("Starting the indexer with an empty index");
  const isBuilt = nextDirectory !== undefined;
  const webProgram = web(await portFrom(ports.web), {
    ...{ isBuilt, inspectPort: inspectPorts?.web },
    ...(isBuilt && { nextDirectory }),
  });
  // The prober's user agent links to a page of this stack's web app.
  const settings = { ...deployed, ALLOW_LOOPBACK_DIDS: "true", PUBLIC_URL: webProgram.url };
  // Override the database of the caller's environment.
  const database = { DATABASE_URL: parameters.databaseUrl ?? "", PGLITE_DIR: join(directory, "index") };
  const indexer = await startService({
    ...ponder("start", await portFrom(ports.indexer), { inspectPort: inspectPorts?.indexer }),
    name: "indexer",
    settings: { ...settings, ...database },
    logDirectory,
  });
  await waitUntilReady(indexer, () => answers(`${indexer.url}/ready`));

  progress("Starting the web app");
  const app = await startService({
    ...webProgram,
    name: "web",
    settings: {
      ...settings,
      INDEXER_URL: indexer.url,
      ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX),
      ...parameters.webEnvironment,
    },
    logDirectory,
  });
  await waitUntilReady(app, () => answers(`${app.url}/api/health`));
  if (!isBuilt) {
    progress("Compiling the pages that come first");
    for (const path of FIRST_PATHS)
      await fetch(new URL(path, app.url)).then((response) => response.body?.cancel());
  }

  const services = [chain, indexer, app];
  return {
    ...{ webUrl: app.url, rpcUrl: chain.url, indexerUrl: indexer.url, deploymentFile, logDirectory },
    firstEnded: Promise.race(services.map((service) => service.ended.then(() => service.name))),
  };
}
