import type { Indexer } from "@app-registry/test-kit/startIndexer";

/** Tables and views with data of the chain, each with the columns of its key. */
const keys = {
  app: ["token_id"],
  version: ["token_id", "minor", "patch"],
  document: ["did_hash", "data_hash"],
  token_of_major: ["did_hash", "major"],
  service: ["did_hash"],
  trait: ["hash"],
  reclaim: ["token_id", "claimant"],
  did_attestation: ["did_hash", "controller", "issuer"],
  data_hash_attestation: ["did_hash", "data_hash", "issuer"],
  block: ["did_hash", "account"],
  challenge: ["did_hash", "incumbent", "challenger"],
  issuer: ["address"],
  resolver_limit: ["name"],
  live_did_attestation: ["did_hash", "controller", "issuer"],
  live_data_hash_attestation: ["did_hash", "data_hash", "issuer"],
} as const;

/** Row by column names. Numbers above 2^53 are strings. */
export type Row = Record<string, unknown>;

/** Rows of every table and view, in key order. */
export type Tables = Record<keyof typeof keys, Row[]>;

/** Runs a statement over the indexer's `/sql`. */
export async function runSql(indexer: Pick<Indexer, "url">, sql: string): Promise<Response> {
  const query = JSON.stringify({ json: { sql, params: [] } });
  return fetch(`${indexer.url}/sql/db?${new URLSearchParams({ sql: query })}`);
}

/** Runs a statement over the indexer's `/sql` and returns its rows. */
export async function readSql(indexer: Pick<Indexer, "url">, sql: string): Promise<Row[]> {
  const response = await runSql(indexer, sql);
  if (!response.ok) throw new Error(`/sql answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { rows: Row[] }).rows;
}

/**
 * Selects rows in the index's database. `/sql` takes 50 ms for each statement, and caches rows until it hears of a
 * change, a moment after the change.
 */
export const selectRows = (indexer: Pick<Indexer, "index">, sql: string): Promise<Row[]> =>
  indexer.index.read(async ({ client }) => (await client.query<Row>(sql)).rows);

/** Reads all tables and views of an index at one block. */
export const readTables = ({ index }: Pick<Indexer, "index">): Promise<Tables> =>
  index.read(async ({ client }) => {
    const tables: Partial<Tables> = {};
    for (const [table, key] of Object.entries(keys) as [keyof Tables, readonly string[]][]) {
      const { rows } = await client.query<Row>(`select * from ${table} order by ${key.join(", ")}`);
      tables[table] = rows;
    }
    return tables as Tables;
  });
