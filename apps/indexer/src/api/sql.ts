import { db } from "ponder:api";
import type { Version } from "@app-registry/sdk";
import type { PgColumn } from "drizzle-orm/pg-core";
import { desc, sql } from "ponder";

/** SQL fragment whose value is a `Value`. */
export type Sql<Value = unknown> = ReturnType<typeof sql<Value>>;

/**
 * Prepares a query whose rows PostgreSQL returns as one JSON: decoding every column here takes longer than the query.
 * A PostgreSQL server parses a query with a `name` once per connection, and may reuse its plan.
 */
export function prepareRows<Row>(query: Sql, name?: string) {
  const prepared = db
    .select({ rows: sql<Row[]>`coalesce(json_agg(found), '[]')` })
    .from(sql`(${query}) as found`)
    .prepare(name as string);
  return async (values?: Record<string, unknown>): Promise<Row[]> => {
    const [found] = await prepared.execute(values);
    return found?.rows ?? [];
  };
}

type VersionColumns = Record<"major" | "minor" | "patch", PgColumn>;

/** Builds the condition that a row's version is below (`<`) or at least (`>=`) another one, in semver order. */
export const compareVersionSql = (
  { major, minor, patch }: VersionColumns,
  comparison: "<" | ">=",
  other: Version,
): Sql =>
  sql`(${major}, ${minor}, ${patch}) ${sql.raw(comparison)} (${other.major}::int, ${other.minor}::int, ${other.patch}::int)`;

/** Builds the order by version, highest first. */
export const orderByVersionDesc = ({ major, minor, patch }: VersionColumns) => [
  desc(major),
  desc(minor),
  desc(patch),
];
