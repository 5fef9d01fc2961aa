import type { DocumentLabels } from "@app-registry/index/document/parseDocument";
import type { RecordLabels } from "@app-registry/index/document/recordLabels";
import {
  type Database,
  insertChangesSql,
  offchainConditionSql,
  type Schemas,
  toColumns,
} from "@app-registry/index/workerTables";
import { pruneRows, type TokenRange } from "./database.ts";
import type { OffchainRecord } from "./records.ts";

/** Document that matches a record's dataHash, its parsed content, and the labels of the record. */
export type StoredDocument = {
  /** Canonical text, which saves the prober a daily request to the host. Null if the document is large. */
  text: string | null;
  content: DocumentLabels;
  labels: RecordLabels;
};

/** Retention of a document that no record names, in seconds. A reorganization may restore its record. */
const UNREFERENCED_RETENTION_SECONDS = 7 * 86_400;

/** Most documents to look at in one step. */
const MAX_PRUNED = 1_000;

/** Creates the store of documents that match a record's dataHash, and of the labels read from them. */
export const documentStore = (database: Database, schemas: Schemas) => {
  const { index, offchain } = schemas;

  return {
    /** Stores a document and labels the record with it. */
    async keep(
      record: OffchainRecord,
      { text, content, labels }: StoredDocument,
      now: number,
    ): Promise<void> {
      await database.query(
        `insert into ${offchain}.document as known (did_hash, data_hash, algorithm, content, text, kept_at)
        values ($1, $2, $3, $4::jsonb, $5, $6)
        on conflict (did_hash, data_hash, algorithm)
        do update set content = excluded.content, text = coalesce(known.text, excluded.text),
          kept_at = excluded.kept_at`,
        [record.didHash, record.dataHash, record.algorithm, JSON.stringify(content), text, now],
      );
      await this.label(record, labels, now);
    },

    /** Labels a record and marks it as changed. Does nothing if the labels are the same. */
    async label(record: OffchainRecord, labels: RecordLabels, now: number): Promise<void> {
      const { tokenId, didHash, dataHash, algorithm, traitHashes } = record;
      const row = toColumns({ tokenId, didHash, dataHash, algorithm, traitHashes, ...labels });
      const list = (of: string) =>
        Object.keys(row)
          .map((column) => of + column)
          .join(", ");
      await database.query(
        `with labelled as (
          insert into ${offchain}.label as known (${list("")}, labelled_at)
          select ${list("")}, $2 from jsonb_populate_record(null::${offchain}.label, $1)
          on conflict (token_id) do update
          set (${list("")}, labelled_at) = row (${list("excluded.")}, excluded.labelled_at)
          where (${list("known.")}) is distinct from (${list("excluded.")})
          returning token_id
        ) ${insertChangesSql(schemas, "labelled")}`,
        [JSON.stringify(row), now],
      );
    },

    /** Returns the given records whose document is already stored, from an earlier state of the record. */
    async keptFor<Item extends OffchainRecord>(records: readonly Item[]) {
      const rows = await database.query<{ token_id: string; content: DocumentLabels }>(
        `select record.token_id::text as token_id, document.content
        from ${offchain}.record record
        join ${offchain}.document document using (did_hash, data_hash, algorithm)
        where record.token_id = any($1::numeric[])`,
        [records.map(({ tokenId }) => tokenId)],
      );
      const contents = new Map(rows.map(({ token_id, content }) => [token_id, content]));
      return records.flatMap((record) => {
        const content = contents.get(record.tokenId);
        return content ? [{ record, content }] : [];
      });
    },

    /**
     * Deletes rows without a record in a range. Call it only if the index is complete: before that, records are missing.
     */
    async prune(range: TokenRange): Promise<void> {
      const isOffchain = offchainConditionSql("app");
      for (const table of ["record", "label"]) await pruneRows(database, schemas, table, range, isOffchain);
      // Records with JSON on the chain keep their changes, which their probes also make.
      await pruneRows(database, schemas, "change", range);
    },

    /**
     * Deletes documents that no record names, among those of the next didHashes. Returns the last didHash, or an empty
     * text after the last document.
     */
    async pruneDocuments(after: string, now: number): Promise<string> {
      const [range] = await database.query<{ last: string | null; count: number }>(
        `select max(did_hash) as last, count(*)::integer as count from (
          select did_hash from ${offchain}.document where did_hash > $1 order by did_hash limit ${MAX_PRUNED}) as next`,
        [after],
      );
      if (!range?.last) return "";
      await database.query(
        `delete from ${offchain}.document document where did_hash > $1 and did_hash <= $2 and kept_at < $3
          and not exists (select from ${index}.app app
            where app.did_hash = document.did_hash and app.data_hash = document.data_hash
              and app.did_hash > $1 and app.did_hash <= $2)`,
        [after, range.last, now - UNREFERENCED_RETENTION_SECONDS],
      );
      return range.count < MAX_PRUNED ? "" : range.last;
    },
  };
};
