import { setTimeout as sleep } from "node:timers/promises";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import {
  createPoliteFetch,
  HOST_LEASE_SECONDS,
  HostBusyError,
  type HostLeases,
  type PoliteFetch,
  PostponedError,
} from "../fetch/politeFetch.ts";
import type { Claim, Job, JobQueue } from "./jobQueue.ts";

/** Result of a job: its next due time, or `gone` to remove it. */
export type JobOutcome =
  | "gone"
  | (Pick<Job, "dueAt" | "failures"> & {
      priority?: number;
      host?: string;
      /** True if the host failed rather than this one document. Then all its jobs wait. */
      isHostTrouble?: boolean;
    });

/** Exponential backoff: starts at `first` and doubles per consecutive failure, up to `longest`. */
export type RetryPolicy = { first: number; longest: number };

/** Reduces a delay by up to 25 % at random so that jobs do not run in bursts. `random` returns 0 to 1. */
export const withJitter = (wait: number, random: () => number): number => wait * (0.75 + random() / 4);

/** Returns the delay after `failures` consecutive failures (1 or more), with jitter. */
export const retryDelay = (failures: number, { first, longest }: RetryPolicy, random: () => number): number =>
  withJitter(Math.min(first * 2 ** Math.min(failures - 1, 30), longest), random);

export type QueueWorkerOptions = {
  queue: JobQueue;
  fetcherOf: (kind: string) => GuardedFetch;
  /**
   * Runs a job. It must send all requests through `politeFetch` and must not catch its `HostBusyError`, which makes the
   * job wait for that host. It may throw a `PostponedError` to set another due time.
   */
  work: (job: Job, politeFetch: PoliteFetch, signal: AbortSignal) => Promise<JobOutcome>;
  /** Maximum number of running jobs, each of another host. A site uses at most a quarter of them. */
  concurrency: number;
  /** Minimum pause between two requests to a host. */
  spacing: number;
  /** Maximum pause for a host's `Retry-After`. */
  longestPause: number;
  /** Maximum delay of any job. */
  longestWait: number;
  /** Pause after failures of a host. Default: a minute, up to 6 hours. */
  hostRetries?: RetryPolicy;
  now: () => number;
  /** Number of time units per second. Default 1,000, for milliseconds. */
  second?: number;
  /** Returns a random number from 0 to 1. */
  random?: () => number;
  /** Called if the queue fails or `work` throws an unexpected error. The job is retried after a minute. */
  onError: (error: unknown) => void;
};

/**
 * Creates a worker that runs the jobs of a queue: one at a time per host, with the hosts in turn. Any number of workers
 * may share a scope.
 */
export function createQueueWorker(options: QueueWorkerOptions) {
  const { queue, fetcherOf, work, concurrency, spacing, longestPause, now, onError } = options;
  const { second = 1_000, random = Math.random } = options;
  const { hostRetries = { first: 60 * second, longest: 6 * 3_600 * second } } = options;
  const running = new Map<string, { site: string; ended: Promise<void> }>();
  const createLeases = (own: string): HostLeases => ({
    acquireHost: async (host, ...times) =>
      (host === own || !running.has(host)) && queue.acquireHost(host, ...times),
    extendHostLease: queue.extendHostLease,
  });
  let endings = 0;
  let lastSeen = Number.POSITIVE_INFINITY;

  /** Runs a job and reschedules it. Returns true if its host failed, and `undefined` if that is not known. */
  async function doJob(job: Job, signal: AbortSignal): Promise<boolean | undefined> {
    const polite = createPoliteFetch(fetcherOf(job.kind), {
      ...{ store: createLeases(job.host), taken: job.host, spacing, longestPause, now, second },
    });
    try {
      const outcome = await work(job, polite, signal);
      if (outcome === "gone") return void (await queue.remove(job));
      const { isHostTrouble, ...next } = outcome;
      await queue.reschedule({ ...job, ...next });
      return isHostTrouble;
    } catch (error) {
      // Don't reschedule an aborted job, so that it stays due.
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

  /** Lists the sites that have reached their share of running jobs. */
  function fullSites(): string[] {
    const count = new Map<string, number>();
    for (const { site } of running.values()) count.set(site, (count.get(site) ?? 0) + 1);
    return [...count].flatMap(([site, jobs]) => (jobs >= concurrency / 4 ? site : []));
  }

  /** Starts jobs of the hosts that have waited longest, up to the limits. Returns the number of started jobs. */
  async function begin(signal: AbortSignal, most = concurrency): Promise<number> {
    if (now() < lastSeen) await queue.capDelays(now(), options.longestWait);
    lastSeen = now();
    let begun = 0;
    while (!signal.aborted && running.size < concurrency && begun < most) {
      const spared = { busy: [...running.keys()], full: fullSites() };
      const endedBefore = endings;
      const claim = await queue.claim({ now: now(), until: now() + HOST_LEASE_SECONDS * second, ...spared });
      if (!claim) {
        // Claim again if a job ended meanwhile: its host was busy for this claim.
        if (endings > endedBefore) continue;
        break;
      }
      const ended = serve(claim, signal)
        .catch((error: unknown) => {
          if (!signal.aborted) onError(error);
        })
        .finally(() => {
          running.delete(claim.host);
          endings++;
        });
      running.set(claim.host, { site: claim.site, ended });
      begun++;
    }
    return begun;
  }

  const underWay = () => [...running.values()].map(({ ended }) => ended);
  const settled = async () => void (await Promise.all(underWay()));

  return {
    begin,
    /** Resolves when all running jobs have ended. */
    settled,
    /** Runs at most `most` due jobs. Resolves when all have ended. */
    async drain(signal: AbortSignal, most: number): Promise<void> {
      for (let left = most; ; ) {
        left -= await begin(signal, left);
        if (running.size === 0) return;
        await Promise.race(underWay());
      }
    },
    /**
     * Runs until `signal` aborts: calls `step` to start jobs, then starts more as jobs end, until `tick` has passed.
     * Reports errors to `onError` and retries. Never throws.
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
