import { createTables, type Database, quoteSchemas, type Row } from "@app-registry/index/workerTables";
import { canonicalizeValue, dataHash, didHash, traitHash } from "@app-registry/sdk";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { postgresDatabase } from "../../worker/database.ts";

/** Tables of an index that the worker reads, in a real database filled by tests. */
export type OffchainIndex = Awaited<ReturnType<typeof indexIn>>;

export type Service = {
  tokenId: number;
  dataUrl: string;
  metadata: Record<string, unknown>;
  did?: string;
  status?: 0 | 1 | 2;
  algorithm?: 0 | 1;
  /** Default: those of the metadata. */
  traits?: string[];
  /** Holder of the token. Default: a separate account. */
  owner?: string;
  /** Default: API. */
  interfaces?: number;
  /** True if the JSON is on the chain from the start. */
  onChain?: boolean;
  /** Block time of the change. */
  at?: number;
};

const NAME = "index";

const tables = `
  create schema "${NAME}";
  create table "${NAME}".app (token_id numeric(78) primary key, did text, did_hash text, data_url text,
    data_hash text, data_hash_algorithm integer, trait_hashes text[], status integer, changed_at int8, pointer text,
    owner text, interfaces integer, endpoints jsonb,
    major integer default 1, minor integer default 0, patch integer default 0);
  create table "${NAME}".issuer (address text);
  create table "${NAME}"._ponder_meta (key text, value jsonb);
  create table "${NAME}"._ponder_checkpoint (finalized_checkpoint text);
  create table "${NAME}".head (number int8, hash text, timestamp int8);
  insert into "${NAME}"._ponder_meta values ('app', '{"is_ready": 1}');
  insert into "${NAME}"._ponder_checkpoint values ('${"0".repeat(75)}');
  insert into "${NAME}".head values (1, '0x01', 1000);`;

const toDid = ({ tokenId, did }: { tokenId?: number; did?: string }) => did ?? `did:web:host-${tokenId}.test`;

async function indexIn(database: Database) {
  const schemas = quoteSchemas(31337, NAME);
  const { index, offchain } = schemas;
  await database.run(tables);
  await createTables(database, schemas);
  const row = async (table: "record" | "label", tokenId: number, condition: string) =>
    (
      await database.query<Row>(
        `select row.*, job.failures from ${offchain}.${table} row join ${index}.app using (token_id)
        left join ${offchain}.queue_job job on job.key = token_id::text and job.kind = 'document'
        where token_id = $1::numeric and row.data_hash = app.data_hash ${condition}`,
        [tokenId],
      )
    )[0];
  const documents = new Map<string, string>();
  return {
    database,
    schemas,
    /** Inserts the record of a service whose JSON is only at `dataUrl`. */
    async mint(service: Service) {
      const {
        tokenId,
        dataUrl,
        metadata,
        status = 0,
        algorithm = 0,
        traits,
        at = 1_000,
        did,
        ...more
      } = service;
      const text = canonicalizeValue(metadata);
      const pointer = more.onChain ? dataHash(text, 0).slice(0, 42) : null;
      if (pointer) documents.set(pointer, text);
      const carried = traits ?? (Array.isArray(metadata.traits) ? metadata.traits : []);
      await database.query(
        `insert into ${index}.app values ($1::numeric, $2, $3, $4, $5, $6, $7::text[], $8, $9, $10, $11, $12, '[]')
        on conflict (token_id) do update set did = excluded.did, did_hash = excluded.did_hash,
          data_url = excluded.data_url, data_hash = excluded.data_hash, trait_hashes = excluded.trait_hashes,
          status = excluded.status, changed_at = excluded.changed_at, pointer = excluded.pointer,
          owner = excluded.owner, interfaces = excluded.interfaces`,
        [
          tokenId,
          toDid({ tokenId, ...(did && { did }) }),
          didHash(toDid({ tokenId, ...(did && { did }) })),
          dataUrl,
          dataHash(text, algorithm),
          algorithm,
          carried.map(traitHash),
          status,
          at,
          pointer,
          more.owner ?? `0x${tokenId.toString(16).padStart(40, "0")}`,
          more.interfaces ?? 2,
        ],
      );
    },
    /** Stores the JSON of a service on the chain. */
    async storeOnChain({ did = "", metadata }: Pick<Service, "did" | "metadata">) {
      await database.query(
        `update ${index}.app set pointer = '0x${"00".repeat(20)}' where did_hash = $1 and data_hash = $2`,
        [didHash(did), dataHash(canonicalizeValue(metadata), 0)],
      );
    },
    /** Reads the worker's row of a token. */
    record: (tokenId: number) => row("record", tokenId, "and row.data_url = app.data_url"),
    /** Reads the labels that match the token's current record. */
    label: (tokenId: number) => row("label", tokenId, "and row.trait_hashes = app.trait_hashes"),
    /** Reads the JSON stored at a pointer. */
    async documentAt(pointer: string) {
      const text = documents.get(pointer);
      if (text === undefined) throw new Error(`There is nothing at ${pointer}`);
      return text;
    },
    /** Reads the columns of a token's last probe. */
    async probe(tokenId: number) {
      const [known] = await database.query<Row>(
        `select known.*, job.failures, job.due_at from ${offchain}.probe known
        left join ${offchain}.queue_job job on job.key = token_id::text and job.kind = 'probe'
        where token_id = $1::numeric`,
        [tokenId],
      );
      return known;
    },
    /** Reads the time of the worker's last change of a token; undefined before the first. */
    async changedAt(tokenId: number) {
      const [change] = await database.query(
        `select changed_at::float8 as at from ${offchain}.change where token_id = $1::numeric`,
        [tokenId],
      );
      return change && Number(change.at);
    },
    /** Sets the time of the last block, in Unix seconds. */
    mine: async (timestamp: number) =>
      void (await database.query(`update ${index}.head set timestamp = $1`, [timestamp])),
    clear: () =>
      database.run(`truncate ${index}.app, ${offchain}.queue_job, ${offchain}.queue_host, ${offchain}.record,
        ${offchain}.document, ${offchain}.label, ${offchain}.change, ${offchain}.probe, ${offchain}.probe_day,
        ${offchain}.probe_budget,
        ${index}.issuer; update ${index}.head set timestamp = 1000`),
  };
}

/** Creates an index in its own database. */
export async function openOffchainIndex() {
  const server = await createDatabase();
  const pool = server.connect();
  return {
    index: await indexIn(postgresDatabase(pool)),
    async stop() {
      await pool.end();
      await server.stop();
    },
  };
}
