import { type Readiness, readinessSql } from "@app-registry/index/openIndex";
import {
  type Database,
  offchainConditionSql,
  type Row,
  recordJoinSql,
  type Schemas,
} from "@app-registry/index/workerTables";
import type { Hex } from "viem";

/** Record in the index whose JSON is only at its dataUrl. */
export type OffchainRecord = {
  tokenId: string;
  did: string;
  didHash: Hex;
  dataUrl: string;
  dataHash: Hex;
  algorithm: number;
  traitHashes: Hex[];
};

/** Record that the worker lacks or has in an earlier state. */
export type FoundRecord = OffchainRecord & { status: number };

/** Most records that one query returns. */
const MAX_FOUND = 500;

/** Overlap of two queries for new records, in seconds of block time. Covers reorganizations. */
const REORG_LOOKBACK_SECONDS = 300;

/** Converts a row of the index, or of the worker's `record`. */
export const toOffchainRecord = (row: Row): OffchainRecord => ({
  tokenId: String(row.token_id),
  did: String(row.did),
  didHash: row.did_hash as Hex,
  dataUrl: String(row.data_url),
  dataHash: row.data_hash as Hex,
  algorithm: Number(row.algorithm),
  traitHashes: row.trait_hashes as Hex[],
});

/** Creates the finder of records that the worker lacks or has in an earlier state. */
export const createRecordFinder = (database: Database, schemas: Schemas) => {
  const { index, offchain } = schemas;
  // A subquery for each record: for `not exists`, PostgreSQL may read the other table as a whole.
  const unknown = (among: string) => `
    select app.token_id::text as token_id, app.did, app.did_hash, app.data_url, app.data_hash,
      app.data_hash_algorithm as algorithm, app.trait_hashes, app.status
    from ${index}.app app
    where ${among} and ${offchainConditionSql("app")} and coalesce((
      select false from ${offchain}.record known
      where known.token_id = app.token_id and known.data_url = app.data_url and ${recordJoinSql("known", "app")}), true)
    order by app.token_id limit ${MAX_FOUND}`;
  const found = (rows: Row[]): FoundRecord[] =>
    rows.map((row) => ({ ...toOffchainRecord(row), status: Number(row.status) }));

  return {
    /** Length of a result that may be incomplete. */
    maxFound: MAX_FOUND,

    /**
     * Returns true if the index holds every event up to the latest block. Before that, also while Ponder indexes blocks
     * again after a restart, records may be missing or outdated.
     */
    async isReady(): Promise<boolean> {
      const [row] = await database.query<Readiness>(readinessSql(index));
      return row?.ready === true;
    },

    /** Returns the block time of the last change of any record, or null if there are no records. */
    async lastChange(): Promise<number | null> {
      const [row] = await database.query<{ at: number | null }>(
        `select max(changed_at)::float8 as at from ${index}.app`,
      );
      return row?.at ?? null;
    },

    /** Returns records that changed shortly before `lastChange` or later. */
    recent: async (lastChange: number) =>
      found(
        await database.query(unknown("app.changed_at >= $1::int8"), [
          Math.floor(lastChange) - REORG_LOOKBACK_SECONDS,
        ]),
      ),

    /** Returns records with token ids above `after`, up to `last`. */
    between: async (after: number, last: number) =>
      found(
        await database.query(unknown("app.token_id > $1::numeric and app.token_id <= $2::numeric"), [
          after,
          last,
        ]),
      ),

    /** Returns the highest token id of the index and of the worker's records. */
    async lastTokenId(): Promise<number> {
      const [row] = await database.query<{ last: number | null }>(`
        select greatest(
          (select max(token_id) from ${index}.app), (select max(token_id) from ${offchain}.record))::float8 as last`);
      return row?.last ?? 0;
    },
  };
};
