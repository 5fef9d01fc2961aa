import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type { PoolClient } from "pg";

/**
 * Transaction in which an answer is read, whose search path has the index's schema and the worker's. All its
 * statements see the index at one block. It runs one statement at a time.
 */
export type Session = {
  client: PoolClient;
  db: NodePgDatabase;
  /** Schema that Ponder indexes into. */
  schema: string;
  /** True if the worker has created its tables. */
  hasWorkerTables: boolean;
};

/** Wraps the connection of a transaction. */
export const createSession = (
  client: PoolClient,
  about: Pick<Session, "schema" | "hasWorkerTables">,
): Session => ({ client, db: drizzle({ client, casing: "snake_case" }), ...about });
