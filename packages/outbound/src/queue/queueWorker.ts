import { setTimeout as sleep } from "node:timers/promises";
import type { GuardedFetch } from "../guardedFetch.ts";
import {
  createPoliteFetch,
  HOST_LEASE_SECONDS,
  HostBusyError,
  type HostLeases,
  type PoliteFetch,
  PostponedError,
} from "../politeFetch.ts";
import type { Claim, Job, JobQueue } from "./jobQueue.ts";

/** What came of a job: when it is due again. `gone`: never, it is forgotten. */
export type JobOutcome =
  | "gone"
  | (Pick<Job, "dueAt" | "failures"> & {
      priority?: number;
      host?: string;
      /** Whether the host failed rather than this one document: then all its jobs wait. */
      isHostTrouble?: boolean;
    });

/** Waits after failures in a row: `first`, then twice as long each time, up to `longest`. */
export type RetryPolicy = { first: number; longest: number };

/** A wait, or up to a quarter less, so that what was asked together isn't asked together again. `random` is 0 to 1. */
export const withJitter = (wait: number, random: () => number): number => wait * (0.75 + random() / 4);

/** The wait after `failures` failures in a row, 1 or more, spread. */
export const retryDelay = (failures: number, { first, longest }: RetryPolicy, random: () => number): number =>
  withJitter(Math.min(first * 2 ** Math.min(failures - 1, 30), longest), random);

export type QueueWorkerOptions = {
  queue: JobQueue;
  /** The fetcher for jobs of a kind. */
  fetcherOf: (kind: string) => GuardedFetch;
  /**
   * Does a job. All its requests go through `politeFetch`, whose HostBusyError it must not catch: the job then
   * waits in that host's line. A PutOffError says when the job is due instead.
   */
  work: (job: Job, politeFetch: PoliteFetch, signal: AbortSignal) => Promise<JobOutcome>;
  /** Most jobs under way, each of another host; a site has at most a quarter of them. */
  concurrency: number;
  /** Pause between two requests to a host. */
  spacing: number;
  /** The longest that a host's `Retry-After` is obeyed. */
  longestPause: number;
  /** The longest that any job is ever put off. */
  longestWait: number;
  /** How long a host is left alone that failed. Default a minute, up to 6 hours. */
  hostRetries?: RetryPolicy;
  now: () => number;
  /** Units that a second has in all these times. Default 1,000: they are milliseconds. */
  second?: number;
  /** 0 to 1. */
  random?: () => number;
  /** A job, or the queue, failed for a reason that `work` doesn't know. The job is due again after a minute. */
  onError: (error: unknown) => void;
};

/**
 * Works on a queue: asks each host for one thing at a time, and the hosts in turn. One worker at a time should work on
 * a scope; if there are two, they still never work on the same host at once.
 */
export function createQueueWorker(options: QueueWorkerOptions) {
  const { queue, fetcherOf, work, concurrency, spacing, longestPause, now, onError } = options;
  const { second = 1_000, random = Math.random } = options;
  const { hostRetries = { first: 60 * second, longest: 6 * 3_600 * second } } = options;
  const running = new Map<string, { site: string; ended: Promise<void> }>();
  const turns: HostLeases = {
    acquireHost: async (host, ...times) => !running.has(host) && queue.acquireHost(host, ...times),
    extendHostLease: queue.extendHostLease,
  };
  let lastSeen = Number.POSITIVE_INFINITY;

  /** Does a job and says when it is due again. @returns whether its host failed, if it was asked. */
  async function doJob(job: Job, signal: AbortSignal): Promise<boolean | undefined> {
    const polite = createPoliteFetch(fetcherOf(job.kind), {
      ...{ store: turns, taken: job.host, spacing, longestPause, now, second },
    });
    try {
      const outcome = await work(job, polite, signal);
      if (outcome === "gone") return void (await queue.remove(job));
      const { isHostTrouble, ...next } = outcome;
      await queue.reschedule({ ...job, ...next });
      return isHostTrouble;
    } catch (error) {
      // A job that was cut off is due as before.
      if (signal.aborted) return undefined;
      if (error instanceof HostBusyError) {
        await queue.reschedule({ ...job, host: error.host });
        return undefined;
      }
      if (error instanceof PostponedError) {
        await queue.reschedule({ ...job, dueAt: error.dueAt });
        return undefined;
      }
      onError(error);
      await queue.reschedule({ ...job, dueAt: now() + 60 * second });
      return undefined;
    }
  }

  async function serve(claim: Claim, signal: AbortSignal): Promise<void> {
    const isTrouble = await doJob(claim.job, signal);
    const failures = isTrouble === undefined ? claim.failures : isTrouble ? claim.failures + 1 : 0;
    const pause = isTrouble ? retryDelay(failures, hostRetries, random) : 0;
    await queue.release(claim, { freeAt: now() + pause, failures });
  }

  /** The sites that have their part of the requests under way. */
  function fullSites(): string[] {
    const count = new Map<string, number>();
    for (const { site } of running.values()) count.set(site, (count.get(site) ?? 0) + 1);
    return [...count].flatMap(([site, jobs]) => (jobs >= concurrency / 4 ? site : []));
  }

  /** Begins jobs on the hosts that wait longest, as many as may be under way. @returns how many it began. */
  async function begin(signal: AbortSignal, most = concurrency): Promise<number> {
    if (now() < lastSeen) await queue.capDelays(now(), options.longestWait);
    lastSeen = now();
    let begun = 0;
    while (!signal.aborted && running.size < concurrency && begun < most) {
      const spared = { busy: [...running.keys()], full: fullSites() };
      const claim = await queue.claim({ now: now(), until: now() + HOST_LEASE_SECONDS * second, ...spared });
      if (!claim) break;
      const ended = serve(claim, signal)
        .catch((error: unknown) => {
          if (!signal.aborted) onError(error);
        })
        .finally(() => running.delete(claim.host));
      running.set(claim.host, { site: claim.site, ended });
      begun++;
    }
    return begun;
  }

  const underWay = () => [...running.values()].map(({ ended }) => ended);
  const settled = async () => void (await Promise.all(underWay()));

  return {
    begin,
    /** Settles when every job under way has ended. */
    settled,
    /** Works on what is due now, on `most` jobs at most, and settles when all have ended. */
    async drain(signal: AbortSignal, most: number): Promise<void> {
      for (let left = most; ; ) {
        left -= await begin(signal, left);
        if (running.size === 0) return;
        await Promise.race(underWay());
      }
    },
    /**
     * Works until `signal` is aborted: takes a `step`, which begins jobs, and fills up with more for a `tick` as jobs end.
     * Whatever fails is told and tried again. Never throws.
     */
    async run(signal: AbortSignal, tick: number, step: () => Promise<unknown>): Promise<void> {
      const attempt = (turn: () => Promise<unknown>) =>
        turn().catch((error: unknown) => {
          if (!signal.aborted) onError(error);
        });
      while (!signal.aborted) {
        await attempt(step);
        let isOver = false;
        const over = sleep((tick / second) * 1_000, undefined, { signal, ref: false })
          .catch(() => undefined)
          .then(() => {
            isOver = true;
          });
        while (!isOver) {
          await Promise.race([over, ...underWay()]);
          if (!isOver) await attempt(() => begin(signal));
        }
      }
      await settled();
    },
  };
}
