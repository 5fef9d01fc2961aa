import type { JobQueue } from "@app-registry/outbound/internal";
import {
  formatVersion,
  type LiveRecord,
  LOCAL_CHAIN_ID,
  liveOutcomes,
  type ServiceProbe,
} from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Session, Sql } from "./session.ts";
import { app } from "./tables.ts";
import { DOCUMENT_QUEUE, PROBE_KIND, probeJoinSql } from "./workerTables.ts";

type LiveQuery = { didHash: Hex; major: number };

type RecordRow = {
  token_id: string;
  did: string;
  minor: number;
  patch: number;
  data_hash: Hex;
  /** Probe of the record's current version; null before the first one. */
  answer: ServiceProbe | null;
  answered_at: number | null;
  /** Due time of the next probe; null if the record is not probed. */
  due_at: number | null;
  /** End of the pause of its host. */
  free_at: number | null;
};

/** Reads a record and its last probe. Returns `undefined` if the record does not exist. */
async function readRecord(
  { db, hasWorkerTables: hasTables }: Session,
  { didHash, major }: LiveQuery,
): Promise<RecordRow | undefined> {
  const known = hasTables
    ? sql`case when ${sql.raw(probeJoinSql("probe", "app"))} then probe.answer end as answer, probe.answered_at,
        job.due_at, host.free_at`
    : sql`null as answer, null as answered_at, null as due_at, null as free_at`;
  const joined = sql`
    left join probe on probe.token_id = app.token_id and probe.did_hash = app.did_hash
    left join queue_job job
      on job.scope = ${DOCUMENT_QUEUE.scope} and job.kind = ${PROBE_KIND} and job.key = app.token_id::text and app.status = 0
    left join queue_host host on host.scope = job.scope and host.host = job.host`;
  const { rows } = await db.execute<RecordRow>(sql`
    select app.token_id::text as token_id, app.did, app.minor, app.patch, app.data_hash, ${known}
    from ${app} ${hasTables ? joined : sql``} where app.did_hash = ${didHash} and app.major = ${major}`);
  return rows[0];
}

type DayRow = Record<string, string | number> & { day: string; changed: number; latency_ms: number | null };

/** Reads the outcomes of a record's probes by day, oldest first. */
async function readHistory(
  { db, hasWorkerTables }: Session,
  tokenId: string,
  didHash: string,
): Promise<LiveRecord["history"]> {
  if (!hasWorkerTables) return [];
  const { rows } = await db.execute<DayRow>(sql`
    select history.* from probe_day history join probe using (token_id)
    where token_id = ${tokenId}::numeric and probe.did_hash = ${didHash} order by day collate "C"`);
  return rows.map(({ day: period, changed, latency_ms: latencyMs, ...row }) => {
    const counts = liveOutcomes.map((outcome) => [outcome, Number(row[outcome.replace("-", "_")])] as const);
    const outcomes = Object.fromEntries(counts.filter(([, count]) => count > 0));
    return { period, changed, outcomes, ...(latencyMs !== null && { latencyMs }) };
  });
}

/** Returns the time of the next probe: its due time or the end of the host's pause, whichever is later. */
const getNextProbeTime = (dueAt: number, { free_at: freeAt }: RecordRow) =>
  Math.floor(Math.max(dueAt, freeAt ?? 0));

/** Returns the probe results of a record, or `undefined` if the record does not exist. */
export async function liveRecord(session: Session, query: LiveQuery): Promise<LiveRecord | undefined> {
  const row = await readRecord(session, query);
  return (
    row && {
      did: row.did,
      version: formatVersion({ ...row, major: query.major }),
      dataHash: row.data_hash,
      probe: row.answer,
      answeredAt: row.answered_at === null ? null : Math.floor(row.answered_at),
      nextAt: row.due_at === null ? null : getNextProbeTime(row.due_at, row),
      history: await readHistory(session, row.token_id, query.didHash),
    }
  );
}

/** Time of the requested probe, or the reason why it is refused. Times are Unix seconds. */
export type ProbeRequestResult = { nextAt: number } | { retryAfter: number } | "not-asked" | "not-found";

/** Returns the interval between two requested probes of a version, in seconds. It is short on the local chain. */
export const secondsBetweenChecks = (chainId: number): number => (chainId === LOCAL_CHAIN_ID ? 5 : 600);

/**
 * Moves a record's probe ahead of the other jobs of its host. Refuses if the version was probed recently.
 *
 * @param now Unix seconds
 * @param betweenChecks Seconds between two probes of a version that visitors requested
 */
export async function requestProbe(
  session: Session,
  query: LiveQuery,
  { now, betweenChecks, queue }: { now: number; betweenChecks: number; queue: Pick<JobQueue, "expedite"> },
): Promise<ProbeRequestResult> {
  const row = await readRecord(session, query);
  if (!row) return "not-found";
  if (row.due_at === null) return "not-asked";
  const wait = row.answer === null ? 0 : row.answer.probedAt / 1_000 + betweenChecks - now;
  if (wait > 0) return { retryAfter: Math.ceil(wait) };
  const isAsked = await queue.expedite({ kind: PROBE_KIND, key: row.token_id, priority: 0, dueAt: now });
  return isAsked ? { nextAt: getNextProbeTime(Math.min(row.due_at, now), row) } : "not-asked";
}

/** Change between two probes of a service. */
type LiveEvent = "stopped" | "answers" | "changed" | "same";

type EventRow = VersionRow & { at: number; kind: LiveEvent; detail: string };

/** Identity of a record and its current version. */
export type VersionRow = { token_id: string; did: string; major: number; minor: number; patch: number };

/** Lists the changes between probes of the records of a condition, newest first, at most 50. */
export async function liveEvents({ db, hasWorkerTables }: Session, isAsked: Sql): Promise<EventRow[]> {
  if (!hasWorkerTables) return [];
  const { rows } = await db.execute<EventRow>(sql`
    select app.token_id::text as token_id, (event.value ->> 'at')::float8 as at, event.key as kind,
      event.value ->> 'detail' as detail, app.did, app.major, app.minor, app.patch
    from ${app} join probe on probe.token_id = app.token_id and probe.did_hash = app.did_hash
      join probe_day history on history.token_id = app.token_id
      cross join jsonb_each(history.events) event
    where ${isAsked}
    order by at desc, app.token_id desc, kind desc limit 50`);
  return rows;
}
