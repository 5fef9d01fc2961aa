import ipaddr from "ipaddr.js";
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

type ClaimOptions = { now: number; until: number; busy?: readonly string[]; full?: readonly string[] };
type CountOptions = { now: number; overdueBefore: number; kinds: readonly string[] };

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

/** Function that runs one statement on PostgreSQL and returns its rows. */
export type QueryRows = (text: string, values: unknown[]) => Promise<readonly unknown[]>;

/**
 * Returns the SQL that creates a queue's tables in a schema if they are missing. `schema` is a quoted name.
 *
 * - `queue_job`: one row per job, with its host and due time
 * - `queue_host`: one row per host, with the time to claim it next (`due_at`) and the earliest time (`free_at`)
 */
export const createJobQueueTablesSql = (schema: string): string => `
  create table if not exists ${schema}.queue_job (
    scope text not null,
    kind text not null,
    key text not null,
    host text not null,
    priority integer not null,
    due_at double precision not null,
    failures integer not null default 0,
    revision bigserial not null,
    primary key (scope, kind, key)
  );
  create index if not exists queue_job_first on ${schema}.queue_job (scope, host, priority, due_at);
  create index if not exists queue_job_due on ${schema}.queue_job (scope, host, due_at);
  create index if not exists queue_job_kind on ${schema}.queue_job (scope, kind, due_at);
  create index if not exists queue_job_failing on ${schema}.queue_job (scope, kind) where failures > 0;
  create table if not exists ${schema}.queue_host (
    scope text not null,
    host text not null,
    site text not null,
    due_at double precision not null default 0,
    free_at double precision not null default 0,
    failures integer not null default 0,
    revision bigint not null default 0,
    primary key (scope, host)
  );
  create index if not exists queue_host_due on ${schema}.queue_host (scope, due_at);`;

/** Most jobs that a count reads. */
const MAX_COUNTED = 10_000;

export type JobQueue = ReturnType<typeof createSqlJobQueue>;

/**
 * Creates a queue of recurring jobs in the tables of `createJobQueueTablesSql`, with one running job per host. It is
 * fair between hosts: after a request, a host goes behind all waiting ones. Queues with the same `scope` share their
 * hosts. Times are numbers of one unit, such as Unix milliseconds.
 *
 * A process may end at any time. A job stays until it is removed, so another process can claim it when the claim
 * expires. Each operation is atomic, and any number of processes may use the queue concurrently.
 */
