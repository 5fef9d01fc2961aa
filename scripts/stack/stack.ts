import { rm } from "node:fs/promises";
import { join } from "node:path";
import getPort, { portNumbers } from "get-port";
import { ISSUER_INDEX, localPrivateKey } from "./accounts.ts";
import { deployContracts, startNode } from "./chain.ts";
import { answers, rootDirectory, startService, stopServices, waitUntilReady } from "./processes.ts";
import { ponder, web } from "./programs.ts";
import type { StackUrls } from "./state.ts";

export interface StackParameters {
  /** Names the folder `.local/<name>` that holds logs and the index. */
  name: string;
  /** First port tried for each part; a taken one moves on to the next free one. */
  ports: { web: number; chain: number; indexer: number };
  /** Where the deployment is written. */
  deploymentFile: string;
  /** Folder of Next's build, relative to apps/web. Left out, pages are compiled on demand. */
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
export const startStack = (parameters: StackParameters): Promise<Stack> =>
  start(parameters).catch((error) => stopServices().then(() => Promise.reject(error)));

/** The preferred port, or the next free one. */
const portFrom = (preferred: number) => getPort({ port: portNumbers(preferred, preferred + 49) });

async function start(parameters: StackParameters): Promise<Stack> {
  const { ports, deploymentFile, nextDirectory } = parameters;
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
  const webProgram = web(await portFrom(ports.web), { isBuilt, ...(isBuilt && { nextDirectory }) });
  // The prober's user agent links to a page of this stack's web app.
  const settings = { ...deployed, ALLOW_LOOPBACK_DIDS: "true", PUBLIC_URL: webProgram.url };
  // What the caller's own environment says is of another database.
  const database = { DATABASE_URL: parameters.databaseUrl ?? "", PGLITE_DIR: join(directory, "index") };
  const indexer = await startService({
    ...ponder("start", await portFrom(ports.indexer)),
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
