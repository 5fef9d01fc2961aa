import type { Pool } from "pg";

/** A value of a row. */
type Value = string | number | boolean | null | string[] | object;

export type Row = Record<string, Value>;

/**
 * The database that Ponder indexes into, as the worker uses it. PGlite is shared with Ponder's own statements, which
 * run between any two of ours, so every change is one statement.
 */
export type Database = {
  /** Runs one statement. */
  query<Result extends Row>(text: string, values?: readonly unknown[]): Promise<Result[]>;
  /** Runs several statements without values. */
  run(script: string): Promise<void>;
};

/** What of a PGlite instance is used. */
export type PgliteClient = {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  exec(script: string): Promise<unknown>;
};

/** The embedded PGlite that Ponder opened. */
export const pgliteDatabase = (client: PgliteClient): Database => ({
  query: async <Result extends Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Result[],
  run: async (script) => void (await client.exec(script)),
});

/** A pool of PostgreSQL connections that may write. */
export const postgresDatabase = (pool: Pool): Database => ({
  query: async <Result extends Row>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Result>(text, [...values])).rows,
  run: async (script) => void (await pool.query(script)),
});
