import { AppRegistryError } from "@app-registry/sdk";
import { getHost } from "./getHost.ts";
import type { GuardedFetch, RedirectOptions } from "./guardedFetch.ts";
import { GuardedFetchError, readRetryAfter } from "./guardedFetchError.ts";

/** A host is kept that long for a request that never comes to its end, in seconds. */
export const HOST_LEASE_SECONDS = 60;

/** Most requests of a conversation that redirects lead to another host: a server could send each of ours to a victim. */
const MAX_CROSS_HOST_REDIRECTS = 20;

/** The host was contacted a moment ago or is being contacted, so it isn't contacted now. */
export class HostBusyError extends AppRegistryError {
  override readonly name = "HostBusyError";
  /** As `getHost` names it. */
  readonly host: string;

  constructor(host: string) {
    super(`${host} was checked recently or is being checked now.`, {
      action: "Try again later.",
      retryable: true,
    });
    this.host = host;
  }
}

/** Remembers which hosts are being asked or spared. */
export type HostLeases = {
  /** Takes a host until a time. @returns false when it is not free now. */
  acquireHost(host: string, now: number, until: number): Promise<boolean>;
  /** Says when a host that was taken is free. */
  extendHostLease(host: string, until: number): Promise<void>;
};

/** A request that is not made now: its job is due again at a time of the queue's own unit. */
export class PostponedError extends AppRegistryError {
  override readonly name = "PutOffError";
  readonly dueAt: number;

  constructor(message: string, dueAt: number) {
    super(message, { action: "Try again later.", retryable: true });
    this.dueAt = dueAt;
  }
}

type PoliteFetchOptions = {
  store: HostLeases;
  /** Pause between two conversations with a host. */
  spacing: number;
  /** The longest that a host's `Retry-After` is obeyed. */
  longestPause: number;
  now: () => number;
  /** Units that a second has in all these times. Default 1,000: they are milliseconds. */
  second?: number;
  /** A host that the caller has taken, and keeps for as many requests as it makes. */
  taken?: string;
};

/** A fetcher for one conversation. */
export type PoliteFetch = GuardedFetch & {
  /** From now on calls `allow` once for each host before it is asked; what it throws interrupts the conversation. */
  guard(allow: (host: string) => Promise<void>): void;
  /**
   * Throws what interrupted the conversation, HostBusyError or what `allow` threw. Protocol clients wrap what their
   * fetch throws, so whoever handed the fetcher to one asks here.
   */
  throwIfInterrupted(): void;
};

/**
 * Has a fetcher hold one conversation at a time with each host, with a pause of `spacing` between two, and none before
 * the time that its `Retry-After` names. Within a conversation, requests follow one another; only streams of events stay
 * open. A host that a redirect leads to is spared as the first one is.
 * @throws HostBusyError from its requests instead of waiting, and GuardedFetchError `too-many-requests` for a host that
 * asked to be left alone within this conversation.
 */
export function createPoliteFetch(
  guardedFetch: GuardedFetch,
  { store, spacing, longestPause, now, second = 1_000, taken }: PoliteFetchOptions,
): PoliteFetch {
  /** Until when each host is this conversation's. */
  const own = new Map<string, number>();
  const paused = new Set<string>();
  let allow: (host: string) => Promise<void> = async () => undefined;
  const allowed = new Set<string>();
  let detours = 0;
  let interruption: { cause: unknown } | undefined;
  const interrupt = (cause: unknown): never => {
    interruption ??= { cause };
    throw cause;
  };

  async function hold(host: string, until: number): Promise<void> {
    own.set(host, until);
    await store.extendHostLease(host, until);
  }

  async function take(url: string | URL): Promise<string> {
    const host = getHost(url);
    // A URL without a host is refused by the fetcher before anything is asked.
    if (host === "") return host;
    if (paused.has(host)) {
      throw new GuardedFetchError(
        "too-many-requests",
        url,
        `${host} asked us to wait before sending more requests.`,
      );
    }
    const until = now() + HOST_LEASE_SECONDS * second;
    if (host === taken) own.set(host, until);
    else if ((own.get(host) ?? 0) > now()) await hold(host, until);
    else if (await store.acquireHost(host, now(), until)) own.set(host, until);
    else interrupt(new HostBusyError(host));
    if (!allowed.has(host)) {
      await allow(host).catch(async (refusal) => {
        await hold(host, now());
        interrupt(refusal);
      });
      allowed.add(host);
    }
    return host;
  }

  /** Sends a request to its host, and to those that it redirects to, and spares them all afterwards. */
  async function send<Answer>(
    url: string | URL,
    { onRedirect: onHop }: RedirectOptions,
    request: (onRedirect: (to: URL) => Promise<void>) => Promise<Answer>,
    retryAfterOf: (answer: Answer) => number | undefined,
  ): Promise<Answer> {
    const asked = [await take(url)];
    let retryAfter: number | undefined;
    try {
      const answer = await request(async (to) => {
        await onHop?.(to);
        if (getHost(to) !== asked.at(-1) && ++detours > MAX_CROSS_HOST_REDIRECTS) {
          throw new GuardedFetchError(
            "too-many-requests",
            to,
            `Too many redirects: ${to.host} was not followed.`,
          );
        }
        asked.push(await take(to));
      });
      retryAfter = retryAfterOf(answer);
      return answer;
    } catch (error) {
      if (error instanceof GuardedFetchError) retryAfter = error.retryAfter;
      throw error;
    } finally {
      // The last answer comes from the last host.
      const last = asked.at(-1);
      for (const host of new Set(asked)) {
        if (host === "") continue;
        const isTold = host === last && retryAfter !== undefined;
        // A request that began before the host asked for a pause doesn't shorten it.
        if (paused.has(host) && !isTold) continue;
        if (isTold) paused.add(host);
        const told = isTold ? Math.min((retryAfter ?? 0) * second, longestPause) : 0;
        await hold(host, now() + Math.max(spacing, told));
      }
    }
  }

  /** The plain requests of one fetch, one after the other. */
  function serializeRequests(fetch: GuardedFetch["fetch"]): GuardedFetch["fetch"] {
    let last: Promise<unknown> = Promise.resolve();
    return (input, init = {}, hops = {}) => {
      const ask = () => send(input, hops, (onRedirect) => fetch(input, init, { onRedirect }), retryAfterIn);
      // Some servers send the headers of a stream with its first event.
      if (/^text\/event-stream/.test(new Headers(init.headers).get("accept") ?? "")) return ask();
      const sent = last.then(ask);
      last = sent.catch(() => undefined);
      return sent;
    };
  }

  return {
    ...guardedFetch,
    fetch: serializeRequests(guardedFetch.fetch),
    openSession() {
      const session = guardedFetch.openSession();
      return { ...session, fetch: serializeRequests(session.fetch) };
    },
    fetchDocument: (url, options = {}) =>
      send(
        url,
        options,
        (onRedirect) => guardedFetch.fetchDocument(url, { ...options, onRedirect }),
        () => undefined,
      ),
    guard(check) {
      allow = check;
      allowed.clear();
    },
    throwIfInterrupted() {
      if (interruption) throw interruption.cause;
    },
  };
}

const retryAfterIn = ({ status, headers }: Response): number | undefined =>
  status === 429 || status === 503 ? readRetryAfter(headers.get("retry-after")) : undefined;
