import ipaddr from "ipaddr.js";
import type { HostLeases } from "../politeFetch.ts";
import { getSite } from "../site.ts";

/** Names a job. `kind` says what is asked and who keeps what is known of it; `key` is the name that they give it. */
export type JobKey = { kind: string; key: string };

/** Something to ask a host for, again and again. */
export type NewJob = JobKey & {
  /** Whose line it waits in: a host as `getHost` names it, or any other name for a job that asks none. */
  host: string;
  /** Within a host, the lowest number is first. */
  priority: number;
  /** Not before that time; in the past, at once. */
  dueAt: number;
};

export type Job = NewJob & {
  /** Tries in a row that failed. */
  failures: number;
  /** Another one each time that the job is put. */
  revision: number;
};

/** A host that was claimed, and the first of its jobs that are due. */
export type Claim = {
  host: string;
  site: string;
  /** Requests in a row that the host left unanswered. */
  failures: number;
  /** The host is nobody else's before that time, whatever becomes of the process that claimed it. */
  until: number;
  job: Job;
};

export type JobCounts = {
  jobs: number;
  due: number;
  /** Due before the time that the caller named. */
  overdue: number;
  /** Failed their last try. */
  failing: number;
};

/**
 * Jobs that wait for their time and for their host. It is fair between hosts: one that was asked goes behind all that
 * wait. Everything of one `scope` shares the turns of hosts. Times are numbers of one unit, such as Unix milliseconds.
 *
 * A process may end at any moment: a job stays until it is removed, so one that was claimed is claimed again when
 * the claim is over. Each operation is one statement, and any number of processes may run them at once.
 */
export type JobQueue = HostLeases & {
  /** Adds jobs, or has them begin anew: whatever runs under an earlier revision settles nothing any more. */
  enqueue(jobs: readonly NewJob[]): Promise<void>;
  /**
   * Claims the host that waits longest, leaving out `busy` hosts and all hosts of `full` sites. Forgets hosts that are
   * free and have no jobs.
   */
  claim(claim: {
    now: number;
    until: number;
    busy?: readonly string[];
    full?: readonly string[];
  }): Promise<Claim | undefined>;
  /** Says when a job is next due, and in which line; nothing when it was put again or removed since it was claimed. */
  reschedule(job: Job): Promise<void>;
  /** Forgets a job; of a claimed one only when it was not put again since. */
  remove(job: JobKey & { revision?: number }): Promise<void>;
  /**
   * Has a job due at `dueAt` at the latest, and before those of its host with a higher `priority`. Its failures stay, and
   * its host is asked no sooner than it allows. @returns whether there is such a job.
   */
  expedite(job: JobKey & Pick<NewJob, "priority" | "dueAt">): Promise<boolean>;
  /** Ends a claim: the host may be asked again from `freeAt` on, or later when `extendHostLease` said so. */
  release(claim: Claim, to: { freeAt: number; failures: number }): Promise<void>;
  /** Counts the jobs at a time, all or those of one kind. */
  count(at: { now: number; overdueBefore: number; kind?: string }): Promise<JobCounts>;
  /**
   * Brings nearer what lies further ahead than `longest`: a clock that was ahead wrote it, or a longer setting did.
   * Such jobs are spread over that time, and such hosts are free.
   */
  capDelays(now: number, longest: number): Promise<void>;
};

/**
 * What shares a part of the requests at a time: the site of a host, the /64 network of an IPv6 address, which is one
 * machine's, or else the host itself.
 */
export function getRateLimitGroup(host: string): string {
  const [, address] = /^\[(.+)\]$/.exec(host) ?? [];
  if (address === undefined || !ipaddr.IPv6.isValid(address)) return getSite(host) ?? host;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `[${parts.map((part) => part.toString(16)).join(":")}::/64]`;
}
