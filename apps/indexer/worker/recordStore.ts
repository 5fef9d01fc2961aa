import type { Database, Row } from "@app-registry/index/workerTables";
import {
  DOCUMENT_QUEUE,
  insertChangesSql,
  offchainConditionSql,
  recordJoinSql,
  type Schemas,
} from "@app-registry/index/workerTables";
import { createSqlJobQueue, type JobQueue } from "@app-registry/outbound/internal";
import type { CheckedDocument } from "./checkDocument.ts";
import { type OffchainRecord, toOffchainRecord } from "./records.ts";

/** Record whose dataUrl is due for a check. */
export type DueRecord = OffchainRecord & {
  /** Result of the last check. */
  state: string;
};

/** Opens the queue of documents. New Active records have priority 0, other new records 1, checked records 2. */
export const documentQueue = (database: Database, { offchain }: Schemas): JobQueue =>
  createSqlJobQueue((text, values) => database.query<Row>(text, values), offchain, DOCUMENT_QUEUE.scope);

/** Creates the store of the worker's records and their check results. The queue holds the times of checks. */
export const recordStore = (database: Database, schemas: Schemas) => {
  const { index, offchain } = schemas;
  const currentRecord = `${offchain}.record known join ${index}.app app on app.token_id = known.token_id
    where known.token_id = $1::numeric and known.data_url = app.data_url and ${recordJoinSql("known", "app")}
      and ${offchainConditionSql("app")}`;

  return {
    /** Adds or replaces records and resets their check state. */
    async add(records: readonly OffchainRecord[]): Promise<void> {
      const rows = records.map((record) => ({
        token_id: record.tokenId,
        did: record.did,
        did_hash: record.didHash,
        data_url: record.dataUrl,
        data_hash: record.dataHash,
        algorithm: record.algorithm,
        trait_hashes: record.traitHashes,
      }));
      await database.query(
        `insert into ${offchain}.record (token_id, did, did_hash, data_url, data_hash, algorithm, trait_hashes)
        select * from jsonb_to_recordset($1::jsonb) as given(token_id numeric, did text, did_hash text,
          data_url text, data_hash text, algorithm integer, trait_hashes text[])
        on conflict (token_id) do update set did = excluded.did, did_hash = excluded.did_hash,
          data_url = excluded.data_url, data_hash = excluded.data_hash, algorithm = excluded.algorithm,
          trait_hashes = excluded.trait_hashes, state = 'pending', reason = null, checked_at = null`,
        [JSON.stringify(rows)],
      );
    },

    /** Returns the record. If the index differs or has its JSON on-chain, deletes it and returns `undefined`. */
    async current(tokenId: string): Promise<DueRecord | undefined> {
      const [row] = await database.query<Row>(`select known.* from ${currentRecord}`, [tokenId]);
      if (row) return { ...toOffchainRecord(row), state: String(row.state) };
      await database.query(
        `delete from ${offchain}.record where token_id = $1::numeric and not exists (select from ${currentRecord})`,
        [tokenId],
      );
      return undefined;
    },

    /**
     * Saves the result of a check, and marks the record as changed if the state differs. Does nothing if the record's
     * dataHash or dataUrl has changed.
     */
    async saveCheck(
      record: OffchainRecord,
      { state, reason }: CheckedDocument,
      checkedAt: number,
    ): Promise<void> {
      await database.query(
        `with known as (
          select token_id, state from ${offchain}.record
          where token_id = $1::numeric and data_hash = $2 and data_url = $3
        ), settled as (
          update ${offchain}.record record set state = $4, reason = $5, checked_at = $6
          from known where record.token_id = known.token_id
          returning record.token_id, known.state <> record.state as changed
        ) ${insertChangesSql(schemas, "(select token_id from settled where changed)")}`,
        [record.tokenId, record.dataHash, record.dataUrl, state, reason ?? null, checkedAt],
      );
    },
  };
};
