import type { Database, Schemas } from "@app-registry/index/workerTables";

/** Token ids above `after`, up to `until`. */
export type TokenRange = { after: number; until: number };

/**
 * Deletes the rows of a worker's table, in a range, whose record is missing or does not meet a condition. States the
 * range for both tables, because PostgreSQL infers none.
 */
export async function pruneRows(
  database: Database,
  { index, offchain }: Schemas,
  table: string,
  { after, until }: TokenRange,
  condition = "true",
): Promise<void> {
  await database.query(
    `delete from ${offchain}.${table} row where token_id > $1::numeric and token_id <= $2::numeric
      and not exists (select from ${index}.app app where app.token_id = row.token_id
        and app.token_id > $1::numeric and app.token_id <= $2::numeric and ${condition})`,
    [after, until],
  );
}
