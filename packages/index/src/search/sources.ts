import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "drizzle-orm";
import type { Session } from "../session.ts";
import type { Sql } from "../sql.ts";
import { app } from "../tables.ts";
import { probeJoinSql, recordJoinSql } from "../workerTables.ts";

/** Names a table of the worker, with the condition that its row matches the current state of the record `app`. */
const workerTable = (name: string, isOfRecord: string) => ({
  table: sql.raw(name),
  isOfRecord: sql.raw(isOfRecord),
});

const isOffchain = (row: string) =>
  `app.pointer is null and ${row}.token_id = app.token_id and ${recordJoinSql(row, "app")}`;

/** Labels of records without JSON on the chain, from the document at their dataUrl. */
export const labels = workerTable("label", isOffchain("label"));

/** Results of checking the dataUrl of records without JSON on the chain. */
export const checks = workerTable("record", `${isOffchain("record")} and record.data_url = app.data_url`);

/** Results of probing services. */
export const probes = workerTable("probe", `${probeJoinSql("probe", "app")} and probe.outcome is not null`);

/** Times of the worker's last change of a record, if later than the chain's. */
export const changes = workerTable(
  "change",
  "change.token_id = app.token_id and change.changed_at > app.changed_at",
);

/** Subset of the records that one index can search. Each record is in exactly one source of a search. */
export type Source = {
  from: Sql;
  /** Condition of its rows; `undefined` for all. */
  where: Sql | undefined;
  /** Table with the label columns. */
  label: "app" | "label";
  /** Table with the columns `changed_at` and `token_id` and an index on both. */
  change: "app" | "change";
  /** True if the worker has created its tables. */
  hasTables: boolean;
};

/** Lists the sources of a search. They depend on its use of labels and changes in filters and order. */
export function listSources(
  { hasWorkerTables: hasTables }: Session,
  { q, sort, updatedSince }: Partial<SearchQuery>,
): Source[] {
  const chain: Source = { from: sql`${app}`, where: undefined, label: "app", change: "app", hasTables };
  const asksForLabels = q !== undefined || sort === "name";
  const sources = hasTables && asksForLabels ? splitSource(chain, labels, { label: "label" }) : [chain];
  const asksForChanges = updatedSince !== undefined || sort === "changed";
  if (!hasTables || !asksForChanges) return sources;
  return sources.flatMap((source) => splitSource(source, changes, { change: "change" }));
}

/** Splits a source into records with and without a row in a table. A subquery keeps the index of an order usable. */
const splitSource = (
  source: Source,
  { table, isOfRecord }: typeof labels,
  has: Partial<Source>,
): Source[] => [
  { ...source, ...has, from: sql`${source.from} join ${table} on ${isOfRecord}` },
  {
    ...source,
    where: and(source.where, sql`coalesce((select false from ${table} where ${isOfRecord}), true)`),
  },
];

/** Returns a label column of a source. */
export const labelColumn = ({ label }: Source, column: string): Sql => sql.raw(`${label}.${column}`);

/** Builds the condition that a record of a source matches a tsquery. */
export const matchesQuerySql = (query: Sql | string, source: Source): Sql =>
  sql`${labelColumn(source, "search_vector")} @@ ${query}::tsquery`;
