import type { Version } from "@app-registry/sdk";
import { fillPlaceholders, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { type PgColumn, PgDialect } from "drizzle-orm/pg-core";
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
  hasWorkerTables: boolean;
};

export const createSession = (
  client: PoolClient,
  about: Pick<Session, "schema" | "hasWorkerTables">,
): Session => ({ client, db: drizzle({ client, casing: "snake_case" }), ...about });

export type Sql<Value = unknown> = ReturnType<typeof sql<Value>>;

const dialect = new PgDialect({ casing: "snake_case" });

/**
 * Prepares a query whose rows PostgreSQL returns as one JSON: decoding every column here takes longer than the query.
 * A PostgreSQL server parses a query with a `name` once per connection, and may reuse its plan.
 */
export function prepareRows<Row>(query: Sql, name?: string) {
  const { sql: text, params } = dialect.sqlToQuery(
    sql`select coalesce(json_agg(found), '[]') as rows from (${query}) as found`,
  );
  return async ({ client }: Session, values: Record<string, unknown> = {}): Promise<Row[]> => {
    const { rows } = await client.query<{ rows: Row[] }>({
      ...(name !== undefined && { name }),
      text,
      values: fillPlaceholders(params, values),
    });
    return rows[0]?.rows ?? [];
  };
}

type VersionColumns = Record<"major" | "minor" | "patch", PgColumn>;

/** Builds the condition that a row's version is at least another one, in semver order. */
export const isAtLeastSql = ({ major, minor, patch }: VersionColumns, other: Version): Sql =>
  sql`(${major}, ${minor}, ${patch}) >= (${other.major}::int, ${other.minor}::int, ${other.patch}::int)`;
