import type { Pool } from "pg";

/** A value of a row. */
type Value = string | number | boolean | null | string[] | object;

export type Row = Record<string, Value>;

/**
 * Database that Ponder indexes into, with the methods that the worker uses. Ponder shares PGlite and runs its
 * statements between any two of the worker's, so every change is one statement.
 */
export type Database = {
  /** Runs one statement. */
  query<Result extends Row>(text: string, values?: readonly unknown[]): Promise<Result[]>;
  /** Runs several statements without values. */
  run(script: string): Promise<void>;
};

/** Methods of a PGlite instance that the worker uses. */
export type PgliteClient = {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  exec(script: string): Promise<unknown>;
};

/** Wraps the embedded PGlite that Ponder opened. */
export const pgliteDatabase = (client: PgliteClient): Database => ({
  query: async <Result extends Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Result[],
  run: async (script) => void (await client.exec(script)),
});

/** Wraps a pool of PostgreSQL connections with write access. */
export const postgresDatabase = (pool: Pool): Database => ({
  query: async <Result extends Row>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Result>(text, [...values])).rows,
  run: async (script) => void (await pool.query(script)),
});
