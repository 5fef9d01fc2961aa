import { createHash } from "node:crypto";
import { createDeadline } from "@app-registry/server/deadline";
import { once } from "@app-registry/server/once";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

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
export class LimitStoreError extends Error {
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
