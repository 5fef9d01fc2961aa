import { AppRegistryError } from "@app-registry/sdk";
import type { GuardedFetch } from "./guardedFetch.ts";
import { GuardedFetchError } from "./guardedFetchError.ts";
import { hostOf } from "./hostOf.ts";

/** The longest that a host's `Retry-After` is obeyed, in milliseconds. */
const LONGEST_RETRY_AFTER = 7 * 86_400_000;

/** How long a host stays taken by a request that never ends, in milliseconds. */
const LONGEST_REQUEST = 60_000;

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

/** Remembers until when each host must not be contacted. Times are Unix milliseconds. */
export type HostTurns = {
  /** Takes a host until a time. @returns false when it is not free now. */
  takeHost(host: string, now: number, until: number): Promise<boolean>;
  /** Says when a host that was taken is free. */
  holdHost(host: string, until: number): Promise<void>;
};

/**
 * Makes a fetcher ask each host for one document at a time, with a pause of `spacing` milliseconds, and not before its
 * `Retry-After`. The same applies to a host that a redirect leads to.
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
