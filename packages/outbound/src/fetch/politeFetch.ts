import { AppRegistryError } from "@app-registry/sdk";
import type { GuardedFetch, RedirectOptions } from "./guardedFetch.ts";
import { GuardedFetchError, readRetryAfter } from "./guardedFetchError.ts";
import { getHost } from "./hosts.ts";

/** Creates a lock that runs one task at a time per key, in the order of the calls. */
export function createKeyedLock(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const current = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, current);
    const forget = () => {
      if (last.get(key) === current) last.delete(key);
    };
    current.then(forget, forget);
    return current;
  };
}

/** Lease of a host during a request, in seconds. It frees the host if the request never completes. */
export const HOST_LEASE_SECONDS = 60;

/**
 * Maximum number of redirects to other hosts per conversation. A server could redirect all our requests to a victim.
 */
const MAX_CROSS_HOST_REDIRECTS = 20;

/** Error for a host that another conversation uses, or that was contacted too recently. */
export class HostBusyError extends AppRegistryError {
  override readonly name = "HostBusyError";
  /** Host as returned by `getHost`. */
  readonly host: string;

  constructor(host: string) {
    super(`${host} was checked recently or is being checked now.`, {
      action: "Try again later.",
      retryable: true,
    });
    this.host = host;
  }
}

/** Store of the leases that limit requests to each host. */
export type HostLeases = {
  /** Acquires the lease of a host. Returns false if the host is not free. */
  acquireHost(host: string, now: number, until: number): Promise<boolean>;
  /** Sets the end of an acquired lease. */
  extendHostLease(host: string, until: number): Promise<void>;
};

/** Error that postpones a job. `dueAt` is its next due time in the queue's unit. */
export class PostponedError extends AppRegistryError {
  override readonly name = "PostponedError";
  readonly dueAt: number;

  constructor(message: string, dueAt: number) {
    super(message, { action: "Try again later.", retryable: true });
    this.dueAt = dueAt;
  }
}

type PoliteFetchOptions = {
  store: HostLeases;
  /** Minimum pause between two conversations with a host. */
  spacing: number;
  /** Maximum pause for a host's `Retry-After`. */
  longestPause: number;
  now: () => number;
  /** Number of time units per second. Default 1,000, for milliseconds. */
  second?: number;
  /** Host whose lease the caller has just acquired. */
  taken?: string;
};

/** Rate-limited fetcher for one conversation. */
export type PoliteFetch = GuardedFetch & {
  /** Sets a check that runs once per host, before its first request. An error that it throws ends the conversation. */
  guard(allow: (host: string) => Promise<void>): void;
  /**
   * Throws the error that ended the conversation: `HostBusyError`, or that of `allow`. Call it after passing the
   * fetcher to a protocol client, because clients wrap the errors of their `fetch`.
   */
  throwIfInterrupted(): void;
};

/**
 * Limits a fetcher to one conversation at a time with each host, with a pause of at least `spacing` between two, or as
 * long as its `Retry-After` requires. Sends the requests of a conversation one after the other, except event streams.
 * Applies the same limits to the targets of redirects.
 * @throws {HostBusyError} from its requests if the host is not free. They never wait.
 * @throws {GuardedFetchError} `too-many-requests` from its requests if the host sent `Retry-After` in this
 * conversation.
 */
export function createPoliteFetch(
  guardedFetch: GuardedFetch,
  { store, spacing, longestPause, now, second = 1_000, taken }: PoliteFetchOptions,
): PoliteFetch {
  const leaseEnd = () => now() + HOST_LEASE_SECONDS * second;
  /** End of this conversation's lease, by host. */
  const own = new Map<string, number>(taken === undefined ? [] : [[taken, leaseEnd()]]);
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
    // Take no lease: the fetcher rejects a URL without a host before it sends a request.
    if (host === "") return host;
    if (paused.has(host)) {
      throw new GuardedFetchError(
        "too-many-requests",
        url,
        `${host} asked us to wait before sending more requests.`,
      );
    }
    const until = leaseEnd();
    if ((own.get(host) ?? 0) > now()) await hold(host, until);
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

  /** Sends a request with the leases of its host and of all redirect targets. Sets their pauses when it ends. */
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
      // Apply `Retry-After` only to the last host, which sent the response.
      const last = asked.at(-1);
      for (const host of new Set(asked)) {
        if (host === "") continue;
        const isTold = host === last && retryAfter !== undefined;
        // Keep the pause if this request started before the host asked for it.
        if (paused.has(host) && !isTold) continue;
        if (isTold) paused.add(host);
        const told = isTold ? Math.min((retryAfter ?? 0) * second, longestPause) : 0;
        await hold(host, now() + Math.max(spacing, told));
      }
    }
  }

  /** Sends the requests of a fetch one after the other, except event streams. */
  function serializeRequests(fetch: GuardedFetch["fetch"]): GuardedFetch["fetch"] {
    const lock = createKeyedLock();
    return (input, init = {}, hops = {}) => {
      const ask = () => send(input, hops, (onRedirect) => fetch(input, init, { onRedirect }), retryAfterIn);
      // Don't queue event streams: some servers delay the headers until the first event.
      const isStream = /^text\/event-stream/.test(new Headers(init.headers).get("accept") ?? "");
      return isStream ? ask() : lock("", ask);
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
