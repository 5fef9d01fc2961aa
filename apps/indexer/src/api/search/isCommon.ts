import { db } from "ponder:api";
import { app } from "ponder:schema";
import { sql } from "ponder";
import { z } from "zod";
import type { Sql } from "../sql.ts";

/** To read a record's words and match them costs about this often what it costs to fetch a row that an index names. */
const MATCH_COST = 4;

/** What EXPLAIN says of a query's common table expressions: `CTE` and their name, and the rows expected of them. */
const explainedSchema = z.object({
  "QUERY PLAN": z.tuple([
    z.object({
      Plan: z.object({
        Plans: z.array(z.object({ "Subplan Name": z.string().optional(), "Plan Rows": z.number() })),
      }),
    }),
  ]),
});

/**
 * Whether a select is expected to give so many records that walking from the newest one back, matching each, finds `wanted` of
 * them sooner than fetching every match by the indexes and sorting. PostgreSQL expects them by its statistics, but
 * decides as if matching a record's words cost nothing.
 */
export async function isCommon(matches: Sql, wanted: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    explain (format json)
    with matching as materialized (${matches}),
      everything as materialized (select 1 from ${app})
    select 1 from matching, everything`);
  const [{ Plan }] = explainedSchema.parse(rows[0])["QUERY PLAN"];
  const expected = (name: string) =>
    Plan.Plans.find((plan) => plan["Subplan Name"] === `CTE ${name}`)?.["Plan Rows"] ?? 0;
  return expected("matching") ** 2 >= wanted * expected("everything") * MATCH_COST;
}
