import type { DocumentLabels } from "../src/document/parseDocument.ts";
import type { RecordLabels } from "../src/document/recordLabels.ts";
import type { Database } from "./database.ts";
import type { OffchainRecord } from "./records.ts";
import { isOffchain, type Schemas } from "./tables.ts";

/** What was read out of a document that hashes to its dataHash, and what of it labels the record. */
export type KeptDocument = { content: DocumentLabels; labels: RecordLabels };

/** Seconds since it was last served for which a document is kept that no record names: a chain may come back to it. */
const UNNAMED = 7 * 86_400;

/** The documents that hashed to the dataHash of a record, and the labels of records out of them. */
export const documentStore = (database: Database, schemas: Schemas) => {
  const { index, offchain } = schemas;

  return {
    /** Keeps a document, and labels the record by it. */
    async keep(record: OffchainRecord, { content, labels }: KeptDocument, now: number): Promise<void> {
      await database.query(
        `insert into ${offchain}.document (did_hash, data_hash, algorithm, content, kept_at)
        values ($1, $2, $3, $4::jsonb, $5)
        on conflict (did_hash, data_hash, algorithm)
        do update set content = excluded.content, kept_at = excluded.kept_at`,
        [record.didHash, record.dataHash, record.algorithm, JSON.stringify(content), now],
      );
      await this.label(record, labels, now);
    },

    /** Labels a record; leaves the row alone when it says so already. */
    async label(record: OffchainRecord, labels: RecordLabels, now: number): Promise<void> {
      await database.query(
        `insert into ${offchain}.label as known (token_id, did_hash, data_hash, algorithm, trait_hashes, name,
          description, publisher, image, endpoints, traits, problems, sort_name, search_vector, name_vector, labelled_at)
        values ($1::numeric, $2, $3, $4, $5::text[], $6, $7, $8, $9, $10::jsonb, $11::text[], $12::jsonb, $13,
          $14::tsvector, $15::tsvector, $16)
        on conflict (token_id) do update set did_hash = excluded.did_hash, data_hash = excluded.data_hash,
          algorithm = excluded.algorithm, trait_hashes = excluded.trait_hashes, name = excluded.name,
          description = excluded.description, publisher = excluded.publisher, image = excluded.image,
          endpoints = excluded.endpoints, traits = excluded.traits, problems = excluded.problems, sort_name = excluded.sort_name,
          search_vector = excluded.search_vector, name_vector = excluded.name_vector,
          labelled_at = excluded.labelled_at
        where (known.did_hash, known.data_hash, known.algorithm, known.trait_hashes, known.problems,
            known.sort_name, known.search_vector)
          is distinct from (excluded.did_hash, excluded.data_hash, excluded.algorithm, excluded.trait_hashes,
            excluded.problems, excluded.sort_name, excluded.search_vector)`,
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
          labels.nameVector,
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
        select from ${index}.app app where app.token_id = ${row}.token_id and ${isOffchain(schemas, "app")})`;
      await database.query(`delete from ${offchain}.record record where ${gone("record")}`);
      await database.query(`delete from ${offchain}.label label where ${gone("label")}`);
      await database.query(
        `delete from ${offchain}.document document where kept_at < $1 and not exists (
          select from ${index}.app app
          where app.did_hash = document.did_hash and app.data_hash = document.data_hash)`,
        [now - UNNAMED],
      );
    },
  };
};
