import { createJobQueueTablesSql } from "@app-registry/outbound/internal";
import type { Database } from "./database.ts";

/** The schemas of a chain's tables, quoted. */
export type Schemas = {
  /** Ponder's, with `app`. */
  index: string;
  /** The worker's own; it outlives the index, so that a new one needs no new requests. */
  offchain: string;
};

/** The name of the worker's own schema. */
export const offchainSchema = (chainId: number) => `app_registry_documents_${chainId}`;

/** Quotes the schema `index` of Ponder beside the worker's own. */
export const quoteSchemas = (chainId: number, index: string): Schemas => ({
  index: `"${index.replaceAll('"', '""')}"`,
  offchain: `"${offchainSchema(chainId)}"`,
});

/** That `record`, `label` or `document` rows, named by alias, are of the record `app` as it stands now. */
export const recordJoinSql = (row: string, app: string) => `
  ${row}.did_hash = ${app}.did_hash and ${row}.data_hash = ${app}.data_hash
  and ${row}.algorithm = ${app}.data_hash_algorithm and ${row}.trait_hashes = ${app}.trait_hashes`;

/** That a `probe` row, named by alias, is of the record `app` and its current version. */
export const probeJoinSql = (probe: string, app: string) => `
  ${probe}.token_id = ${app}.token_id and ${probe}.did_hash = ${app}.did_hash
  and ${probe}.data_hash = ${app}.data_hash and ${probe}.algorithm = ${app}.data_hash_algorithm`;

/** That the record `app` has no JSON on the chain. */
export const offchainConditionSql = (app: string) => `${app}.pointer is null`;

/**
 * Creates the worker's tables where they are missing. Times are Unix seconds.
 *
 * - `record`: each record whose JSON is only at its dataUrl, with what the URL served last
 * - `queue_job`, `queue_host`: when each record is asked next, and each host of theirs
 * - `document`: each document that hashed to its dataHash, and what was read out of it
 * - `label`: the labels of a record out of its document
 * - `probe`: each Active record that is asked whether it is live, with what came of it last
 * - `probe_history`: how each record's probes came out, by day and later by month
 * - `probe_event`: what changed from one probe to the next
 * - `probe_budget`: how many probes of a day a host, a site and a holder have had
 * - `change`: when a record's labels, the state of its document or what its probes say changed last
 */
