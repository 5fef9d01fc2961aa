import { withRecency } from "../src/search/recency.ts";
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
export const schemasOf = (chainId: number, index: string): Schemas => ({
  index: `"${index.replaceAll('"', '""')}"`,
  offchain: `"${offchainSchema(chainId)}"`,
});

/** That `record`, `label` or `document` rows, named by alias, are of the record `app` as it stands now. */
export const isOfRecord = (row: string, app: string) => `
  ${row}.did_hash = ${app}.did_hash and ${row}.data_hash = ${app}.data_hash
  and ${row}.algorithm = ${app}.data_hash_algorithm and ${row}.trait_hashes = ${app}.trait_hashes`;

/** That the record `app` has no JSON on the chain. */
export const isOffchain = (app: string) => `${app}.pointer is null`;

/**
 * Creates the worker's tables where they are missing. Times are Unix seconds.
 *
 * - `record`: each record whose JSON is only at its dataUrl, with what the URL served last and when it is asked next
 * - `host`: each host of theirs, with when it may be asked next
 * - `document`: what was read out of each document that hashed to its dataHash
 * - `label`: the labels of a record out of its document
 * - `change`: when a record's labels, or the state of its document, changed last
 */
export async function createTables(database: Database, { offchain }: Schemas): Promise<void> {
  await database.run(`
    create schema if not exists ${offchain};

    create table if not exists ${offchain}.host (
      host text primary key,
      -- The next request: the earliest of its records', and not before free_at.
      due_at double precision not null default 0,
      free_at double precision not null,
      failures integer not null default 0
    );
    alter table ${offchain}.host alter column due_at set default 0;
    create index if not exists host_due on ${offchain}.host (due_at);

    create table if not exists ${offchain}.record (
      token_id numeric(78) primary key,
      did text not null,
      did_hash text not null,
      data_url text not null,
      data_hash text not null,
      algorithm integer not null,
      trait_hashes text[] not null,
      host text not null,
      -- 0 new and Active, 1 new, 2 asked before.
      priority integer not null,
      next_at double precision not null,
      failures integer not null default 0,
      state text not null default 'pending',
      reason text,
      checked_at double precision
    );
    create index if not exists record_queue on ${offchain}.record (host, priority, next_at);

    create table if not exists ${offchain}.document (
      did_hash text not null,
      data_hash text not null,
      algorithm integer not null,
      content jsonb not null,
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
      head_vector tsvector not null,
      labelled_at double precision not null
    );
    -- Null of what was labelled before there were keys, until its host is asked again.
    alter table ${offchain}.label add column if not exists name_folded text;
    alter table ${offchain}.label add column if not exists name_skeleton text;
    create index if not exists label_name_folded on ${offchain}.label (name_folded);
    create index if not exists label_name_skeleton on ${offchain}.label (name_skeleton);
    create index if not exists label_name on ${offchain}.label (sort_name collate "C", token_id);
    create index if not exists label_head on ${offchain}.label using gin (${withRecency("head_vector", "token_id")});
    create index if not exists label_search on ${offchain}.label using gin (${withRecency("search_vector", "token_id")});

    create table if not exists ${offchain}.change (
      token_id numeric(78) primary key,
      changed_at bigint not null
    );
    create index if not exists change_at on ${offchain}.change (changed_at, token_id);`);
}

/** The last table that `createTables` makes; its script is one transaction. */
export const LAST_TABLE = "change";

/**
 * Puts down that records changed, named by the column `token_id` of `changed`. The time is that of the last indexed
 * block: by the worker's own clock a change could come after one of a block that is indexed later, and whoever follows
 * the changes by their times would miss that block's.
 */
export const noteChanges = ({ index, offchain }: Schemas, changed: string) => `
  insert into ${offchain}.change as known (token_id, changed_at)
  select changed.token_id, head.timestamp from ${changed} changed, ${index}.head head
  on conflict (token_id) do update set changed_at = greatest(known.changed_at, excluded.changed_at)`;

/** Whether the tables are there. */
export async function haveTables(database: Database, { offchain }: Schemas): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>("select to_regclass($1) is not null as found", [
    `${offchain}.${LAST_TABLE}`,
  ]);
  return row?.found === true;
}
