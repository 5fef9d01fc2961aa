import type { Hex } from "viem";
import { type Readiness, readinessSql } from "../src/readiness.ts";
import type { Database, Row } from "./database.ts";
import { offchainConditionSql, recordJoinSql, type Schemas } from "./tables.ts";

/** A record whose JSON is only at its dataUrl, as the index has it. */
export type OffchainRecord = {
  tokenId: string;
  did: string;
  didHash: Hex;
  dataUrl: string;
  dataHash: Hex;
  algorithm: number;
  traitHashes: Hex[];
};

/** A record that the worker does not have as it stands now. */
export type FoundRecord = OffchainRecord & { status: number };

/** Most records that one look brings. */
const MAX_FOUND = 500;

/** Seconds of block time that a look for new records goes back, in case the chain did. */
const REORG_LOOKBACK_SECONDS = 300;

/** Reads a row of the index, or of the worker's `record`. */
export const toOffchainRecord = (row: Row): OffchainRecord => ({
  tokenId: String(row.token_id),
  did: String(row.did),
  didHash: row.did_hash as Hex,
  dataUrl: String(row.data_url),
  dataHash: row.data_hash as Hex,
  algorithm: Number(row.algorithm),
  traitHashes: row.trait_hashes as Hex[],
});

/** Finds the records that the worker has to take in. */
export const createRecordFinder = (database: Database, schemas: Schemas) => {
  const { index, offchain } = schemas;
  const unknown = (among: string) => `
    select app.token_id::text as token_id, app.did, app.did_hash, app.data_url, app.data_hash,
      app.data_hash_algorithm as algorithm, app.trait_hashes, app.status
    from ${index}.app app
    where ${among} and ${offchainConditionSql("app")} and not exists (
      select from ${offchain}.record known
      where known.token_id = app.token_id and known.data_url = app.data_url and ${recordJoinSql("known", "app")})
    order by app.token_id limit ${MAX_FOUND}`;
  const found = (rows: Row[]): FoundRecord[] =>
    rows.map((row) => ({ ...toOffchainRecord(row), status: Number(row.status) }));

  return {
    /** The length of a list of records that may go on. */
    maxFound: MAX_FOUND,

    /**
     * Whether the index holds every event up to the chain's end. Before, and while blocks are indexed again after a
     * restart, a record that is missing or older means nothing.
     */
    async isReady(): Promise<boolean> {
      const [row] = await database.query<Readiness>(readinessSql(index));
      return row?.ready === true;
    },

    /** The block time of the last change of any record; null without one. */
    async lastChange(): Promise<number | null> {
      const [row] = await database.query<{ at: number | null }>(
        `select max(changed_at)::float8 as at from ${index}.app`,
      );
      return row?.at ?? null;
    },

    /** Records that changed a short time before the last change. */
    recent: async (lastChange: number) =>
      found(
        await database.query(unknown("app.changed_at >= $1::int8"), [
          Math.floor(lastChange) - REORG_LOOKBACK_SECONDS,
        ]),
      ),

    /** Records of the token ids behind `after` and up to `last`. */
    between: async (after: number, last: number) =>
      found(
        await database.query(unknown("app.token_id > $1::numeric and app.token_id <= $2::numeric"), [
          after,
          last,
        ]),
      ),

    /** The highest token id of the index, or of the records that the worker knows. */
    async lastTokenId(): Promise<number> {
      const [row] = await database.query<{ last: number | null }>(`
        select greatest(
          (select max(token_id) from ${index}.app), (select max(token_id) from ${offchain}.record))::float8 as last`);
      return row?.last ?? 0;
    },
  };
};
