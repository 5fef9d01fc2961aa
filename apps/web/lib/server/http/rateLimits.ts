import { createHash } from "node:crypto";
import { createDeadline, once } from "@app-registry/server/async";
import type { Environment } from "@app-registry/server/environment";
import { metrics } from "@app-registry/server/metrics";
import {
  defaultLimits,
  type LimitName,
  limitsPerProcess,
  RATE_LIMIT_WINDOW_SECONDS,
} from "@app-registry/server/variables";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { registry } from "../registry.ts";
import { ApiProblem } from "./problem.ts";

/** Shared key of all clients whose address is unknown. Together they have the limits of one client. */
export const UNKNOWN_CLIENT = "unknown";

/**
 * Returns the address that a client is counted under: an IPv4 address or the /64 network of an IPv6 address, which one
 * household or server has to itself. With `n` trusted proxies, uses the entry of `X-Forwarded-For` that the outermost
 * one added: the nth from the end. Without trusted proxies, anybody can write the header, so all clients have one key.
 */
export function clientAddress(request: Pick<Request, "headers">, trustedProxies: number): string {
  if (trustedProxies === 0) return UNKNOWN_CLIENT;
  const entries = (request.headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return toClientNetwork(entries.at(-trustedProxies));
}

/**
 * Returns the network of the clients that share a queue: the IPv6 /48, because one site can have all of its 65,536
 * networks.
 */
export function getSite(client: string): string {
  const [address, bits] = client.split("/");
  return bits ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString() : client;
}

/** Address with a port, which some proxies add: `203.0.113.9:1234` or `[2001:db8::1]:1234`. */
const ADDRESS_WITH_PORT = /^(?:([\d.]+):|\[([\da-f:.]+)\]:)\d+$/i;

function toClientNetwork(entry = ""): string {
  const [, v4, v6] = ADDRESS_WITH_PORT.exec(entry) ?? [];
  const text = v4 ?? v6 ?? entry;
  if (!ipaddr.isValid(text)) return UNKNOWN_CLIENT;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  const [network] = ipaddr.parseCIDR(`${address.toString()}/64`);
  const masked = ipaddr.IPv6.networkAddressFromCIDR(`${network.toString()}/64`);
  return `${masked.toString()}/64`;
}

/** Maximum number of requests within a window. */
export type RateLimitPolicy = {
  name: string;
  /** Requests in a window. */
  quota: number;
  /** Length of the window, in seconds. */
  window: number;
};

/** Remaining quota of one key after a request. */
export type Quota = {
  policy: RateLimitPolicy;
  refused: boolean;
  /** Number of remaining requests, at least 0. */
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  reset: number;
};

export type RateLimiter = {
  /**
   * Counts a request of a key, or `points` requests (default 1). Over the quota, all requests are refused until the
   * window ends; refused requests do not prolong it.
   * @throws LimitStoreError if the shared store is unavailable.
   */
  consume(key: string, points?: number): Promise<Quota>;
};

/** Error for an unavailable limit store, without which the used quota is unknown. */
class LimitStoreError extends Error {
  override readonly name = "LimitStoreError";

  constructor(cause: unknown) {
    super("The rate limit store is unavailable.", { cause });
  }
}

const SCHEMA = "app_registry_limits";

/**
 * Creates a limiter that counts in memory or, with a pool, in PostgreSQL for all processes that share it.
 *
 * @param timeout Time limit of the store, including the wait for a connection, in milliseconds
 */
export const createRateLimiter = (
  policy: RateLimitPolicy,
  pool: Pool | undefined,
  timeout = 10_000,
): RateLimiter => (pool ? createSharedLimiter(policy, pool, timeout) : createMemoryLimiter(policy));

/** Most keys in memory. Beyond them, the count of the one that asked least recently starts at zero. */
const MAX_KEYS = 50_000;

/** Creates a limiter that keeps nothing of a request but its key, whose number is bounded. */
function createMemoryLimiter(policy: RateLimitPolicy): RateLimiter {
  const counts = new LRUCache<string, { used: number; end: number }>({ max: MAX_KEYS });
  return {
    async consume(key, points = 1) {
      const now = performance.now();
      let count = counts.get(key);
      if (!count || count.end <= now) count = { used: 0, end: now + policy.window * 1_000 };
      count.used += points;
      counts.set(key, count);
      // Adding a fraction of a millisecond to the window rounds.
      const reset = Math.min(policy.window, Math.max(1, Math.ceil((count.end - now) / 1_000)));
      const left = policy.quota - count.used;
      return { policy, refused: left < 0, remaining: Math.max(0, left), reset };
    },
  };
}

function createSharedLimiter(policy: RateLimitPolicy, pool: Pool, timeout: number): RateLimiter {
  const open = once(() => openPostgres(policy, pool));
  return {
    async consume(key, points = 1) {
      const asked = open().then((limiter) => consume(limiter, hashKey(key), points));
      const { left, refused } = await createDeadline(timeout)(asked).catch((error) => {
        throw new LimitStoreError(error);
      });
      const reset = Math.max(1, Math.ceil(left.msBeforeNext / 1_000));
      return { policy, refused, remaining: left.remainingPoints, reset };
    },
  };
}

async function openPostgres(
  { name, quota, window }: RateLimitPolicy,
  pool: Pool,
): Promise<RateLimiterPostgres> {
  // The library creates its table only at its start and never retries. Two processes that create it at the same time
  // would collide.
  await pool.query(
    `SELECT pg_advisory_xact_lock(hashtext('${SCHEMA}'));
     CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
     CREATE TABLE IF NOT EXISTS ${SCHEMA}.used (
       key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint);`,
  );
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    schemaName: SCHEMA,
    tableName: "used",
    tableCreated: true,
    keyPrefix: name,
    points: quota,
    duration: window,
    // Keys over the quota cost no further query.
    inMemoryBlockOnConsumed: quota + 1,
  });
}

