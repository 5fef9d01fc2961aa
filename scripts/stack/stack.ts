import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deployContracts as deploy } from "@app-registry/test-kit/deployContracts";
import getPort, { portNumbers } from "get-port";
import { createPublicClient, http } from "viem";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "./accounts.ts";
import type { StackUrls } from "./client.ts";
import { createScratchFolder, startPostgres } from "./postgres.ts";
import {
  answers,
  type Program,
  rootDirectory,
  type Service,
  type Step,
  startService,
  stopServices,
  waitUntilReady,
} from "./processes.ts";
import { indexer, web, worker } from "./programs.ts";

/** Starts an empty local chain on a port and waits until it responds. */
export async function startNode(port: number, logDirectory: string): Promise<Service> {
  const url = `http://127.0.0.1:${port}`;
  const command = ["hardhat", "node", "--port", String(port)];
  const chain = await startService({ name: "chain", command, url, logDirectory });
  const client = createPublicClient({ transport: http(url) });
  await waitUntilReady(chain, async () => (await client.getChainId()) === LOCAL_CHAIN_ID);
  return chain;
}

/**
 * Deploys the contracts to a local chain and writes the deployment file; the issuer is one of the chain's accounts.
 * Returns the settings of a registry on that chain.
 */
export async function deployContracts(rpcUrl: string, deploymentFile: string) {
  const deployment = await deploy(rpcUrl, { issuer: localAccount(ISSUER_INDEX).address });
  await mkdir(dirname(deploymentFile), { recursive: true });
  await writeFile(deploymentFile, JSON.stringify(deployment, null, 2));
  return { CHAIN_ID: String(LOCAL_CHAIN_ID), RPC_URL: rpcUrl, DEPLOYMENT_FILE: deploymentFile };
}

export interface StackParameters {
  /** Name of the folder `.local/<name>` with logs. */
  name: string;
  /** Preferred port of each part. If it is taken, the part uses the next free one. */
  ports: { web: number; chain: number; indexer: number };
  deploymentFile: string;
  /** Folder of Next's build, relative to apps/web. If omitted, pages are compiled on demand. */
  nextDirectory?: string;
  /** URL of a PostgreSQL. If omitted, the stack starts its own, with an empty database in a temporary folder. */
  databaseUrl?: string;
  /** Additional variables of the web app. */
  webEnvironment?: Record<string, string>;
  /** Runs each part. Default: without output. */
  step?: Step;
}

/** Running local stack: chain, contracts, PostgreSQL, indexer, worker and web app. */
export interface Stack extends StackUrls {
  databaseUrl: string;
  logDirectory: string;
  /** Resolves when the web app has served its first page, which a development server compiles at the first request. */
  firstPage: Promise<void>;
  /** Resolves with the name of the first part that stops unexpectedly. */
  firstEnded: Promise<string>;
}

/**
 * Starts a new chain, deploys the contracts, and starts PostgreSQL, the indexer, the worker and the web app. Waits
 * until each responds.
 * `stopServices` stops them. Deploys contracts/compiled.json.
 * @throws Error if a part does not become ready. Stops the other parts first.
 */
export const startStack = (parameters: StackParameters): Promise<Stack> =>
  start(parameters).catch((error) => stopServices().then(() => Promise.reject(error)));

/** Returns the preferred port, or the next free one. */
const portFrom = (preferred: number) => getPort({ port: portNumbers(preferred, preferred + 49) });

/** Returns true after a response, however long it takes. Rejects if nothing listens. */
const hasResponse = (url: string) => fetch(url).then(async (response) => Boolean(await response.text()));

async function startDatabase(): Promise<Service> {
  const directory = await createScratchFolder("registry-stack-");
  return startPostgres({ directory, isTemporary: true, port: await getPort(), settings: { fsync: "off" } });
}

async function start(parameters: StackParameters): Promise<Stack> {
  const { ports, deploymentFile, nextDirectory, step = (_, work) => work() } = parameters;
  const directory = join(rootDirectory, ".local", parameters.name);
  const logDirectory = join(directory, "logs");
  await rm(directory, { recursive: true, force: true });
  await rm(deploymentFile, { force: true });

  const starting = parameters.databaseUrl ? undefined : step("PostgreSQL", startDatabase);
  // If the chain fails first, this failure is not reported.
  starting?.catch(() => undefined);
  const chain = await step("chain", async () => startNode(await portFrom(ports.chain), logDirectory));
  const deployed = await step("contracts", () => deployContracts(chain.url, deploymentFile));
  const postgres = await starting;
  const databaseUrl = parameters.databaseUrl ?? postgres?.url ?? "";

  const isBuilt = nextDirectory !== undefined;
  const webProgram = web(await portFrom(ports.web), {
    isBuilt,
    ...(isBuilt && { nextDirectory }),
  });
  const indexerProgram = indexer(await portFrom(ports.indexer));
  // The prober's user agent links to a page of this stack's web app.
  const settings = {
    ...deployed,
    ...{ ALLOW_LOOPBACK_DIDS: "true", PUBLIC_URL: webProgram.url, DATABASE_URL: databaseUrl },
  };
  const ISSUER_PRIVATE_KEY = localPrivateKey(ISSUER_INDEX);
  const startPart = (name: string, program: Program, more: Record<string, string> = {}) =>
    startService({ ...program, ...{ name, settings: { ...settings, ...more }, logDirectory } });
  const index = await startPart("indexer", indexerProgram);
  const app = await startPart("web", webProgram, {
    ISSUER_PRIVATE_KEY,
    ...parameters.webEnvironment,
  });
  const ready = (service: Service, path: string) =>
    step(service.name, () => waitUntilReady(service, () => answers(service.url + path)));
  const isReady = Promise.all([ready(index, "/ready"), ready(app, "/api/health")]);
  const firstPage = step(`first page of ${app.url}`, () => waitUntilReady(app, () => hasResponse(app.url)));
  // If the web app ends, `isReady` rejects.
  firstPage.catch(() => undefined);
  await isReady;
  // The worker waits for the index, so starting it earlier would only delay the others.
  const background = await startPart("worker", worker, { ISSUER_PRIVATE_KEY });

  const services = [chain, index, app, background, ...(postgres ? [postgres] : [])];
  return {
    ...{
      webUrl: app.url,
      rpcUrl: chain.url,
      indexerUrl: index.url,
      databaseUrl,
      deploymentFile,
      logDirectory,
    },
    firstPage,
    firstEnded: Promise.race(services.map((service) => service.ended.then(() => service.name))),
  };
}
