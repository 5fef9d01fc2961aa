import { type Database, insertChangesSql, type Row, type Schemas } from "@app-registry/index/workerTables";
import type { BudgetLimit } from "@app-registry/outbound/internal";
import type { LiveOutcome, ServiceProbe } from "@app-registry/sdk";
import type { Hex } from "viem";
import { pruneRows, type TokenRange } from "./database.ts";

/** Formats a time in Unix seconds as its UTC day, such as `2026-11-24`. */
const utcDay = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** Active record to probe, in its current state in the index. */
export type ProbedRecord = {
  tokenId: string;
  did: string;
  didHash: Hex;
  owner: string;
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  algorithm: number;
  /** Contract that stores the document; null if the document is only at dataUrl. */
  pointer: Hex | null;
  /** Document that dataUrl served; null before the first success, or if the document is large. */
  kept: string | null;
  /** Time of the last probe of any version; null before the first one. */
  probedAt: number | null;
  /** Result of the last conclusive probe of any version; null before the first one. */
  alive: boolean | null;
  drifted: boolean | null;
};

/** Record whose probe is not in the queue yet. */
export type UnqueuedRecord = Pick<ProbedRecord, "tokenId" | "did" | "didHash" | "dataHash"> & {
  /** First endpoint in the index. */
  endpoint: string | null;
};

/** Change that one probe found. */
export type ProbeEvent = { kind: "stopped" | "answers" | "changed" | "same"; detail: string };

/** Most records that one query returns. */
const MAX_FOUND = 500;

/** Retention of daily results, in days. */
const DAYS = 90;

const DAY = 86_400;

const outcomeColumns = ["answers", "gated", "failing", "other_protocol", "unreachable", "unknown"] as const;
const toColumn = (outcome: LiveOutcome) =>
  outcomeColumns.find((column) => column === outcome.replace("-", "_")) ?? "unknown";