type Answer = { left: RateLimiterRes; refused: boolean };

/**
 * Consumes points. The library rejects for refused keys, and its counts are zero for keys that it refuses from memory,
 * so the counts cannot show a refusal.
 */
async function consume(limiter: RateLimiterPostgres, key: string, points: number): Promise<Answer> {
  try {
    return { left: await limiter.consume(key, points), refused: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { left: error, refused: true };
    throw error;
  }
}

/** Hashes a key to a fixed length, so that a shared database reveals no client addresses. */
function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

export type RateLimits = {
  /**
   * Counts a request, or `points` requests. Returns `undefined` if the limit is off, or if its store is unavailable and
   * the limit only protects reads.
   */
  consume(name: LimitName, key: string, points?: number): Promise<Quota | undefined>;
  clientAddress(request: Pick<Request, "headers">): string;
};

/**
 * Returns true for limits on requests that cost money: they are refused while the store is unavailable. Reads continue.
 */
const failsClosed = (name: LimitName): boolean => name.startsWith("attest");

/** Longest wait for the store before a read continues uncounted, in milliseconds. */
const READ_STORE_TIMEOUT_MS = 1_000;

/** Returns a limit's name for headers: `attestChecksHost` becomes `attest-checks-host`. */
const policyName = (name: string): string => name.replace(/[A-Z]/g, "-$&").toLowerCase();

/** Returns what a limit counts requests by, for its refusals. */
const countedBy = (name: string): string =>
  name === "attestHost" ? "wallet and host" : policyName(name).replace(/^.*-/, "");

/** Creates the limits of a server: in memory for what only this process spends, otherwise in PostgreSQL. */
export function createRateLimits(
  {
    rateLimits,
    trustedProxies,
    webProcesses,
  }: Pick<Environment, "rateLimits" | "trustedProxies" | "webProcesses">,
  pool: Pool | undefined,
): RateLimits {
  const limiters = new Map<LimitName, RateLimiter>();
  for (const name of Object.keys(defaultLimits) as LimitName[]) {
    const set = rateLimits[name];
    if (set === undefined) continue;
    const ownStore = limitsPerProcess.has(name);
    const quota = ownStore ? Math.ceil(set / webProcesses) : set;
    const policy = { name, quota, window: RATE_LIMIT_WINDOW_SECONDS };
    const timeout = failsClosed(name) ? undefined : READ_STORE_TIMEOUT_MS;
    limiters.set(name, createRateLimiter(policy, ownStore ? undefined : pool, timeout));
  }
  return {
    clientAddress: (request) => clientAddress(request, trustedProxies),
    async consume(name, key, points) {
      try {
        return await limiters.get(name)?.consume(key, points);
      } catch (error) {
        if (!(error instanceof LimitStoreError)) throw error;
        if (!failsClosed(name)) return undefined;
        throw new ApiProblem(503, "limits-unavailable", "Rate limits unavailable", { retryable: true });
      }
    },
  };
}

/** Creates the problem for a request over its limit. */
export function createRateLimitProblem(refused: Quota): ApiProblem {
  const { policy, reset } = refused;
  metrics().limited(policy.name);
  const { quota, window } = policy;
  return new ApiProblem(429, "rate-limited", "Too many requests", {
    detail: `The limit is ${quota} requests per ${window / 60} minutes per ${countedBy(policy.name)}. Try again in ${reset} seconds.`,
    retryable: true,
    retryAfter: reset,
  });
}

/**
 * Returns `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), with one member per limit.
 * Clients match the members of both headers by their names.
 */
export function rateLimitHeaders(quotas: readonly Quota[]): [string, string][] {
  if (quotas.length === 0) return [];
  const members = (parameters: (quota: Quota) => string) =>
    quotas.map((quota) => `"${policyName(quota.policy.name)}";${parameters(quota)}`).join(", ");
  return [
    ["ratelimit-policy", members(({ policy }) => `q=${policy.quota};w=${policy.window}`)],
    ["ratelimit", members(({ remaining, reset }) => `r=${remaining};t=${reset}`)],
  ];
}

/** Returns the limits of this process. */
export const rateLimits = once(() => createRateLimits(registry().environment, registry().limitsDatabase));
