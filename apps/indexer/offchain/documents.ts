import type { DocumentLabels } from "../src/document/parseDocument.ts";
import type { RecordLabels } from "../src/document/recordLabels.ts";
import type { Database } from "./database.ts";
import type { OffchainRecord } from "./records.ts";
import { insertChangesSql, offchainConditionSql, type Schemas } from "./tables.ts";

/** A document that hashes to its dataHash, what was read out of it, and what of that labels the record. */
export type StoredDocument = {
  /** Canonical; kept for the prober, which would otherwise ask the host for it daily. Null for a large one. */
  text: string | null;
  content: DocumentLabels;
  labels: RecordLabels;
};

/** Seconds since it was last served for which a document is kept that no record names: a chain may come back to it. */
const UNREFERENCED_RETENTION_SECONDS = 7 * 86_400;

/** What a row of `label` says, in the order of the values below. */
const labelColumns = [
  ...["did_hash", "data_hash", "algorithm", "trait_hashes", "name", "description", "publisher", "image"],
  ...["endpoints", "traits", "problems", "sort_name", "search_vector", "words"],
  ...["name_folded", "name_skeleton"],
];
const columns = labelColumns.join(", ");
const qualifyColumns = (row: string) => labelColumns.map((column) => `${row}.${column}`).join(", ");

/** The documents that hashed to the dataHash of a record, and the labels of records out of them. */
export const documentStore = (database: Database, schemas: Schemas) => {
  const { index, offchain } = schemas;

  return {
    /** Keeps a document, and labels the record by it. */
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

    /** Labels a record, which is a change of it; leaves the row alone when it says so already. */
    async label(record: OffchainRecord, labels: RecordLabels, now: number): Promise<void> {
      await database.query(
        `with labelled as (
          insert into ${offchain}.label as known (token_id, ${columns}, labelled_at)
          values ($1::numeric, $2, $3, $4, $5::text[], $6, $7, $8, $9, $10::jsonb, $11::text[], $12::jsonb, $13,
            $14::tsvector, $15, $16, $17, $18)
          on conflict (token_id) do update set (${columns}, labelled_at) = row (${qualifyColumns("excluded")}, excluded.labelled_at)
          where (${qualifyColumns("known")}) is distinct from (${qualifyColumns("excluded")})
          returning token_id
        ) ${insertChangesSql(schemas, "labelled")}`,
        [
          record.tokenId,
          record.didHash,
          record.dataHash,
          record.algorithm,
          record.traitHashes,
          labels.name,
          labels.description,
          labels.publisher,
          labels.image,
          JSON.stringify(labels.endpoints),
          labels.traits,
          JSON.stringify(labels.problems),
          labels.sortName,
          labels.searchVector,
          labels.words,
          labels.nameFolded,
          labels.nameSkeleton,
          now,
        ],
      );
    },

    /** Of the records given, those whose document was kept before, for another state of the record. */
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

    /** Forgets what belongs to no record any more. Only while the index is complete: before, every record is missing. */
    async prune(now: number): Promise<void> {
      const gone = (row: string) => `not exists (
        select from ${index}.app app where app.token_id = ${row}.token_id and ${offchainConditionSql("app")})`;
      await database.query(`delete from ${offchain}.record record where ${gone("record")}`);
      await database.query(`delete from ${offchain}.label label where ${gone("label")}`);
      // A record with a JSON on the chain changes by its probes.
      await database.query(
        `delete from ${offchain}.change change where not exists (
          select from ${index}.app app where app.token_id = change.token_id)`,
      );
      await database.query(
        `delete from ${offchain}.document document where kept_at < $1 and not exists (
          select from ${index}.app app
          where app.did_hash = document.did_hash and app.data_hash = document.data_hash)`,
        [now - UNREFERENCED_RETENTION_SECONDS],
      );
    },
  };
};
