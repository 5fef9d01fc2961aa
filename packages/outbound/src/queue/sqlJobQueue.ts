import {
  type Claim,
  getRateLimitGroup,
  type Job,
  type JobCounts,
  type JobKey,
  type JobQueue,
} from "./jobQueue.ts";

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

/** Creates a queue in the tables of `createJobQueueTablesSql`. All processes with the same `scope` share it. */
export function createSqlJobQueue(query: QueryRows, schema: string, scope: string): JobQueue {
  const [jobTable, hostTable] = [`${schema}.queue_job`, `${schema}.queue_host`];
  const run = (text: string, ...values: unknown[]) => query(text, [scope, ...values]);
  // Compare revisions: if another statement claimed the host or added a job since, the jobs that this one read are
  // stale.
  const isChosen = "host.scope = $1 and host.host = chosen.host and host.revision = chosen.revision";
  const enqueued = `
    on conflict (scope, host) do update set site = excluded.site, revision = known.revision + 1,
      due_at = least(known.due_at, excluded.due_at)`;

  return {
    async enqueue(jobs) {
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

    async claim({ now, until, busy = [], full = [] }) {
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

    async reschedule({ kind, key, revision, host, priority, dueAt, failures }) {
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

    async remove({ kind, key, revision }: JobKey & { revision?: number }) {
      await run(
        `delete from ${jobTable}
        where scope = $1 and kind = $2 and key = $3 and revision = coalesce($4::bigint, revision)`,
        ...[kind, key, revision ?? null],
      );
    },

    async expedite({ kind, key, priority, dueAt }) {
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

    async release({ host, until }, { freeAt, failures }) {
      const free = "case when free_at = $4::float8 then $3::float8 else greatest(free_at, $3::float8) end";
      await run(
        `update ${hostTable} set free_at = ${free}, due_at = ${free}, failures = $5::integer
        where scope = $1 and host = $2`,
        ...[host, freeAt, until, failures],
      );
    },

    async count({ now, overdueBefore, kinds }) {
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

    async capDelays(now, longest) {
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

    async acquireHost(host, now, until) {
      const taken = await run(
        `insert into ${hostTable} as known (scope, host, site, free_at) values ($1, $2, $3, $4::float8)
        on conflict (scope, host) do update set free_at = excluded.free_at where known.free_at <= $5::float8
        returning 1 as taken`,
        ...[host, getRateLimitGroup(host), until, now],
      );
      return taken.length > 0;
    },

    async extendHostLease(host, until) {
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
