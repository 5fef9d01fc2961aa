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

let reads = 0;

/** Runs a statement over the indexer's `/sql` and returns its rows. */
export async function readSql(indexer: Pick<Indexer, "url">, sql: string): Promise<Row[]> {
  // Ponder caches rows by the statement's text until it hears of a change, a moment after the change.
  const response = await runSql(indexer, `${sql} /* ${++reads} */`);
  if (!response.ok) throw new Error(`/sql answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { rows: Row[] }).rows;
}

/** Reads all tables and views of an index. */
export async function readTables(indexer: Pick<Indexer, "url">): Promise<Tables> {
  const tables: Partial<Tables> = {};
  for (const [table, key] of Object.entries(keys) as [keyof Tables, readonly string[]][]) {
    tables[table] = await readSql(indexer, `select * from ${table} order by ${key.join(", ")}`);
  }
  return tables as Tables;
}
