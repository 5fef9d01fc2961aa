import { readFileSync } from "node:fs";
import { type Index, openIndex } from "@app-registry/index/openIndex";
import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";
import {
  type AppRegistryClient,
  createAppRegistryClient,
  type Deployment,
  LOCAL_CHAIN_ID,
  parseDeployment,
} from "@app-registry/sdk";
import { LRUCache } from "lru-cache";
import { Pool } from "pg";
import { createPublicClient, fallback, type PublicClient } from "viem";
import { createDeadline } from "./async.ts";
import { type Environment, InvalidEnvironmentError } from "./environment.ts";
import { metrics } from "./metrics.ts";
import { rpcTransport } from "./rpcTransport.ts";

/** Time limit of a query, in milliseconds. It exceeds the issuer's wait for the lock of another process. */
const QUERY_TIMEOUT = 40_000;

/** Time limit of a probe, in milliseconds, each for connecting and for the query. */
const PROBE_TIMEOUT = 2_000;

/**
 * Creates a probe of PostgreSQL, which rejects if the database does not respond or is read-only (a standby). It has its
 * own connection, because queries on the other connections may wait for locks.
 */
export function createDatabaseProbe(connectionString: string): () => Promise<void> {
  const pool = new Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: PROBE_TIMEOUT,
    query_timeout: PROBE_TIMEOUT,
    allowExitOnIdle: true,
  });
  pool.on("error", () => undefined);
  return async () => {
    const { rows } = await pool.query("SELECT current_setting('transaction_read_only') = 'on' AS standby");
    if (rows[0].standby) throw new Error("The database is read-only.");
  };
}

/** Time limit for getting a connection, in milliseconds. It includes the wait for other requests in a burst. */
const CONNECTION_TIMEOUT = 15_000;

/**
 * Creates a pool of at most `connections` PostgreSQL connections, without connecting.
 *
 * @param options Settings of the connections, as for the command line of `postgres`
 */
export function connectDatabase(connectionString: string, connections: number, options?: string): Pool {
  const pool = new Pool({
    connectionString,
    ...(options && { options }),
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
  });
  // Handle the error of a broken idle connection: unhandled, it would end the process. The next query reconnects.
  pool.on("error", () => {
    console.warn(JSON.stringify({ level: "warn", event: "database connection lost" }));
  });
  return pool;
}

/**
 * Reads the deployment file of a configuration.
 * @throws {InvalidEnvironmentError} if the file can't be read or is for another chain.
 * @throws {InvalidDeploymentError} if its content is invalid.
 * @throws {AbiMismatchError} if the deployment has other contracts.
 */
export function readDeployment({
  deploymentFile,
  chainId,
}: Pick<Environment, "deploymentFile" | "chainId">): Deployment {
  let text: string;
  try {
    text = readFileSync(deploymentFile, "utf8");
  } catch {
    throw new InvalidEnvironmentError([
      `DEPLOYMENT_FILE ${deploymentFile} can't be read: deploy the contracts first`,
    ]);
  }
  const deployment = parseDeployment(text);
  if (deployment.chainId === chainId) return deployment;
  throw new InvalidEnvironmentError([
    `CHAIN_ID is ${chainId}, but ${deploymentFile} is a deployment on chain ${deployment.chainId}`,
  ]);
}

/** Time after which the RPC is asked again, and most that the first caller waits for it, in milliseconds. */
const AGE_MS = 1_000;

/**
 * Creates a function that returns the number of the chain's blocks after a block, about a second old at most, or null
 * while the RPC is unavailable. Only its first call waits for the RPC, at most a second.
 */
export function watchLag(
  client: Pick<PublicClient, "getBlockNumber">,
): (block: number) => Promise<number | null> {
  const read = () => createDeadline(AGE_MS)(client.getBlockNumber({ cacheTime: 0 }));
  const answers = new LRUCache<"head", { number: number | null }>({
    max: 1,
    ttl: AGE_MS,
    allowStale: true,
    fetchMethod: async () => ({ number: await read().then(Number, () => null) }),
  });
  return async (block) => {
    const { number = null } = (await answers.fetch("head")) ?? {};
    return number === null ? null : Math.max(0, number - block);
  };
}

/** Connections of a registry's process. */
export type Connections = {
  environment: Environment;
  deployment: Deployment;
  publicClient: PublicClient;
  client: AppRegistryClient;
  guardedFetch: GuardedFetch;
  /** Database of the issuer, shared by all processes. */
  database: Pool;
  /** Rejects if the database does not respond. */
  probeDatabase(): Promise<void>;
  /** Index of the chain's events, which is only read. */
  index: Index;
  /** Returns the number of the chain's blocks after a block, or null while the RPC is unavailable. */
  readLag(block: number): Promise<number | null>;
  /** IDs of all configured chains, the registry's own first. */
  chainIds: readonly number[];
  /** Returns the client of a configured chain. */
  chainClient(chainId: number): PublicClient | undefined;
};

/** Maximum number of PostgreSQL connections per process. The issuer holds two while it sends and revalidates. */
const ISSUER_CONNECTIONS = 6;

/**
 * Creates the connections of a configuration, without sending a request.
 * @throws {InvalidEnvironmentError} if a file of the configuration is invalid.
 * @throws {InvalidDeploymentError} if the deployment file is invalid.
 * @throws {AbiMismatchError} if the deployment has other contracts.
 */
export function connect(environment: Environment): Connections {
  const { databaseUrl, chainId, allowLoopback } = environment;
  const deployment = readDeployment(environment);
  // Poll a local chain more often, because Hardhat mines immediately.
  const publicClient = createClient(environment.rpcUrls, chainId === LOCAL_CHAIN_ID ? 200 : 2_000);
  const chains = new Map<number, PublicClient>([[chainId, publicClient]]);
  for (const [id, rpcUrl] of environment.chainRpcUrls) chains.set(id, createClient([rpcUrl], 2_000));
  return {
    environment,
    deployment,
    publicClient,
    client: createAppRegistryClient({ deployment, publicClient }),
    guardedFetch: createGuardedFetch({
      // Allow more time locally: the stack requests itself, and its server compiles a route at the first request.
      ...(allowLoopback ? { allowLoopback, timeout: 30_000 } : {}),
      onAnswer: (outcome, seconds) => metrics().outbound(outcome, seconds),
    }),
    database: connectDatabase(databaseUrl, ISSUER_CONNECTIONS),
    probeDatabase: createDatabaseProbe(databaseUrl),
    index: openIndex({
      ...{ databaseUrl: environment.databaseReadUrl, schema: environment.databaseSchema, chainId },
    }),
    readLag: watchLag(publicClient),
    chainIds: [...chains.keys()],
    chainClient: (id) => chains.get(id),
  };
}

function createClient(rpcUrls: readonly string[], pollingInterval: number): PublicClient {
  const [only, ...others] = rpcUrls.map(rpcTransport);
  if (!only) throw new Error("A chain has an endpoint");
  const transport = others.length > 0 ? fallback([only, ...others]) : only;
  // Disable EIP-3668, because a contract could choose any host, even one behind this server's firewall.
  return createPublicClient({ transport, pollingInterval, ccipRead: false });
}
