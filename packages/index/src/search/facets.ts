import { type SearchPage, type SearchQuery, searchFacetsSchema } from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import type { Session } from "../session.ts";
import { trait } from "../tables.ts";
import type { InterpretedQuery } from "./interpretQuery.ts";
import { getOrder, selectOrderedPage } from "./selectOrderedPage.ts";

/** Most matches to count, newest first. */
const COUNTED = 10_000;
const TRAITS = 50;
const API_TYPES = 20;

/** Counts all matches of a search. Returns empty counts if no record contains its words. */
export async function countFacets(
  session: Session,
  query: SearchQuery,
  understood: InterpretedQuery | undefined,
): Promise<Required<Pick<SearchPage, "total" | "facets">>> {
  const most = (condition: ReturnType<typeof sql>, limit: number) => sql`
    (select coalesce(json_agg(json_strip_nulls(json_build_object('hash', hash, 'trait', label, 'count', count))), '[]')
     from (select * from traits where ${condition} order by count desc, label, hash limit ${limit}::int) most)`;
  const { sort: _, ...unordered } = query;
  const found = await selectOrderedPage(session, unordered, getOrder({}), {
    understood,
    limit: COUNTED,
    columns: ["interfaces", "trait_hashes"],
  });
  const ofBit = (bit: number) =>
    sql`json_build_object('interface', ${bit}::int, 'count', (select count(*) from found where interfaces & ${bit}::int > 0))`;
  const { rows } = await session.db.execute<{ count: number; facets: unknown }>(sql`
    with found as materialized (${found}),
    counts as (select hash, count(*)::int as count from found, unnest(trait_hashes) as hash group by hash),
    traits as (
      select counts.hash, count, ${trait.label} as label
      from counts left join ${trait} on ${trait.hash} = counts.hash)
    select (select count(*)::int from found) as count, json_build_object(
      'traits', ${most(sql`label is null or label not like 'api:%'`, TRAITS)},
      'apiTypes', ${most(sql`label like 'api:%'`, API_TYPES)},
      'interfaces', json_build_array(${ofBit(1)}, ${ofBit(2)}, ${ofBit(4)})) as facets`);
  const { count, facets } = rows[0] ?? { count: 0, facets: undefined };
  return { total: { count, exact: count < COUNTED }, facets: searchFacetsSchema.parse(facets) };
}
