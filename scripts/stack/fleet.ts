import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import getPort from "get-port";
import { createTestClient, http } from "viem";
import { hardhat } from "viem/chains";
import { type PostgresServer, startPostgres } from "../../packages/sdk/test/support/postgres.ts";
import { ISSUER_INDEX, localPrivateKey } from "./accounts.ts";
import { deployContracts, type Server, startAnvil } from "./chain.ts";
import { spawnIndexer } from "./indexer.ts";
import { answers, rootDirectory, stopServices, waitUntilReady } from "./processes.ts";
import { processesOf } from "./processTree.ts";
import { startProxy } from "./proxy.ts";
import type { StackUrls } from "./state.ts";
import { type SupervisedPart, supervise } from "./supervisedPart.ts";
import { startWeb } from "./web.ts";
import { startWorker } from "./worker.ts";

export interface FleetParameters {
  /** Names the folder `.local/<name>` that holds logs, chain and database. */
  name: string;
  /** Folder of Next's build, relative to apps/web. */
  nextDirectory: string;
  webs?: number;
  readers?: number;
  /** Seconds between two blocks. */
  blockTime?: number;
  onProgress?: (message: string) => void;
}

/** The kinds of processes that may be killed at any moment. */
export type PartKind = "web" | "reader" | "writer" | "worker";

/** A registry as an operator runs a large one, on one machine. `webUrl` is the proxy's. */
export interface Fleet extends StackUrls {
  logDirectory: string;
  /** Seconds between two blocks. */
  blockTime: number;
  database: PostgresServer;
  chain: SupervisedPart;
  proxy: Server;
  parts: Record<PartKind, SupervisedPart[]>;
  /** Ends the chain's process, which keeps its blocks, and starts it again. */
  restartChain(): Promise<void>;
  stop(): Promise<void>;
}

const READY_SECONDS = 180;

/** The worker alone does what nobody asks for. */
const background = { ALLOW_LOOPBACK_DIDS: "true", BACKGROUND_WORK: "worker" };

/** The most PostgreSQL connections of one process of each kind, as docs/scale.md says. */
export const CONNECTIONS = { web: 11, writer: 33, reader: 34, worker: 10 } satisfies Record<PartKind, number>;

/** The most PostgreSQL connections that a fleet's processes open. */
export const connectionBudget = ({ parts }: Pick<Fleet, "parts">): number =>
  Object.entries(parts).reduce((sum, [kind, all]) => sum + all.length * CONNECTIONS[kind as PartKind], 0);

/** Room for the budget, and for whoever looks after the database. */
const MAX_CONNECTIONS = 200;

/**
 * Starts a chain with the contracts, a PostgreSQL, one process that indexes, readers, web processes with one issuer's key,
 * and the proxy before them. Every process but the proxy and PostgreSQL is started again when it ends. The contracts and
 * the web app must be built.
 * @throws When Caddy is not installed or a part does not become ready; what was started is stopped first.
 */
export async function startFleet(parameters: FleetParameters): Promise<Fleet> {
  try {
    return await start(parameters);
  } catch (error) {
    await stopServices();
    throw error;
  }
}

async function start(parameters: FleetParameters): Promise<Fleet> {
  const { webs: webCount = 3, readers: readerCount = 2, blockTime = 1, onProgress = () => {} } = parameters;
  const directory = join(rootDirectory, ".local", parameters.name);
  const logDirectory = join(directory, "logs");
  const deploymentFile = join(directory, "deployment.json");
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });

  onProgress("Starting the chain and deploying the contracts");
  const chainPort = await getPort();
  const stateFile = join(directory, "chain.json");
  const chain = await supervise("chain", (number) =>
    startAnvil({
      ...{ port: chainPort, stateFile, logDirectory, name: `chain.${number}` },
      // The deployment needs no pace.
      ...(number > 1 && { blockTime }),
    }),
  );
  const rpcUrl = chain.url;
  await deployContracts(rpcUrl, deploymentFile);
  const testClient = createTestClient({ chain: hardhat, mode: "anvil", transport: http(rpcUrl) });
  await testClient.setIntervalMining({ interval: blockTime });

  onProgress("Starting PostgreSQL");
  const database = await startPostgres({
    directory: join(directory, "postgres"),
    port: await getPort(),
    settings: { max_connections: String(MAX_CONNECTIONS) },
  });
  const urls = { rpcUrl, deploymentFile };

  onProgress("Starting the indexer and its readers");
  const startIndexer = async (name: string, command: "start" | "serve") => {
    const port = await getPort();
    return supervise(name, async (number) => {
      const server = await spawnIndexer({
        ...{ ...urls, command, port, logDirectory, name: `${name}.${number}` },
        database: { DATABASE_URL: database.url },
        environment: background,
      });
      await waitUntilReady(server.service, READY_SECONDS, () => answers(`${server.url}/search?limit=1`));
      return server;
    });
  };
  const writer = await startIndexer("writer", "start");
  const readers = await Promise.all(
    numbered("reader", readerCount).map((name) => startIndexer(name, "serve")),
  );

  onProgress("Starting the worker, the web processes and the proxy");
  const issuing = {
    ...background,
    ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX),
    // A soak attests more in an hour than the default pays for.
    ISSUER_SPENDING_CAP: "1000",
  };
  const metricsPort = await getPort();
  const worker = await supervise("worker", (number) =>
    startWorker({
      ...{ ...urls, databaseUrl: database.url, metricsPort, environment: issuing },
      ...{ logDirectory, name: `worker.${number}` },
    }),
  );
  const proxyPort = await getPort();
  const webs = await Promise.all(
    numbered("web", webCount).map(async (name, index) => {
      const port = await getPort();
      const order = [...readers.slice(index % readerCount), ...readers.slice(0, index % readerCount)];
      return supervise(name, (number) =>
        startWeb({
          ...{ ...urls, command: "start", port, logDirectory, name: `${name}.${number}` },
          indexerUrl: order.map(({ url }) => url).join(","),
          nextDirectory: parameters.nextDirectory,
          environment: {
            ...issuing,
            DATABASE_URL: database.url,
            PUBLIC_URL: `http://localhost:${proxyPort}`,
            TRUSTED_PROXIES: "1",
          },
        }),
      );
    }),
  );
  const proxy = await startProxy({ port: proxyPort, upstreams: webs.map(({ url }) => url), logDirectory });

  const parts = { web: webs, reader: readers, writer: [writer], worker: [worker] };
  return {
    ...{ ...urls, webUrl: proxy.url, indexerUrl: readers[0]?.url ?? writer.url, logDirectory, blockTime },
    ...{ database, chain, proxy, parts },
    restartChain: () => chain.restart(endInOrder),
    async stop() {
      await proxy.service.stop();
      for (const part of [...Object.values(parts).flat(), chain]) await part.stop();
      await database.stop();
    },
  };
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

/** Has Anvil write its chain, which may take longer than a guard waits before it kills. */
async function endInOrder({ service }: Server): Promise<void> {
  const leaf = (await processesOf(service)).at(-1);
  if (leaf !== undefined) process.kill(leaf, "SIGTERM");
  await service.ended;
}
