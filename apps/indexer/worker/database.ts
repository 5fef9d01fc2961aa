import type { Pool } from "pg";

/** A value of a row. */
type Value = string | number | boolean | null | string[] | object;

export type Row = Record<string, Value>;

/** Database that Ponder indexes into, with the methods that the worker uses. */
export type Database = {
  /** Runs one statement. */
  query<Result extends Row>(text: string, values?: readonly unknown[]): Promise<Result[]>;
  /** Runs several statements without values. */
  run(script: string): Promise<void>;
};

/** Wraps a pool of PostgreSQL connections with write access. */
export const postgresDatabase = (pool: Pool): Database => ({
  query: async <Result extends Row>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Result>(text, [...values])).rows,
  run: async (script) => void (await pool.query(script)),
});
