import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { environment } from "../../../environment.ts";
import { NEWEST_TABLE, offchainSchema, probeJoinSql, recordJoinSql } from "../../../offchain/tables.ts";
import type { Sql } from "../sql.ts";

const schema = offchainSchema(environment.chainId);

/** A table of the worker, and that a row of it is of the record `app` as it stands now. */
const workerTable = (name: string, isOfRecord: string) => ({
  table: sql.raw(`${schema}.${name} ${name}`),
  isOfRecord: sql.raw(isOfRecord),
});

const isOffchain = (row: string) =>
  `app.pointer is null and ${row}.token_id = app.token_id and ${recordJoinSql(row, "app")}`;

/** The labels that the document at its dataUrl gives a record without a JSON on the chain. */
export const labels = workerTable("label", isOffchain("label"));

/** What was found at the dataUrl of a record without a JSON on the chain. */
export const checks = workerTable("record", `${isOffchain("record")} and record.data_url = app.data_url`);

/** What came of asking the service of a record whether it is live. */
export const probes = workerTable("probe", `${probeJoinSql("probe", "app")} and probe.outcome is not null`);

/** When the worker changed last what is told of a record, if it did since the chain did. */
export const changes = workerTable(
  "change",
  "change.token_id = app.token_id and change.changed_at > app.changed_at",
);

/** Milliseconds between two looks whether the worker has made its tables. */
const INTERVAL = 1_000;

let workerTablesFound = false;
let tablesCheckedAt = Number.NEGATIVE_INFINITY;

/** Whether the worker has made its tables. */
export async function workerTablesExist(): Promise<boolean> {
  const now = performance.now();
  if (workerTablesFound || !environment.readsOffchainDocuments || now - tablesCheckedAt < INTERVAL)
    return workerTablesFound;
  tablesCheckedAt = now;
  const { rows } = await db.execute(
    sql`select to_regclass(${`${schema}.${NEWEST_TABLE}`}) is not null as exist`,
  );
  workerTablesFound = rows[0]?.exist === true;
  return workerTablesFound;
}

/** Records, of which an index serves every search; each stands in one of the sources of a search. */
export type Source = {
  from: Sql;
  /** Which of its rows count; undefined for all. */
  where: Sql | undefined;
  /** Has the columns out of the documents that label the records. */
  label: "app" | "label";
  /** Has the columns `changed_at` and `token_id`, and an index over both. */
  change: "app" | "change";
  /** The worker has made its tables. */
  hasTables: boolean;
};

/** Where a search looks, by whether labels or changes decide what it finds, or in which order. */
export async function listSources({ q, name, sort, updatedSince }: Partial<SearchQuery>): Promise<Source[]> {
  const hasTables = await workerTablesExist();
  const chain: Source = { from: sql`${app}`, where: undefined, label: "app", change: "app", hasTables };
  const asksForLabels = q !== undefined || name !== undefined || sort === "name";
  const sources = hasTables && asksForLabels ? splitSource(chain, labels, { label: "label" }) : [chain];
  const asksForChanges = updatedSince !== undefined || sort === "changed";
  if (!hasTables || !asksForChanges) return sources;
  return sources.flatMap((source) => splitSource(source, changes, { change: "change" }));
}

/** The records of a source of which a table has a row, and the others: by a subquery, which leaves the index of an order in use. */
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

/** The column of the documents that label the records of a source. */
export const labelColumn = ({ label }: Source, column: string): Sql => sql.raw(`${label}.${column}`);

/** That a record of a source holds the words of a tsquery. */
export const matchesQuerySql = (query: Sql | string, source: Source): Sql =>
  sql`${labelColumn(source, "search_vector")} @@ ${query}::tsquery`;
