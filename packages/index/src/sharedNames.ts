import { sql } from "drizzle-orm";
import { labels } from "./search/filters.ts";
import type { Session, Sql } from "./session.ts";
import { app } from "./tables.ts";

const keys = ["name_folded", "name_skeleton"] as const;

/**
 * Returns the token ids of records whose name equals, or looks like, that of an Active record of another DID. Returns
 * both records of such a pair, because registering a name first gives no right to it.
 */
export async function sharedNames(session: Session, tokenIds: readonly string[]): Promise<string[]> {
  const ids = sql.join(
    tokenIds.map((tokenId) => sql`${tokenId}::numeric`),
    sql`, `,
  );
  const withLabels = session.hasWorkerTables;
  const column = (name: string) => sql.raw(name);
  const own = (from: Sql, row: string) => sql`
    select app.token_id, app.did_hash, ${column(`${row}.name_folded`)}, ${column(`${row}.name_skeleton`)}
    from ${from} where app.token_id in (${ids})`;
  const labelled = sql`${app} join ${labels.table} on ${labels.isOfRecord}`;
  const asked = withLabels
    ? sql`${own(sql`${app}`, "app")} union all ${own(labelled, "label")}`
    : own(sql`${app}`, "app");
  const other = sql`app.did_hash <> asked.did_hash and app.status = 0`;
  const found = keys.flatMap((key) => [
    sql`exists (select from ${app} where ${column(`app.${key}`)} = ${column(`asked.${key}`)} and ${other})`,
    ...(withLabels
      ? [
          sql`exists (select from ${labelled} where ${column(`label.${key}`)} = ${column(`asked.${key}`)} and ${other})`,
        ]
      : []),
  ]);
  const { rows } = await session.db.execute<{ token_id: string }>(sql`
    select distinct asked.token_id::text as token_id from (${asked}) asked
    where ${sql.join(found, sql` or `)}`);
  return rows.map(({ token_id }) => token_id);
}