export async function createTables(database: Database, { offchain }: Schemas): Promise<void> {
  await database.run(`
    create schema if not exists ${offchain};

${createJobQueueTablesSql(offchain)}

    create table if not exists ${offchain}.record (
      token_id numeric(78) primary key,
      did text not null,
      did_hash text not null,
      data_url text not null,
      data_hash text not null,
      algorithm integer not null,
      trait_hashes text[] not null,
      state text not null default 'pending',
      reason text,
      checked_at double precision
    );
${moveToQueue(offchain)}

    create table if not exists ${offchain}.document (
      did_hash text not null,
      data_hash text not null,
      algorithm integer not null,
      content jsonb not null,
      kept_at double precision not null,
      primary key (did_hash, data_hash, algorithm)
    );
    -- Canonical; null for a large one, and for one that was kept before texts were.
    alter table ${offchain}.document add column if not exists text text;

    -- Labels of an earlier form are made again, from the documents that are kept.
    do $$ begin
      if exists (select from information_schema.columns where format('%I.%I', table_schema, table_name) = '${offchain.replaceAll('"', "")}.label'
        and column_name = 'head_vector') then
        drop table ${offchain}.label;
        truncate ${offchain}.record;
      end if;
    end $$;

    create table if not exists ${offchain}.label (
      token_id numeric(78) primary key,
      did_hash text not null,
      data_hash text not null,
      algorithm integer not null,
      trait_hashes text[] not null,
      name text,
      description text,
      publisher text,
      image text,
      endpoints jsonb not null,
      traits text[] not null,
      problems jsonb not null,
      sort_name text not null,
      search_vector tsvector not null,
      words text not null,
      labelled_at double precision not null
    );
    -- Null of what was labelled before there were keys, until its host is asked again.
    alter table ${offchain}.label add column if not exists name_folded text;
    alter table ${offchain}.label add column if not exists name_skeleton text;
    create index if not exists label_name_folded on ${offchain}.label (name_folded);
    create index if not exists label_name_skeleton on ${offchain}.label (name_skeleton);
    create index if not exists label_name on ${offchain}.label (sort_name collate "C", token_id);
    create index if not exists label_search on ${offchain}.label using gin (search_vector);

    create table if not exists ${offchain}.probe (
      token_id numeric(78) primary key,
      did_hash text not null,
      -- The dataHash whose probe stands in the queue; empty while the record is not Active.
      queued_hash text not null,
      -- What was asked last, and what came of it; null before the first probe.
      data_hash text,
      algorithm integer,
      outcome text,
      drift text,
      -- A ServiceProbe (sdk).
      answer jsonb,
      probed_at double precision,
      answered_at double precision,
      -- What the last probe that could tell said: whether it answers, and whether it offers something else.
      alive boolean,
      drifted boolean,
      -- The due time of the job that was counted last, which a second run of it does not count again.
      counted_due_at double precision
    );
    create table if not exists ${offchain}.probe_history (
      token_id numeric(78) not null,
      -- A day (2026-11-24) or a month (2026-11), UTC.
      period text not null,
      answers integer not null default 0,
      gated integer not null default 0,
      failing integer not null default 0,
      other_protocol integer not null default 0,
      unreachable integer not null default 0,
      unknown integer not null default 0,
      changed integer not null default 0,
      primary key (token_id, period)
    );
    create index if not exists probe_history_days on ${offchain}.probe_history (period) where length(period) = 10;
    create table if not exists ${offchain}.probe_event (
      token_id numeric(78) not null,
      at double precision not null,
      -- stopped, answers, changed or same
      kind text not null,
      detail text not null,
      primary key (token_id, at, kind)
    );
    create index if not exists probe_event_at on ${offchain}.probe_event (at);
    create table if not exists ${offchain}.probe_budget (
      subject text not null,
      day text not null,
      used integer not null,
      primary key (subject, day)
    );

    create table if not exists ${offchain}.change (
      token_id numeric(78) primary key,
      changed_at bigint not null
    );
    create index if not exists change_at on ${offchain}.change (changed_at, token_id);`);
}

/** The worker's records in its queue. */
export const DOCUMENT_QUEUE = { scope: "documents", kind: "document" };

/** The services that it asks whether they are live, in the same queue. */
export const PROBE_KIND = "probe";

/** Moves what an earlier version kept of the queue in `record` and `host`, so that no host is asked again sooner. */
const moveToQueue = (offchain: string) => `
    set local statement_timeout = 0;
    do $$ begin if to_regclass('${offchain}.host') is not null then
      insert into ${offchain}.queue_job (scope, kind, key, host, priority, due_at, failures)
        select '${DOCUMENT_QUEUE.scope}', '${DOCUMENT_QUEUE.kind}', token_id::text, host, priority, next_at, failures
        from ${offchain}.record on conflict do nothing;
      insert into ${offchain}.queue_host (scope, host, site, due_at, free_at, failures)
        select '${DOCUMENT_QUEUE.scope}', host, host, due_at, free_at, failures from ${offchain}.host
        on conflict do nothing;
      alter table ${offchain}.record drop column host, drop column priority, drop column next_at, drop column failures;
      drop table ${offchain}.host;
    end if; end $$;`;

/** A table that only the newest form of `createTables` makes; its script is one transaction. */
export const NEWEST_TABLE = "probe_budget";

/**
 * Puts down that records changed, named by the column `token_id` of `changed`. The time is that of the last indexed
 * block: by the worker's own clock a change could come after one of a block that is indexed later, and whoever follows
 * the changes by their times would miss that block's.
 */
export const insertChangesSql = ({ index, offchain }: Schemas, changed: string) => `
  insert into ${offchain}.change as known (token_id, changed_at)
  select changed.token_id, head.timestamp from ${changed} changed, ${index}.head head
  on conflict (token_id) do update set changed_at = greatest(known.changed_at, excluded.changed_at)`;

/** Whether the tables are there. */
export async function tablesExist(database: Database, { offchain }: Schemas): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>("select to_regclass($1) is not null as found", [
    `${offchain}.${NEWEST_TABLE}`,
  ]);
  return row?.found === true;
}
