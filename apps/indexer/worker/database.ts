import type { Database, Row } from "@app-registry/index/workerTables";
import type { Pool } from "pg";

/** Wraps a pool of PostgreSQL connections with write access. */
export const postgresDatabase = (pool: Pool): Database => ({
  query: async <Result extends Row>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Result>(text, [...values])).rows,
  run: async (script) => void (await pool.query(script)),
});
