import { type Did, getRelation, parseDid } from "@app-registry/sdk";
import { getRateLimitGroup } from "../queue/jobQueue.ts";
import { getSite } from "../site.ts";

const DAY = 86_400;
const HOUR = 3_600;

/** How a registry's prober behaves: limits of a day (UTC), and times in seconds. */
export const PROBER = {
  /** Product token of its User-Agent, which a robots.txt may name. */
  token: "AppRegistryProber",
  version: "1.0",
  /** Services of a day that are asked at one host. */
  perHost: 240,
  /** Of these, services whose DID does not prove the host. */
  perUnprovenHost: 24,
  /** Services of a day at one site. */
  perSite: 960,
  /** Services of a day of one holder. */
  perHolder: 240,
  /** Between two probes of a service that answers. */
  interval: DAY,
  /** The longest between two probes of one that does not. */
  longestInterval: 16 * DAY,
} as const;

/**
 * The User-Agent of the prober.
 *
 * @param publicUrl Where the registry's pages are, with one that explains the prober.
 * @example
 * proberUserAgent("https://registry.example"); // "AppRegistryProber/1.0 (+https://registry.example/prober)"
 */
export const proberUserAgent = (publicUrl: string): string =>
  `${PROBER.token}/${PROBER.version} (+${publicUrl}/prober)`;

/** Something of which a day has so many. */
export type BudgetLimit = { subject: string; most: number };

/** What a probe takes of the day's budget when it asks a host, as `getHost` names it. */
export function getProbeBudget(did: string, host: string): BudgetLimit[] {
  const { perHost, perUnprovenHost, perSite } = PROBER;
  return [
    { subject: `host ${host}`, most: perHost },
    { subject: `site ${getRateLimitGroup(host)}`, most: perSite },
    ...(isProven(parseDid(did), host) ? [] : [{ subject: `unproven host ${host}`, most: perUnprovenHost }]),
  ];
}

/** Whether a DID proves a host: itself, or another one of its site. A path of a host proves it as well as it can. */
function isProven(did: Did, host: string): boolean {
  if (did.method === "pkh") return false;
  const { method, host: proven } = did;
  const relation = getRelation({ did: did.did, method, host: proven, path: [] }, `https://${host}`, getSite);
  return relation === "same-host" || relation === "same-site";
}

/**
 * When a service is asked next, Unix seconds: daily at a time of day of its own, so that services are spread over the
 * day. One that did not answer is asked again after an hour, then every day, and less and less often.
 *
 * @param seed 32 bytes in hex, the same for a service at all times.
 * @param failures Probes in a row that found it dead.
 */
export function scheduleNextProbe(seed: string, now: number, failures: number): number {
  if (failures === 1) return now + HOUR;
  const { interval, longestInterval } = PROBER;
  const wait = Math.min(interval * 2 ** Math.max(0, failures - 2), longestInterval);
  const timeOfDay = (Number.parseInt(seed.slice(2, 10), 16) / 2 ** 32) * DAY;
  const earliest = now + wait - interval / 2;
  return Math.ceil((earliest - timeOfDay) / DAY) * DAY + timeOfDay;
}
