import { AppRegistryError } from "@app-registry/sdk";
import type { GuardedFetch } from "./guardedFetch.ts";
import { GuardedFetchError } from "./guardedFetchError.ts";
import { hostOf } from "./hostOf.ts";

/** A host is kept that long for a request that never comes to its end, in seconds. */
const LONGEST_REQUEST = 60;

/** The host was contacted a moment ago or is being contacted, so it isn't contacted now. */
export class HostBusyError extends AppRegistryError {
  override readonly name = "HostBusyError";
  /** As `hostOf` names it. */
  readonly host: string;

  constructor(host: string) {
    super(`${host} was asked of late, or is being asked now.`, {
      action: "Try again later.",
      retryable: true,
    });
    this.host = host;
  }
}

/** Remembers which hosts are being asked or spared. */
export type HostTurns = {
  /** Takes a host until a time. @returns false when it is not free now. */
  takeHost(host: string, now: number, until: number): Promise<boolean>;
  /** Says when a host that was taken is free. */
  holdHost(host: string, until: number): Promise<void>;
};

/**
 * Keeps the turns of hosts in a table with the columns `host` and `free_at`, and `scope` where there is one. Others that
 * share the table share the turns.
 */
export function sqlHostTurns(
  query: (text: string, values: unknown[]) => Promise<readonly unknown[]>,
  table: string,
  scope?: string,
): HostTurns {
  const [column, value, condition] =
    scope === undefined ? ["", "", ""] : ["scope, ", "$3, ", " AND scope = $3"];
  const scoped = scope === undefined ? [] : [scope];
  return {
    async takeHost(host, now, until) {
      const after = `$${3 + scoped.length}`;
      const taken = await query(
        `INSERT INTO ${table} AS known (${column}host, free_at) VALUES (${value}$1, $2::float8)
         ON CONFLICT (${column}host) DO UPDATE SET free_at = excluded.free_at WHERE known.free_at <= ${after}::float8
         RETURNING 1 AS taken`,
        [host, until, ...scoped, now],
      );
      return taken.length > 0;
    },
    async holdHost(host, until) {
      await query(`UPDATE ${table} SET free_at = $2::float8 WHERE host = $1${condition}`, [
        host,
        until,
        ...scoped,
      ]);
    },
  };
}

type PoliteFetchOptions = {
  store: HostTurns;
  /** Pause between two requests to a host. */
  spacing: number;
  /** The longest that a host's `Retry-After` is obeyed. */
  longestPause: number;
  now: () => number;
  /** Units that a second has in all these times. Default 1,000: they are milliseconds. */
  second?: number;
  /** A host that the caller has taken. */
  taken?: string;
};

/**
 * Has a fetcher ask each host for one document at a time, with a pause of `spacing` between two, and not
 * before the time that its `Retry-After` names. A host that a redirect leads to is spared as the first one is.
 * @throws HostBusyError from `fetchDocument` instead of waiting.
 */
export function createPoliteFetch(
  guardedFetch: GuardedFetch,
  { store, spacing, longestPause, now, second = 1_000, taken }: PoliteFetchOptions,
): GuardedFetch {
  return {
    ...guardedFetch,
    async fetchDocument(url, options) {
      const asked = taken ? [taken] : [];
      const take = async (host: string) => {
        // A URL without a host is refused by the fetcher before anything is asked.
        if (host === "" || asked.includes(host)) return;
        if (!(await store.takeHost(host, now(), now() + LONGEST_REQUEST * second)))
          throw new HostBusyError(host);
        asked.push(host);
      };
      const onRedirect = async (to: URL) => {
        await options?.onRedirect?.(to);
        await take(hostOf(to));
      };
      await take(hostOf(url));
      let pause = spacing;
      try {
        return await guardedFetch.fetchDocument(url, { ...options, onRedirect });
      } catch (error) {
        if (error instanceof GuardedFetchError && error.retryAfter !== undefined) {
          pause = Math.max(spacing, Math.min(error.retryAfter * second, longestPause));
        }
        throw error;
      } finally {
        // The last answer comes from the last host.
        const last = asked.at(-1);
        for (const host of asked) {
          await store.holdHost(host, now() + (host === last ? pause : spacing));
        }
      }
    },
  };
}
