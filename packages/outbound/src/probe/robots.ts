import { LRUCache } from "lru-cache";
import type { GuardedFetch, RedirectOptions } from "../fetch/guardedFetch.ts";
import { GuardedFetchError } from "../fetch/guardedFetchError.ts";
import { readRobotsRules } from "./robotsRules.ts";

/** Cache of robots.txt rules by origin, shared by all conversations of a process. */
export type RobotsCache = LRUCache<string, Rules>;
type Rules = {
  /** Returns the reason a URL must not be requested, or `undefined` if it may be. */
  refusalOf(url: string): string | undefined;
  size: number;
};

/** Lifetime of cached rules, in seconds. RFC 9309 recommends at most a day. */
const CACHE_SECONDS = 86_400;
const MAX_ORIGINS = 5_000;
/** Maximum length of a robots.txt, in characters. RFC 9309 requires at least 500 KiB. */
const MAX_RULES = 512_000;
/** Maximum length of all cached rules, and below of a URL to match, in characters. */
const MAX_CACHE_CHARACTERS = 16_000_000;
const MAX_URL = 2_048;

/** Creates a cache of robots.txt rules. @param now Clock in Unix seconds. */
export const createRobotsCache = (now: () => number): RobotsCache =>
  new LRUCache<string, Rules>({
    max: MAX_ORIGINS,
    maxSize: MAX_CACHE_CHARACTERS,
    sizeCalculation: ({ size }) => size,
    ttl: CACHE_SECONDS,
    ttlResolution: 0,
    perf: { now },
  });

/**
 * Makes a fetcher obey robots.txt (RFC 9309) before each request and each redirect. A missing file (4xx) allows
 * everything; a server error disallows everything.
 *
 * @param token Product token to match against `User-agent` lines.
 * @throws {GuardedFetchError} `robots-disallowed`, or the error of the request for robots.txt.
 */
export function withRobotsTxt(
  guardedFetch: GuardedFetch,
  { token, cache }: { token: string; cache: RobotsCache },
): GuardedFetch {
  async function allow(input: string | URL): Promise<void> {
    // Skip an invalid URL: the fetcher rejects it.
    if (!URL.canParse(String(input))) return;
    const url = new URL(input);
    const rules = cache.get(url.origin) ?? (await readRules(url.origin, guardedFetch, token));
    cache.set(url.origin, rules);
    const refusal = rules.refusalOf(url.href);
    if (refusal !== undefined) throw new GuardedFetchError("robots-disallowed", url, refusal);
  }
  const allowing = ({ onRedirect, ...hops }: RedirectOptions = {}): RedirectOptions => ({
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

const ALLOW_ALL: Rules = { refusalOf: () => undefined, size: 1 };
const disallowAll = (refusal: string): Rules => ({ refusalOf: () => refusal, size: 1 });

async function readRules(origin: string, { fetchDocument }: GuardedFetch, token: string): Promise<Rules> {
  const url = `${origin}/robots.txt`;
  try {
    const { text } = await fetchDocument(url, { accept: "text/plain, */*;q=0.1" });
    const rules = readRobotsRules(text.slice(0, MAX_RULES), token);
    return {
      refusalOf(asked) {
        if (asked.length > MAX_URL)
          return `URLs longer than ${MAX_URL} characters can't be matched against ${url}.`;
        return rules.isAllowed(asked) ? undefined : `${url} doesn't allow ${token}.`;
      },
      size: rules.size + 100,
    };
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const { status = 0, code } = error;
    if (status >= 500) return disallowAll(`${url} returned HTTP ${status}, so the host was not checked.`);
    if (code === "too-large") return disallowAll(`${url} is too large, so the host was not checked.`);
    // Without a readable file there are no rules, so everything is allowed.
    if (status >= 300 || code === "content-type" || code === "too-many-redirects") return ALLOW_ALL;
    throw error;
  }
}
