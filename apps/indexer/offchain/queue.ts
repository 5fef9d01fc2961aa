import { hostOf } from "@app-registry/outbound";
import { sqlHostTurns } from "@app-registry/outbound/internal";
import type { CheckedDocument } from "./checkDocument.ts";
import type { Database, Row } from "./database.ts";
import { type FoundRecord, type OffchainRecord, storedRecord } from "./records.ts";
import { isOffchain, isOfRecord, noteChanges, type Schemas } from "./tables.ts";

/** A record whose dataUrl is to be asked now. */
export type DueRecord = OffchainRecord & {
  /** Checks in a row that did not find the recorded document. */
  failures: number;
  /** What the last check found. */
  state: string;
};

/** What a check came to, and when the next one is due. */
export type Settlement = {
  checked: CheckedDocument;
  checkedAt: number;
  nextAt: number;
  failures: number;
};

/** A host that may be asked now, and the record at the head of its queue. */
export type Claim = {
  host: string;
  /** Requests in a row that the host left unanswered. */
  hostFailures: number;
  record: DueRecord | undefined;
};

/**
 * The worker's queue: fair between hosts, because a host that was asked goes behind all that wait; within a host,
 * new Active records come first, then other new ones, then those that were asked before.
 */
export const recordQueue = (database: Database, schemas: Schemas) => {
  const { index, offchain } = schemas;

  return {
    /** Takes in records as they stand now, to be asked for at once; what was known of them before is void. */
    async add(records: readonly FoundRecord[], now: number): Promise<void> {
      const rows = records.map(({ status, ...record }) => ({
        token_id: record.tokenId,
        did: record.did,
        did_hash: record.didHash,
        data_url: record.dataUrl,
        data_hash: record.dataHash,
        algorithm: record.algorithm,
        trait_hashes: record.traitHashes,
        host: hostOf(record.dataUrl),
        priority: status === 0 ? 0 : 1,
      }));
      await database.query(
        `with input as (
          select * from jsonb_to_recordset($1::jsonb) as given(token_id numeric, did text, did_hash text,
            data_url text, data_hash text, algorithm integer, trait_hashes text[], host text, priority integer)
        ), added as (
          insert into ${offchain}.record (token_id, did, did_hash, data_url, data_hash, algorithm, trait_hashes,
            host, priority, next_at)
          select token_id, did, did_hash, data_url, data_hash, algorithm, trait_hashes, host, priority, $2
          from input
          on conflict (token_id) do update set did = excluded.did, did_hash = excluded.did_hash,
            data_url = excluded.data_url, data_hash = excluded.data_hash, algorithm = excluded.algorithm,
            trait_hashes = excluded.trait_hashes, host = excluded.host, priority = excluded.priority,
            next_at = excluded.next_at, failures = 0, state = 'pending', reason = null, checked_at = null
        )
        insert into ${offchain}.host as known (host, due_at, free_at)
        select distinct host, $2::float8, $2::float8 from input
        on conflict (host) do update set due_at = greatest(known.free_at, least(known.due_at, excluded.due_at))`,
        [JSON.stringify(rows), now],
      );
    },

    /** Takes the next record of up to `count` hosts that are not `busy`, those first that wait longest. */
    async claim(now: number, count: number, busy: readonly string[], hostGap: number): Promise<Claim[]> {
      const rows = await database.query<Row>(
        `with chosen as (
          select host from ${offchain}.host where due_at <= $1 and free_at <= $1 and host <> all($2::text[])
          order by due_at limit $3
        ), leased as (
          update ${offchain}.host host set due_at = $1 + $4::float8, free_at = $1 + $4::float8
          from chosen where host.host = chosen.host
          returning host.host, host.failures as host_failures
        )
        select leased.host, leased.host_failures, next.token_id::text as token_id, next.did, next.did_hash,
          next.data_url, next.data_hash, next.algorithm, next.trait_hashes, next.failures, next.state
        from leased left join lateral (
          select * from ${offchain}.record record
          where record.host = leased.host and record.next_at <= $1
          order by record.priority, record.next_at limit 1
        ) next on true`,
        [now, [...busy], count, hostGap],
      );
      return rows.map((row) => ({
        host: String(row.host),
        hostFailures: Number(row.host_failures),
        record:
          row.token_id === null
            ? undefined
            : { ...storedRecord(row), failures: Number(row.failures), state: String(row.state) },
      }));
    },

    /** Whether the index still has the record so, without a JSON on the chain. */
    async isCurrent({ tokenId }: OffchainRecord): Promise<boolean> {
      const rows = await database.query(
        `select 1 as found from ${index}.app app join ${offchain}.record known on known.token_id = app.token_id
        where app.token_id = $1::numeric and known.data_url = app.data_url and ${isOfRecord("known", "app")}
          and ${isOffchain("app")}`,
        [tokenId],
      );
      return rows.length > 0;
    },

    async remove({ tokenId }: OffchainRecord): Promise<void> {
      await database.query(`delete from ${offchain}.record where token_id = $1::numeric`, [tokenId]);
    },

    /**
     * Notes what a check came to; nothing when the record is another one by now. Another state than before is a change
     * of the record.
     */
    async settle(
      record: OffchainRecord,
      { checked, checkedAt, nextAt, failures }: Settlement,
    ): Promise<void> {
      await database.query(
        `with known as (
          select token_id, state from ${offchain}.record
          where token_id = $1::numeric and data_hash = $2 and data_url = $3
        ), settled as (
          update ${offchain}.record record set state = $4, reason = $5, checked_at = $6, next_at = $7,
            failures = $8, priority = 2
          from known where record.token_id = known.token_id
          returning record.token_id, known.state <> record.state as changed
        ) ${noteChanges(schemas, "(select token_id from settled where changed)")}`,
        [
          record.tokenId,
          record.dataHash,
          record.dataUrl,
          checked.state,
          checked.reason ?? null,
          checkedAt,
          nextAt,
          failures,
        ],
      );
    },

    /** The turns of the hosts, also of those without records that a redirect leads to. */
    turns: sqlHostTurns((text, values) => database.query<Row>(text, values), `${offchain}.host`),

    /** Has a record wait whose document could not be asked for. */
    async putOff({ tokenId }: OffchainRecord, nextAt: number, failures: number): Promise<void> {
      await database.query(
        `update ${offchain}.record set next_at = $2, failures = $3 where token_id = $1::numeric`,
        [tokenId, nextAt, failures],
      );
    },

    /** Lets a host be asked again from `freeAt` on, or later when it is spared until then; forgets one without records. */
    async release(host: string, freeAt: number, failures: number): Promise<void> {
      await database.query(
        `with next as (
          select min(first.next_at) as at from (values (0), (1), (2)) as level(priority), lateral (
            select record.next_at from ${offchain}.record record
            where record.host = $1 and record.priority = level.priority order by record.next_at limit 1
          ) first
        ), forgotten as (
          delete from ${offchain}.host where host = $1 and (select at from next) is null
        )
        update ${offchain}.host set free_at = greatest(free_at, $2), failures = $3,
          due_at = greatest(free_at, $2, (select at from next))
        where host = $1 and (select at from next) is not null`,
        [host, freeAt, failures],
      );
    },
  };
};
