import { LRUCache } from "lru-cache";
import robotsParser from "robots-parser";
import type { GuardedFetch, RedirectOptions } from "../fetch/guardedFetch.ts";
import { GuardedFetchError } from "../fetch/guardedFetchError.ts";

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

/** Maximum number of rules that the parser stores for all agents, and of its steps to match one URL. */
const MAX_STORED_RULES = 100_000;
const MAX_STEPS = 10_000_000;

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
    const rules = text.slice(0, MAX_RULES);
    const { storedRules, steps } = measureRules(rules);
    const tooComplex = `${url} is too complex, so the host was not checked.`;
    if (storedRules > MAX_STORED_RULES) return disallowAll(tooComplex);
    const robots = robotsParser(url, rules);
    return {
      refusalOf(asked) {
        if (asked.length > MAX_URL)
          return `URLs longer than ${MAX_URL} characters can't be matched against ${url}.`;
        if (steps * asked.length > MAX_STEPS) return tooComplex;
        return robots.isAllowed(asked, token) === false ? `${url} doesn't allow ${token}.` : undefined;
      },
      size: rules.length + 100 * storedRules + 100,
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

/**
 * Counts the rules that the parser stores, each once per agent of its group, and the steps to match one character of a
 * URL: one per rule, or one per byte of a pattern with wildcards.
 */
function measureRules(text: string): { storedRules: number; steps: number } {
  let [storedRules, steps, agents, isHead] = [0, 0, 0, false];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { field = "", pattern = "" } = /^(?<field>[^#:]*):(?<pattern>[^#]*)/.exec(line)?.groups ?? {};
    const name = field.trim().toLowerCase();
    if (name === "") continue;
    if (name === "user-agent") agents = isHead ? agents + 1 : 1;
    else {
      storedRules += agents;
      steps += pattern.includes("*") ? Buffer.byteLength(pattern) : 1;
    }
    isHead = name === "user-agent";
  }
  return { storedRules, steps };
}
