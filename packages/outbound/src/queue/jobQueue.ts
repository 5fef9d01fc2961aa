import ipaddr from "ipaddr.js";
import type { HostLeases } from "../fetch/politeFetch.ts";
import { getSite } from "../site.ts";

/** Identifier of a job. `kind` selects the component that runs the job, and `key` is its identifier there. */
export type JobKey = { kind: string; key: string };

/** Recurring job that sends requests to a host. */
export type NewJob = JobKey & {
  /** Host as returned by `getHost`, or any other name for a job without requests. Jobs of one host run in sequence. */
  host: string;
  /** Priority within the host. The lowest number runs first. */
  priority: number;
  /** Earliest time to run. A time in the past means immediately. */
  dueAt: number;
};

export type Job = NewJob & {
  /** Number of consecutive failures. */
  failures: number;
  /** Changes each time the job is enqueued. */
  revision: number;
};

/** Claimed host and its first due job. */
export type Claim = {
  host: string;
  site: string;
  /** Number of consecutive failures of the host. */
  failures: number;
  /** End of the claim. No other process can claim the host before, even if this process ends. */
  until: number;
  job: Job;
};

/** Numbers of jobs in a queue, each at most 10,000. */
export type JobCounts = {
  due: number;
  /** Jobs that were due before the given time. */
  overdue: number;
  /** Jobs whose last run failed. */
  failing: number;
};

/**
 * Queue of recurring jobs, with one running job per host. It is fair between hosts: after a request, a host goes behind
 * all waiting ones. Queues with the same `scope` share their hosts. Times are numbers of one unit, such as Unix
 * milliseconds.
 *
 * A process may end at any time. A job stays until it is removed, so another process can claim it when the claim
 * expires. Each operation is atomic, and any number of processes may use the queue concurrently.
 */
export type JobQueue = HostLeases & {
  /** Adds or restarts jobs. A run that started with an earlier revision can no longer reschedule or remove them. */
  enqueue(jobs: readonly NewJob[]): Promise<void>;
  /**
   * Claims the host that has waited longest, except `busy` hosts and hosts of `full` sites. Removes free hosts without
   * jobs.
   */
  claim(claim: {
    now: number;
    until: number;
    busy?: readonly string[];
    full?: readonly string[];
  }): Promise<Claim | undefined>;
  /** Sets the next due time and host of a claimed job. Does nothing if it was enqueued again or removed since. */
  reschedule(job: Job): Promise<void>;
  /** Removes a job. With a `revision`, does nothing if the job was enqueued again since. */
  remove(job: JobKey & { revision?: number }): Promise<void>;
  /**
   * Moves a job forward to `dueAt` or earlier, ahead of lower-priority jobs of its host. Does not change its failures
   * or the time at which its host is free. Returns true if the job exists.
   */
  expedite(job: JobKey & Pick<NewJob, "priority" | "dueAt">): Promise<boolean>;
  /** Ends a claim. The host is free at `freeAt`, or later if `extendHostLease` set a later time. */
  release(claim: Claim, to: { freeAt: number; failures: number }): Promise<void>;
  /** Counts the jobs of some kinds, without reading those that are not counted. */
  count(of: { now: number; overdueBefore: number; kinds: readonly string[] }): Promise<JobCounts>;
  /**
   * Caps delays at `longest`. Longer delays come from clock skew or an earlier configuration. Spreads such jobs at
   * random over that time, and frees such hosts.
   */
  capDelays(now: number, longest: number): Promise<void>;
};

/**
 * Returns the group of hosts that share a limit on concurrent requests: the site of a host, the /64 network of an IPv6
 * address, which usually belongs to one machine, or else the host itself.
 */
export function getRateLimitGroup(host: string): string {
  const [, address] = /^\[(.+)\]$/.exec(host) ?? [];
  if (address === undefined || !ipaddr.IPv6.isValid(address)) return getSite(host) ?? host;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `[${parts.map((part) => part.toString(16)).join(":")}::/64]`;
}
