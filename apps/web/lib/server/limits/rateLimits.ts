import type { Environment } from "@app-registry/server/environment";
import { metrics } from "@app-registry/server/metrics";
import { once } from "@app-registry/server/once";
import {
  defaultLimits,
  type LimitName,
  limitsPerProcess,
  RATE_LIMIT_WINDOW_SECONDS,
} from "@app-registry/server/quotas";
import type { Pool } from "pg";
import { ApiProblem } from "../problem.ts";
import { registry } from "../registry.ts";
import { clientAddress } from "./clientAddress.ts";
import { createRateLimiter, LimitStoreError, type Quota, type RateLimiter } from "./rateLimiter.ts";

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
