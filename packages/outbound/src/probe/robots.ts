import { LRUCache } from "lru-cache";
import type { GuardedFetch, RedirectOptions } from "../guardedFetch.ts";
import { GuardedFetchError } from "../guardedFetchError.ts";
import { readRobotsRules } from "./robotsRules.ts";

/** What origins allow; `undefined` of an origin in it: everything. Shared by the conversations of a process. */
export type RobotsCache = LRUCache<string, Rules>;
type Rules = {
  /** Why a URL is not asked; undefined if it may be. */
  refusalOf(url: string): string | undefined;
  size: number;
};

/** Seconds that a robots.txt counts; RFC 9309 allows a day. */
const CACHE_SECONDS = 86_400;
const MAX_ORIGINS = 5_000;
/** Characters of a robots.txt that are read; RFC 9309 asks for 500 KiB at least. */
const MAX_RULES = 512_000;
/** Characters of all rules that are kept, and of a URL that they are for. */
const MAX_CACHE_CHARACTERS = 16_000_000;
const MAX_URL = 2_048;

/** @param now Unix seconds. */
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
 * Has a fetcher obey robots.txt (RFC 9309) before each request and each redirect. Without one (4xx), everything is
 * allowed; while it can't be had for the server's fault, nothing is.
 *
 * @param token The product token that a `User-agent` line names.
 * @throws GuardedFetchError `robots-disallowed`; that of robots.txt itself for a host that does not answer.
 */
export function withRobotsTxt(
  guardedFetch: GuardedFetch,
  { token, cache }: { token: string; cache: RobotsCache },
): GuardedFetch {
  async function allow(input: string | URL): Promise<void> {
    // What is no URL is the fetcher's to refuse.
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
    // An answer without a text is an answer without rules.
    if (status >= 300 || code === "content-type" || code === "too-many-redirects") return ALLOW_ALL;
    throw error;
  }
}
