import type { Version } from "@app-registry/sdk";
import type { PgColumn } from "drizzle-orm/pg-core";
import { desc, sql } from "ponder";

/** A fragment of SQL whose value is a `Value`. */
export type Sql<Value = unknown> = ReturnType<typeof sql<Value>>;

type VersionColumns = Record<"major" | "minor" | "patch", PgColumn>;

/** That the version in a row comes before another one (`<`), or not (`>=`): numbers, the major first, as in semver. */
export const compareVersionSql = (
  { major, minor, patch }: VersionColumns,
  comparison: "<" | ">=",
  other: Version,
): Sql =>
  sql`(${major}, ${minor}, ${patch}) ${sql.raw(comparison)} (${other.major}::int, ${other.minor}::int, ${other.patch}::int)`;

/** Orders rows by their versions, the highest first. */
export const orderByVersionDesc = ({ major, minor, patch }: VersionColumns) => [
  desc(major),
  desc(minor),
  desc(patch),
];
