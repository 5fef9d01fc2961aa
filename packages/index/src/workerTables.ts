import { createJobQueueTablesSql } from "@app-registry/outbound/internal";

type Value = string | number | boolean | null | string[] | object;

export type Row = Record<string, Value>;

/** Database that Ponder indexes into, with the methods that the worker uses. */
export type Database = {
  query<Result extends Row>(text: string, values?: readonly unknown[]): Promise<Result[]>;
  /** Runs several statements without values. */
  run(script: string): Promise<void>;
};

/** Quoted names of a chain's schemas. */
export type Schemas = {
  /** Ponder's, with `app`. */
  index: string;
  /** The worker's own. It outlives the index, so that a new index causes no new requests. */
  offchain: string;
};

export const offchainSchema = (chainId: number) => `app_registry_documents_${chainId}`;

/** Quotes the names of Ponder's schema `index` and of the worker's own. */
export const quoteSchemas = (chainId: number, index: string): Schemas => ({
  index: `"${index.replaceAll('"', '""')}"`,
  offchain: `"${offchainSchema(chainId)}"`,
});

/** Returns a row with the names of its columns, for example `token_id` for `tokenId`. */
export const toColumns = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

/** Builds the condition that a `record`, `label` or `document` row (alias) matches the current state of `app`. */
export const recordJoinSql = (row: string, app: string) => `
  ${row}.did_hash = ${app}.did_hash and ${row}.data_hash = ${app}.data_hash
  and ${row}.algorithm = ${app}.data_hash_algorithm and ${row}.trait_hashes = ${app}.trait_hashes`;

/** Builds the condition that a `probe` row (alias) matches the record `app` and its current version. */
export const probeJoinSql = (probe: string, app: string) => `
  ${probe}.token_id = ${app}.token_id and ${probe}.did_hash = ${app}.did_hash
  and ${probe}.data_hash = ${app}.data_hash and ${probe}.algorithm = ${app}.data_hash_algorithm`;

/** Builds the condition that the record `app` has no JSON on the chain. */
export const offchainConditionSql = (app: string) => `${app}.pointer is null`;

/**
 * Creates the worker's tables where they are missing. Times are Unix seconds.
 *
 * - `record`: records whose JSON is only at their dataUrl, with the result of the last check
 * - `queue_job`, `queue_host`: times of the next request for each record and to each host
 * - `document`: documents that match a dataHash, with their parsed content
 * - `label`: labels of records, read from their documents
 * - `probe`: Active records that are probed, with the last result
 * - `probe_day`: outcomes of each record's probes by day, with the changes from one probe to the next
 * - `probe_budget`: probes of a host, a site and a holder per day
 * - `change`: last change of a record's labels, document state or probe result
 */
export async function createTables(database: Database, { offchain }: Schemas): Promise<void> {
  await database.run(`
    -- Two processes that create a table at the same time would collide.
    select pg_advisory_xact_lock(hashtextextended('create ${offchain}', 0));
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

    create table if not exists ${offchain}.document (
      did_hash text not null,
      data_hash text not null,
      algorithm integer not null,
      content jsonb not null,
      -- Canonical; null for large documents.
      text text,
      kept_at double precision not null,
      primary key (did_hash, data_hash, algorithm)
    );

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
      name_folded text,
      name_skeleton text,
      details jsonb,
      labelled_at double precision not null
    );
    create index if not exists label_name_folded on ${offchain}.label (name_folded);
    create index if not exists label_name_skeleton on ${offchain}.label (name_skeleton);
    create index if not exists label_name on ${offchain}.label (sort_name collate "C", token_id);
    alter table ${offchain}.label add column if not exists addresses text[] not null default '{}';
    alter table ${offchain}.label add column if not exists outside_hosts text[];
    create index if not exists label_addresses on ${offchain}.label using gin (addresses);
    create index if not exists label_search on ${offchain}.label using gin (search_vector);

    create table if not exists ${offchain}.probe (
      token_id numeric(78) primary key,
      did_hash text not null,
      -- The dataHash whose probe is in the queue; empty while the record is not Active.
      queued_hash text not null,
      -- Version and result of the last probe; null before the first one.
      data_hash text,
      algorithm integer,
      outcome text,
      drift text,
      -- A ServiceProbe (sdk).
      answer jsonb,
      probed_at double precision,
      answered_at double precision,
      -- Result of the last conclusive probe: the service responds, and differs from the registered version.
      alive boolean,
      drifted boolean,
      -- Due time of the last counted job, so that a second run of it is not counted.
      counted_due_at double precision
    );
    create table if not exists ${offchain}.probe_day (
      token_id numeric(78) not null,
      -- UTC, such as 2026-11-24.
      day text not null,
      answers integer not null default 0,
      gated integer not null default 0,
      failing integer not null default 0,
      other_protocol integer not null default 0,
      unreachable integer not null default 0,
      unknown integer not null default 0,
      changed integer not null default 0,
      -- The day's last change of each kind (stopped, answers, changed, same), with "at" and "detail".
      events jsonb not null default '{}',
      primary key (token_id, day)
    );
    -- Milliseconds of the day's slowest response.
    alter table ${offchain}.probe_day add column if not exists latency_ms integer;
    create index if not exists probe_day_day on ${offchain}.probe_day (day);
    create table if not exists ${offchain}.probe_budget (
      subject text not null,
      day text not null,
      used integer not null,
      primary key (subject, day)
    );
    create index if not exists probe_budget_day on ${offchain}.probe_budget (day);

    create table if not exists ${offchain}.change (
      token_id numeric(78) primary key,
      changed_at bigint not null
    );
    create index if not exists change_at on ${offchain}.change (changed_at, token_id);`);
}

/** Scope and kind of the jobs that check documents. */
export const DOCUMENT_QUEUE = { scope: "documents", kind: "document" };

/** Kind of the jobs that probe services, in the same queue. */
export const PROBE_KIND = "probe";

/** Table that only the newest version of `createTables` creates. Its script is one transaction. */
export const NEWEST_TABLE = "probe_day";

/**
 * Builds the insert of changes of the records in the column `token_id` of `changed`, at the time of the last indexed
 * block. With the worker's clock, a client that follows changes by time would miss those of blocks indexed later but
 * dated earlier.
 */
export const insertChangesSql = ({ index, offchain }: Schemas, changed: string) => `
  insert into ${offchain}.change as known (token_id, changed_at)
  select changed.token_id, head.timestamp from ${changed} changed, ${index}.head head
  on conflict (token_id) do update set changed_at = greatest(known.changed_at, excluded.changed_at)`;

/** Returns true if the newest tables exist. */
export async function tablesExist(database: Database, { offchain }: Schemas): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>("select to_regclass($1) is not null as found", [
    `${offchain}.${NEWEST_TABLE}`,
  ]);
  return row?.found === true;
}
