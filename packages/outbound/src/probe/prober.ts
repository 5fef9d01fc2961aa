import { getDidHost } from "@app-registry/sdk/internal";
import { getRateLimitGroup } from "../queue/jobQueue.ts";
import { getSite } from "../site.ts";

const DAY = 86_400;
const HOUR = 3_600;

/** Settings of a registry's prober. Limits are per day (UTC), times in seconds. */
export const PROBER = {
  /** Product token of the User-Agent, for use in a robots.txt. */
  token: "AppRegistryProber",
  version: "1.0",
  /** Maximum number of counted checks per host. A service's daily check of a host that its DID proves isn't counted. */
  perHost: 240,
  /** Maximum number of these whose DID does not prove the host. */
  perUnprovenHost: 24,
  /** Maximum number of counted checks per site. */
  perSite: 960,
  /** Maximum number of services with counted checks per holder. */
  perHolder: 240,
  /** Interval between checks of a service that responds. */
  interval: DAY,
  /** Maximum interval between checks of a service that does not respond. */
  longestInterval: 16 * DAY,
} as const;

/**
 * Returns the User-Agent of the prober.
 *
 * @param publicUrl Base URL of the registry's pages, which include one about the prober.
 * @example
 * proberUserAgent("https://registry.example"); // "AppRegistryProber/1.0 (+https://registry.example/prober)"
 */
export const proberUserAgent = (publicUrl: string): string =>
  `${PROBER.token}/${PROBER.version} (+${publicUrl}/prober)`;

/** Daily limit of checks for one subject. */
export type BudgetLimit = { subject: string; most: number };

/**
 * Lists the daily limits that a check of a host counts toward: none for the daily check of a host that the DID proves,
 * so that each of a platform's services is checked daily.
 *
 * @param host As returned by `getHost`
 * @param secondsSinceLast Time since the service was last checked, `undefined` before the first check
 */
export function getProbeBudget(
  did: string,
  host: string,
  secondsSinceLast = Number.POSITIVE_INFINITY,
): BudgetLimit[] {
  const { perHost, perUnprovenHost, perSite, interval } = PROBER;
  const proven = isProven(did, host);
  if (proven && secondsSinceLast >= interval / 2) return [];
  return [
    { subject: `host ${host}`, most: perHost },
    { subject: `site ${getRateLimitGroup(host)}`, most: perSite },
    ...(proven ? [] : [{ subject: `unproven host ${host}`, most: perUnprovenHost }]),
  ];
}

/**
 * Returns true if a DID proves a host: its own host or another one of the same site. The path of the DID is ignored.
 */
function isProven(did: string, host: string): boolean {
  const proven = getDidHost(did);
  if (proven === undefined) return false;
  const { hostname } = new URL(`https://${host}`);
  const site = getSite(proven);
  return hostname === proven || (site !== null && site === getSite(hostname));
}

/**
 * Returns the time of a service's next check, in Unix seconds. Checks are daily, at a time of day that depends on
 * `seed`, so that they are spread over the day. After a failure, the next check is after an hour, then daily, then at
 * doubling intervals.
 *
 * @param seed 32 bytes in hex, constant per service.
 * @param failures Number of consecutive failed checks.
 */
export function scheduleNextProbe(seed: string, now: number, failures: number): number {
  if (failures === 1) return now + HOUR;
  const { interval, longestInterval } = PROBER;
  const wait = Math.min(interval * 2 ** Math.max(0, failures - 2), longestInterval);
  const timeOfDay = (Number.parseInt(seed.slice(2, 10), 16) / 2 ** 32) * DAY;
  const earliest = now + wait - interval / 2;
  return Math.ceil((earliest - timeOfDay) / DAY) * DAY + timeOfDay;
}
