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
import { collectMessages, createKeyRedactor } from "@app-registry/sdk/internal";
import { LRUCache } from "lru-cache";
import { Pool } from "pg";
import { Agent, interceptors, request } from "undici";
import {
  createPublicClient,
  fallback,
  type HttpTransport,
  http,
  type PublicClient,
  RpcRequestError,
  withRetry,
} from "viem";
import { createDeadline, TtlCache } from "./async.ts";
import { type Environment, InvalidEnvironmentError } from "./environment.ts";
import { metrics } from "./metrics.ts";

/** Time limit of a request, in milliseconds. A slower RPC counts as unavailable. */
const RPC_TIMEOUT = 8_000;

/**
 * Lifetime of cached reads at a block number, in milliseconds, so that the parts of a page and pages at the same block
 * share them. Short, because a reorganization assigns the number to another block.
 */
const CACHE_TTL_MS = 1_000;
/** Maximum number of cached results, enough for some pages. The largest contain a document. */
const MAX_CACHED_ANSWERS = 300;

/**
 * Error messages of nodes for a missing block, after another node of the same endpoint returned its number or during a
 * reorganization. JSON-RPC has no error code for it.
 */
const UNKNOWN_BLOCK_ERROR =
  /header not found|unknown block|invalid block tag|block height is|block\b.*(not found|out of range|not available)/i;
/** Retries for a missing block: their number, and the delay in milliseconds. */
const UNKNOWN_BLOCK_RETRY = { retryCount: 3, delay: 300 };

/** Returns true if a contract chose the message of an error: nodes include its revert reason (code 3). */
function isRevert(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RpcRequestError && cause.code === 3) return true;
  return false;
}

/** HTTP dispatcher. Used instead of `fetch`, which would take most of the time of a page with a dozen requests. */
const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));

function hasBlockNumber({ method, params }: { method: string; params?: unknown }): boolean {
  const [first, second] = Array.isArray(params) ? params : [];
  const numbers: Record<string, unknown[]> = {
    eth_call: [second],
    eth_getBlockByNumber: [first],
    eth_getLogs: [first?.fromBlock, first?.toBlock],
  };
  return numbers[method]?.every((block) => typeof block === "string" && block.startsWith("0x")) ?? false;
}

async function post(url: string, init: RequestInit | undefined) {
  const { body, ...answer } = await request(url, {
    dispatcher,
    method: "POST",
    headers: init?.headers as Record<string, string>,
    body: String(init?.body),
    signal: init?.signal ?? null,
  });
  return { ...answer, text: await body.text() };
}

/**
 * Creates a transport for an RPC over HTTP. Removes parts of the URL that may be an API key from errors, because some
 * RPCs include the key in their errors, which responses, pages and logs quote.
 */
export function rpcTransport(rpcUrl: string): HttpTransport {
  const withoutKeys = createKeyRedactor(rpcUrl);
  const fetchFn: typeof fetch = async (input, init) => {
    const startedAt = performance.now();
    const count = (outcome: string) => metrics().rpc(outcome, (performance.now() - startedAt) / 1_000);
    const { statusCode, statusText, headers, text } = await post(String(input), init).catch((error) => {
      count("unreachable");
      throw error;
    });
    const isPlain = statusCode < 300 && !text.includes('"error"');
    count(isPlain ? "answered" : "error");
    const shown = isPlain ? text : withoutKeys(text);
    const retryAfter = headers["retry-after"];
    return new Response(shown, {
      status: statusCode,
      statusText,
      headers: {
        "content-type": String(headers["content-type"] ?? ""),
        ...(retryAfter && { "retry-after": String(retryAfter) }),
      },
    });
  };
  const transport = http(rpcUrl, { batch: true, timeout: RPC_TIMEOUT, retryCount: 1, fetchFn });
  const answers = new TtlCache<unknown>(MAX_CACHED_ANSWERS, CACHE_TTL_MS);
  return (parameters) => {
    const opened = transport(parameters);
    const ask = (call: { method: string; params?: unknown }, options?: object) => {
      const send = (): Promise<unknown> => opened.request(call, options);
      if (!hasBlockNumber(call)) return send();
      const shouldRetry = ({ error }: { error: Error }) =>
        !isRevert(error) && UNKNOWN_BLOCK_ERROR.test(collectMessages(error));
      const patiently = () => withRetry(send, { ...UNKNOWN_BLOCK_RETRY, shouldRetry });
      return answers.get(JSON.stringify(call), patiently);
    };
    return { ...opened, request: ask as typeof opened.request };
  };
}

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