export function createSqlJobQueue(query: QueryRows, schema: string, scope: string) {
  const [jobTable, hostTable] = [`${schema}.queue_job`, `${schema}.queue_host`];
  const run = (text: string, ...values: unknown[]) => query(text, [scope, ...values]);
  // Compare revisions: if another statement claimed the host or added a job since, the jobs that this one read are
  // stale.
  const isChosen = "host.scope = $1 and host.host = chosen.host and host.revision = chosen.revision";
  const enqueued = `
    on conflict (scope, host) do update set site = excluded.site, revision = known.revision + 1,
      due_at = least(known.due_at, excluded.due_at)`;

  return {
    /** Adds or restarts jobs. A run that started with an earlier revision can no longer reschedule or remove them. */
    async enqueue(jobs: readonly NewJob[]): Promise<void> {
      if (jobs.length === 0) return;
      const rows = new Map(
        jobs.map((job) => [
          JSON.stringify([job.kind, job.key]),
          { ...job, site: getRateLimitGroup(job.host) },
        ]),
      );
      await run(
        `with input as (
          select * from jsonb_to_recordset($2::jsonb) as given(kind text, key text, host text, site text,
            priority integer, "dueAt" float8)
        ), written as (
          insert into ${jobTable} (scope, kind, key, host, priority, due_at)
          select $1, kind, key, host, priority, "dueAt" from input order by kind, key
          on conflict (scope, kind, key) do update set host = excluded.host, priority = excluded.priority,
            due_at = excluded.due_at, failures = 0, revision = excluded.revision
          returning kind, key
        )
        insert into ${hostTable} as known (scope, host, site, due_at)
        select $1, host, min(site), min("dueAt") from written join input using (kind, key) group by host order by host
        ${enqueued}`,
        JSON.stringify([...rows.values()]),
      );
    },

    /** Claims the host that has waited longest, except `busy` hosts and hosts of `full` sites. Removes idle hosts. */
    async claim({ now, until, busy = [], full = [] }: ClaimOptions): Promise<Claim | undefined> {
      // Each statement claims a host, or corrects the due time of a host without due jobs. Then try the next host.
      for (;;) {
        const [row] = await run(
          `with chosen as (
            select host, site, failures, revision from ${hostTable}
            where scope = $1 and due_at <= $2::float8 and free_at <= $2::float8
              and host <> all($4::text[]) and site <> all($5::text[])
            order by due_at limit 1 for update skip locked
          ), first as (
            select job.* from chosen cross join lateral (
              select * from ${jobTable} job
              where job.scope = $1 and job.host = chosen.host and job.due_at <= $2::float8
              order by job.priority, job.due_at limit 1
            ) job
          ), next as (
            select min(job.due_at) as at from ${jobTable} job join chosen using (host)
            where job.scope = $1 and not exists (select from first)
          ), claimed as (
            update ${hostTable} host set due_at = $3::float8, free_at = $3::float8, revision = host.revision + 1
            from chosen where ${isChosen} and exists (select from first) returning host.host
          ), later as (
            update ${hostTable} host set due_at = next.at from chosen, next where ${isChosen} and next.at is not null
          ), forgotten as (
            delete from ${hostTable} host using chosen, next
            where ${isChosen} and next.at is null and not exists (select from first)
          )
          select chosen.host, chosen.site, chosen.failures as host_failures, claimed.host is not null as is_claimed,
            first.kind, first.key, first.priority, first.due_at, first.failures, first.revision
          from chosen left join claimed on true left join first on true`,
          ...[now, until, [...busy], [...full]],
        );
        if (row === undefined) return undefined;
        if ((row as ClaimRow).is_claimed) return toClaim(row as ClaimRow, until);
      }
    },

    /** Sets the next due time and host of a claimed job. Does nothing if it was enqueued again or removed since. */
    async reschedule({ kind, key, revision, host, priority, dueAt, failures }: Job): Promise<void> {
      await run(
        `with present as (
          select host from ${jobTable} where scope = $1 and kind = $2 and key = $3 and revision = $4::bigint
        ), settled as (
          update ${jobTable} set host = $5, priority = $6::integer, due_at = $7::float8, failures = $8::integer
          where scope = $1 and kind = $2 and key = $3 and revision = $4::bigint
          returning host
        )
        insert into ${hostTable} as known (scope, host, site, due_at)
        select $1, settled.host, $9, $7::float8 from settled join present on present.host <> settled.host ${enqueued}`,
        ...[kind, key, revision, host, priority, dueAt, failures, getRateLimitGroup(host)],
      );
    },

    /** Removes a job. With a `revision`, does nothing if the job was enqueued again since. */
    async remove({ kind, key, revision }: JobKey & { revision?: number }): Promise<void> {
      await run(
        `delete from ${jobTable}
        where scope = $1 and kind = $2 and key = $3 and revision = coalesce($4::bigint, revision)`,
        ...[kind, key, revision ?? null],
      );
    },

    /**
     * Moves a job forward to `dueAt` or earlier, ahead of lower-priority jobs of its host. Does not change its failures
     * or the time at which its host is free. Returns true if the job exists.
     */
    async expedite({ kind, key, priority, dueAt }: Omit<NewJob, "host">): Promise<boolean> {
      const expedited = await run(
        `with expedited as (
          update ${jobTable} set due_at = least(due_at, $4::float8), priority = least(priority, $5::integer)
          where scope = $1 and kind = $2 and key = $3
          returning host, due_at
        ), line as (
          update ${hostTable} host set due_at = least(host.due_at, expedited.due_at), revision = host.revision + 1
          from expedited where host.scope = $1 and host.host = expedited.host
        )
        select 1 from expedited`,
        ...[kind, key, dueAt, priority],
      );
      return expedited.length > 0;
    },

    /** Ends a claim. The host is free at `freeAt`, or later if `extendHostLease` set a later time. */
    async release(
      { host, until }: Claim,
      { freeAt, failures }: { freeAt: number; failures: number },
    ): Promise<void> {
      const free = "case when free_at = $4::float8 then $3::float8 else greatest(free_at, $3::float8) end";
      await run(
        `update ${hostTable} set free_at = ${free}, due_at = ${free}, failures = $5::integer
        where scope = $1 and host = $2`,
        ...[host, freeAt, until, failures],
      );
    },

    /** Counts the jobs of some kinds, without reading those that are not counted. */
    async count({ now, overdueBefore, kinds }: CountOptions): Promise<JobCounts> {
      const countWhere = (condition: string) => `(select count(*)::integer from (
        select from ${jobTable} where scope = $1 and kind = any($4::text[]) and ${condition} limit ${MAX_COUNTED}
      ) as counted)`;
      const [row] = await run(
        `select ${countWhere("due_at <= $2::float8")} as due, ${countWhere("due_at < $3::float8")} as overdue,
          ${countWhere("failures > 0")} as failing`,
        ...[now, overdueBefore, [...kinds]],
      );
      return row as JobCounts;
    },

    /**
     * Caps delays at `longest`. Longer delays come from clock skew or an earlier configuration. Spreads such jobs at
     * random over that time, and frees such hosts.
     */
    async capDelays(now: number, longest: number): Promise<void> {
      await run(
        `with nearer as (
          update ${jobTable} set due_at = $2::float8 + random() * $3::float8
          where scope = $1 and due_at > $2::float8 + $3::float8
        )
        update ${hostTable} set free_at = case when free_at > $2::float8 + $3::float8 then $2::float8 else free_at end,
          due_at = case when due_at > $2::float8 + $3::float8 then $2::float8 else due_at end
        where scope = $1 and (due_at > $2::float8 + $3::float8 or free_at > $2::float8 + $3::float8)`,
        ...[now, longest],
      );
    },

    /** Acquires the lease of a host. Returns false if the host is not free. */
    async acquireHost(host: string, now: number, until: number): Promise<boolean> {
      const taken = await run(
        `insert into ${hostTable} as known (scope, host, site, free_at) values ($1, $2, $3, $4::float8)
        on conflict (scope, host) do update set free_at = excluded.free_at where known.free_at <= $5::float8
        returning 1 as taken`,
        ...[host, getRateLimitGroup(host), until, now],
      );
      return taken.length > 0;
    },

    /** Sets the end of an acquired lease. */
    async extendHostLease(host: string, until: number): Promise<void> {
      await run(`update ${hostTable} set free_at = $3::float8 where scope = $1 and host = $2`, host, until);
    },
  };
}

type ClaimRow = Omit<Job, "dueAt" | "revision"> & {
  site: string;
  host_failures: number;
  is_claimed: boolean;
  due_at: number;
  revision: string | number;
};

function toClaim({ host, site, host_failures, due_at, ...row }: ClaimRow, until: number): Claim {
  const { kind, key, priority, failures } = row;
  const job = { kind, key, host, priority, failures, dueAt: due_at, revision: Number(row.revision) };
  return { host, site, failures: host_failures, until, job };
}
