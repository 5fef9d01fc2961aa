import type { Version } from "@app-registry/sdk";
import type { PgColumn } from "drizzle-orm/pg-core";
import { desc, sql } from "ponder";

/** SQL fragment whose value is a `Value`. */
export type Sql<Value = unknown> = ReturnType<typeof sql<Value>>;

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
