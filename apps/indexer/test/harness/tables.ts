import type { Indexer } from "@app-registry/test-kit/startIndexer";

/** The tables and views that hold what the chain says, each with the columns that name a row. */
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

/** A row by the names of its columns. Numbers beyond 2^53 are strings. */
export type Row = Record<string, unknown>;

/** Every row of every table and view, in the order of their keys. */
export type Tables = Record<keyof typeof keys, Row[]>;

/** One statement over the indexer's `/sql`. */
export async function runSql(indexer: Pick<Indexer, "url">, sql: string): Promise<Response> {
  const query = JSON.stringify({ json: { sql, params: [] } });
  return fetch(`${indexer.url}/sql/db?${new URLSearchParams({ sql: query })}`);
}

/** The rows that a statement gives over the indexer's `/sql`. */
export async function readSql(indexer: Pick<Indexer, "url">, sql: string): Promise<Row[]> {
  const response = await runSql(indexer, sql);
  if (!response.ok) throw new Error(`/sql answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { rows: Row[] }).rows;
}

/** Reads everything that an index holds. */
export async function readTables(indexer: Pick<Indexer, "url">): Promise<Tables> {
  const tables: Partial<Tables> = {};
  for (const [table, key] of Object.entries(keys) as [keyof Tables, readonly string[]][]) {
    tables[table] = await readSql(indexer, `select * from ${table} order by ${key.join(", ")}`);
  }
  return tables as Tables;
}

/** Tables of any database: PGlite gives as a number what PostgreSQL gives as a string. */
export const asText = (tables: Tables): unknown =>
  JSON.parse(JSON.stringify(tables, (_key, value) => (typeof value === "number" ? String(value) : value)));
