import { AppRegistryError } from "@app-registry/sdk";
import type { GuardedFetch } from "./guardedFetch.ts";
import { GuardedFetchError } from "./guardedFetchError.ts";
import { hostOf } from "./hostOf.ts";

/** A host is kept that long for a request that never comes to its end, in seconds. */
export const LONGEST_REQUEST = 60;

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

type PoliteFetchOptions = {
  store: HostTurns;
  /** Pause between two requests to a host. */
  spacing: number;
  /** The longest that a host's `Retry-After` is obeyed. */
  longestPause: number;
  now: () => number;
  /** Units that a second has in all these times. Default 1,000: they are milliseconds. */
  second?: number;
  /** A host that the caller has taken, and keeps for as many requests as it makes. */
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
      const asked = new Set<string>();
      // The last answer comes from the last host.
      let last = "";
      const take = async (host: string) => {
        // A URL without a host is refused by the fetcher before anything is asked.
        if (host === "") return;
        const isTaken = host === taken || asked.has(host);
        if (!isTaken && !(await store.takeHost(host, now(), now() + LONGEST_REQUEST * second)))
          throw new HostBusyError(host);
        asked.add(host);
        last = host;
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
        for (const host of asked) {
          await store.holdHost(host, now() + (host === last ? pause : spacing));
        }
      }
    },
  };
}
