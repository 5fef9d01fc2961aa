import { LRUCache } from "lru-cache";
import robotsParser, { type Robot } from "robots-parser";
import type { GuardedFetch, HopOptions } from "../guardedFetch.ts";
import { GuardedFetchError } from "../guardedFetchError.ts";

/** What origins allow; `undefined` of an origin in it: everything. Shared by the conversations of a process. */
export type RobotsCache = LRUCache<string, Rules>;
type Rules = { isAllowed(url: string): boolean; refusal: string };

/** Seconds that a robots.txt counts; RFC 9309 allows a day. */
const KEPT = 86_400;
const MAX_ORIGINS = 5_000;

/** @param now Unix seconds. */
export const createRobotsCache = (now: () => number): RobotsCache =>
  new LRUCache<string, Rules>({
    max: MAX_ORIGINS,
    ttl: KEPT,
    ttlResolution: 0,
    perf: { now },
  });

/**
 * Has a fetcher obey robots.txt (RFC 9309) before each request and each redirect. Without one (4xx), everything is
 * allowed; while it can't be had for the server's fault, nothing is.
 *
 * @param token The product token that a `User-agent` line names.
 * @throws GuardedFetchError `robots-disallowed`; that of robots.txt itself for a host that does not answer.
 */
export function obeyRobots(
  guardedFetch: GuardedFetch,
  { token, cache }: { token: string; cache: RobotsCache },
): GuardedFetch {
  async function allow(input: string | URL): Promise<void> {
    // What is no URL is the fetcher's to refuse.
    if (!URL.canParse(String(input))) return;
    const url = new URL(input);
    const rules = cache.get(url.origin) ?? (await readRules(url.origin, guardedFetch, token));
    cache.set(url.origin, rules);
    if (!rules.isAllowed(url.href)) throw new GuardedFetchError("robots-disallowed", url, rules.refusal);
  }
  const allowing = ({ onRedirect, ...hops }: HopOptions = {}): HopOptions => ({
    ...hops,
    async onRedirect(to) {
      await onRedirect?.(to);
      await allow(to);
    },
  });
  const obeying =
    (fetch: GuardedFetch["fetch"]): GuardedFetch["fetch"] =>
    async (input, init, hops) => {
      await allow(input);
      return fetch(input, init, allowing(hops));
    };
  return {
    ...guardedFetch,
    fetch: obeying(guardedFetch.fetch),
    openSession() {
      const session = guardedFetch.openSession();
      return { ...session, fetch: obeying(session.fetch) };
    },
    async fetchDocument(url, options = {}) {
      await allow(url);
      return guardedFetch.fetchDocument(url, { ...options, ...allowing(options) });
    },
  };
}

const everything: Rules = { isAllowed: () => true, refusal: "" };

async function readRules(origin: string, { fetchDocument }: GuardedFetch, token: string): Promise<Rules> {
  const url = `${origin}/robots.txt`;
  try {
    const { text } = await fetchDocument(url, { accept: "text/plain, */*;q=0.1" });
    const robots: Robot = robotsParser(url, text);
    return {
      isAllowed: (asked) => robots.isAllowed(asked, token) !== false,
      refusal: `${url} asks ${token} not to.`,
    };
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const { status = 0, code } = error;
    if (status >= 500) {
      return {
        isAllowed: () => false,
        refusal: `${url} answers with HTTP status ${status}, so nothing else is asked.`,
      };
    }
    // An answer without a text is an answer without rules.
    if (status >= 300 || code === "content-type" || code === "too-many-redirects") return everything;
    throw error;
  }
}