/** Creates the store of probe results. Times are Unix seconds. */
export const probeStore = (database: Database, { index, offchain }: Schemas) => {
  // A subquery for each record: for `not exists`, PostgreSQL may read the other table as a whole.
  const findUnqueued = async (condition: string, values: unknown[]): Promise<UnqueuedRecord[]> => {
    const rows = await database.query<Row>(
      `select app.token_id::text as token_id, app.did, app.did_hash, app.data_hash,
        app.endpoints -> 0 ->> 'endpoint' as endpoint
      from ${index}.app app
      where ${condition} and app.status = 0 and coalesce((
        select false from ${offchain}.probe known where known.token_id = app.token_id
          and known.did_hash = app.did_hash and known.queued_hash = app.data_hash), true)
      order by app.token_id limit ${MAX_FOUND}`,
      values,
    );
    return rows.map((row) => ({
      ...{ tokenId: String(row.token_id), did: String(row.did) },
      ...{ didHash: row.did_hash as Hex, dataHash: row.data_hash as Hex },
      endpoint: row.endpoint as string | null,
    }));
  };

  return {
    maxFound: MAX_FOUND,
    /** Returns unqueued records that changed at or after a block time. */
    changedSince: (at: number) => findUnqueued("app.changed_at >= $1::int8", [Math.floor(at)]),
    /** Returns unqueued records with token ids above `after`, up to `last`. */
    findInRange: (after: number, last: number) =>
      findUnqueued("app.token_id > $1::numeric and app.token_id <= $2::numeric", [after, last]),

    /** Marks records as queued. Deletes the results of a token id that now belongs to another DID. */
    async markQueued(records: readonly UnqueuedRecord[]): Promise<void> {
      const given = JSON.stringify(records);
      await database.query(
        `delete from ${offchain}.probe_day row
        using jsonb_to_recordset($1::jsonb) as given("tokenId" numeric, "didHash" text), ${offchain}.probe known
        where row.token_id = given."tokenId" and known.token_id = row.token_id
          and known.did_hash <> given."didHash"`,
        [given],
      );
      await database.query(
        `insert into ${offchain}.probe as known (token_id, did_hash, queued_hash)
        select * from jsonb_to_recordset($1::jsonb) as given("tokenId" numeric, "didHash" text, "dataHash" text)
        on conflict (token_id) do update set did_hash = excluded.did_hash, queued_hash = excluded.queued_hash,
          (data_hash, algorithm, outcome, drift, answer, probed_at, answered_at, alive, drifted, counted_due_at) = (
            select known.data_hash, known.algorithm, known.outcome, known.drift, known.answer, known.probed_at,
              known.answered_at, known.alive, known.drifted, known.counted_due_at
            where known.did_hash = excluded.did_hash)`,
        [given],
      );
    },

    /** Returns the current record. If it is no longer Active, returns `undefined` and marks it as unqueued. */
    async current(tokenId: string): Promise<ProbedRecord | undefined> {
      const [row] = await database.query<Row>(
        `select app.token_id::text as token_id, app.did, app.did_hash, app.owner, app.interfaces, app.data_url,
          app.data_hash, app.data_hash_algorithm as algorithm, app.pointer, document.text as kept, known.probed_at,
          known.alive, known.drifted
        from ${offchain}.probe known join ${index}.app app using (token_id, did_hash)
        left join ${offchain}.document document on document.did_hash = app.did_hash
          and document.data_hash = app.data_hash and document.algorithm = app.data_hash_algorithm
        where token_id = $1::numeric and app.status = 0`,
        [tokenId],
      );
      if (row) return toProbedRecord(row);
      await database.query(`update ${offchain}.probe set queued_hash = '' where token_id = $1::numeric`, [
        tokenId,
      ]);
      return undefined;
    },

    /**
     * Spends one probe of each budget of the day. If one is used up, spends nothing and returns its subject. If two
     * callers spend the last probe at once, one of them is refused, and its share of the other budgets is lost.
     */
    async spendBudget(items: readonly BudgetLimit[], now: number): Promise<string | undefined> {
      const [row] = await database.query<{ subject: string }>(
        `with wanted as (select * from jsonb_to_recordset($1::jsonb) as given(subject text, most integer)),
        spent as (
          select subject from wanted join ${offchain}.probe_budget known using (subject)
          where day = $2 and used >= most
        ), taken as (
          insert into ${offchain}.probe_budget as known (subject, day, used)
          select subject, $2, 1 from wanted where not exists (select from spent)
          on conflict (subject, day) do update set used = known.used + 1 returning subject, used
        )
        select subject from spent
        union all select subject from wanted join taken using (subject) where used > most limit 1`,
        [JSON.stringify(items), utcDay(now)],
      );
      return row?.subject;
    },

    /**
     * Saves the result of a probe, and adds it and its events to the day. Does nothing if the record's version has
     * changed. A job that runs twice is counted once.
     */
    async saveResult(
      record: ProbedRecord,
      probe: ServiceProbe,
      { dueAt, at, events }: { dueAt: number; at: number; events: readonly ProbeEvent[] },
    ): Promise<void> {
      const column = toColumn(probe.outcome);
      const isAlive = probe.outcome === "answers" || probe.outcome === "gated";
      const latency = isAlive ? Math.max(...probe.endpoints.map(({ latencyMs }) => latencyMs)) : -1;
      await database.query(
        `with known as (
          select probe.token_id, probe.outcome, probe.drift, probe.counted_due_at is distinct from $9::float8 as counts
          from ${offchain}.probe probe join ${index}.app app using (token_id, did_hash)
          where token_id = $1::numeric and app.data_hash = $2 and app.data_hash_algorithm = $3::integer
        ), settled as (
          update ${offchain}.probe probe set data_hash = $2, algorithm = $3::integer, outcome = $4, drift = $5,
            answer = $6::jsonb, probed_at = $7::float8, counted_due_at = $9::float8,
            answered_at = case when $8::boolean then $7::float8 else answered_at end,
            alive = case when $4 = 'unknown' then alive else $8::boolean end,
            drifted = case when $5 = 'not-comparable' then drifted else $5 = 'changed' end
          from known where probe.token_id = known.token_id
          returning probe.token_id, known.counts,
            (known.outcome, known.drift) is distinct from (probe.outcome, probe.drift) as changed
        ), counted as (
          insert into ${offchain}.probe_day as known (token_id, day, ${column}, changed, events, latency_ms)
          select token_id, $10, 1, $11::integer, $12::jsonb, $13::integer from settled where counts
          on conflict (token_id, day) do update set ${column} = known.${column} + 1,
            changed = known.changed + excluded.changed, events = known.events || excluded.events,
            latency_ms = greatest(known.latency_ms, excluded.latency_ms)
        ) ${insertChangesSql({ index, offchain }, "(select token_id from settled where changed)")}`,
        [
          ...[record.tokenId, record.dataHash, record.algorithm, probe.outcome, probe.drift],
          ...[JSON.stringify(probe), at, isAlive, dueAt, utcDay(at), probe.drift === "changed" ? 1 : 0],
          JSON.stringify(Object.fromEntries(events.map(({ kind, detail }) => [kind, { at, detail }]))),
          latency < 0 ? null : latency,
        ],
      );
    },

    /** Deletes old days and budgets. */
    async pruneDays(now: number): Promise<void> {
      await database.query(`delete from ${offchain}.probe_day where day < $1`, [utcDay(now - DAYS * DAY)]);
      await database.query(`delete from ${offchain}.probe_budget where day < $1`, [utcDay(now - DAY)]);
    },

    /** Deletes rows without a record in a range. */
    async prune(range: TokenRange): Promise<void> {
      for (const table of ["probe", "probe_day"])
        await pruneRows(database, { index, offchain }, table, range);
    },
  };
};

function toProbedRecord(row: Row): ProbedRecord {
  return {
    ...{ tokenId: String(row.token_id), did: String(row.did), didHash: row.did_hash as Hex },
    ...{ owner: String(row.owner), interfaces: Number(row.interfaces) },
    ...{ dataUrl: String(row.data_url), dataHash: row.data_hash as Hex, algorithm: Number(row.algorithm) },
    pointer: row.pointer as Hex | null,
    kept: row.kept as string | null,
    probedAt: row.probed_at as number | null,
    alive: row.alive as boolean | null,
    drifted: row.drifted as boolean | null,
  };
}
