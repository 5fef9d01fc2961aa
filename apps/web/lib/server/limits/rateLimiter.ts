import { createHash } from "node:crypto";
import { createDeadline } from "@app-registry/server/deadline";
import { once } from "@app-registry/server/once";
import type { Pool } from "pg";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";

/** How often something may be done within a window. */
export type RateLimitPolicy = {
  name: string;
  /** Requests in a window. */
  quota: number;
  /** Seconds. */
  window: number;
};

/** What a policy has left for one key after a request. */
export type Quota = {
  policy: RateLimitPolicy;
  refused: boolean;
  /** Requests, at least 0. */
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  reset: number;
};

export type RateLimiter = {
  /**
   * Counts a request of a key, or as many as `points` (default 1). Over the quota, every further request is refused until the window ends; refused requests
   * do not prolong it.
   * @throws LimitStoreError when the store that processes share does not answer.
   */
  consume(key: string, points?: number): Promise<Quota>;
};

/** The store of the limits does not answer, so nobody knows what was used up. */
export class LimitStoreError extends Error {
  override readonly name = "LimitStoreError";

  constructor(cause: unknown) {
    super("The rate limit store is unavailable.", { cause });
  }
}

/** Milliseconds, including the wait for a connection; a store that takes longer counts as away. */
const STORE_TIMEOUT = 10_000;

const SCHEMA = "app_registry_limits";

/** Counts in this process's memory or, with a pool, in PostgreSQL for all processes that share it. */
export function createRateLimiter(policy: RateLimitPolicy, pool: Pool | undefined): RateLimiter {
  const { quota, window } = policy;
  const open = once(
    async (): Promise<RateLimiterAbstract> =>
      pool ? openPostgres(policy, pool) : new RateLimiterMemory({ points: quota, duration: window }),
  );
  return {
    async consume(key, points = 1) {
      const asked = open().then((limiter) => consume(limiter, hashKey(key), points));
      const { left, refused } = await createDeadline(STORE_TIMEOUT)(asked).catch((error) => {
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
): Promise<RateLimiterAbstract> {
  // The library makes its table once, at its start, and never again after a failure. Two processes that make it at
  // once would collide.
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
    // A key that is refused already costs no query.
    inMemoryBlockOnConsumed: quota + 1,
  });
}

type Answer = { left: RateLimiterRes; refused: boolean };

/** The library rejects what it refuses. Its counts don't tell: they are zero for a key that it refuses from memory. */
async function consume(limiter: RateLimiterAbstract, key: string, points: number): Promise<Answer> {
  try {
    return { left: await limiter.consume(key, points), refused: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { left: error, refused: true };
    throw error;
  }
}

/** Keys have one length, and a database that is read by others tells nobody's address. */
function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
