import { db } from "ponder:api";
import { app, trait } from "ponder:schema";
import { type SearchPage, type SearchQuery, searchFacetsSchema } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { atLeast } from "../../search/terms.ts";
import { filters } from "./filters.ts";
import { fromEach, sourcesOf } from "./sources.ts";
import { holds, type Understood } from "./understand.ts";
import { areCommon, searchedTerms } from "./worth.ts";

/** Newest matches that are counted. */
const COUNTED = 10_000;
const TRAITS = 50;
const API_TYPES = 20;

/** Counts what a search finds, whatever the page; nothing when it has words that no record holds. */
export async function countFacets(
  query: SearchQuery,
  understood: Understood | undefined,
): Promise<Required<Pick<SearchPage, "total" | "facets">>> {
  const terms = await searchedTerms(understood?.words ?? []);
  const words = query.q === undefined ? undefined : understood ? atLeast(terms, understood.least) : "";
  const isRare = !(await areCommon(terms));
  const most = (condition: ReturnType<typeof sql>, limit: number) => sql`
    (select coalesce(json_agg(json_strip_nulls(json_build_object('hash', hash, 'trait', label, 'count', count))), '[]')
     from (select * from traits where ${condition} order by count desc, label, hash limit ${limit}::int) most)`;
  const { sort: _, ...unordered } = query;
  const { before, parts } = await sourcesOf(unordered);
  const found = fromEach(
    [...before, ...parts],
    (source) => sql`
      select ${app.tokenId} as token_id, ${app.interfaces} as interfaces, ${app.traitHashes} as hashes
      from ${source.from} where ${and(filters(query, source), holds(words, source))}`,
    sql`order by token_id desc limit ${COUNTED}::int`,
    isRare,
  );
  const { rows } = await db.execute<{
    count: number;
    bits: number[];
    traits: unknown;
    api_types: unknown;
  }>(sql`
    with found as materialized (${found}),
    counts as (select hash, count(*)::int as count from found, unnest(hashes) as hash group by hash),
    traits as (
      select counts.hash, count, ${trait.label} as label
      from counts left join ${trait} on ${trait.hash} = counts.hash)
    select count(*)::int as count,
      array[count(*) filter (where interfaces & 1 > 0), count(*) filter (where interfaces & 2 > 0),
        count(*) filter (where interfaces & 4 > 0)]::int[] as bits,
      ${most(sql`label is null or label not like 'api:%'`, TRAITS)} as traits,
      ${most(sql`label like 'api:%'`, API_TYPES)} as api_types
    from found`);
  const [row] = rows;
  if (!row) throw new Error("A count has no row.");
  return {
    total: { count: row.count, exact: row.count < COUNTED },
    facets: searchFacetsSchema.parse({
      traits: row.traits,
      apiTypes: row.api_types,
      interfaces: [1, 2, 4].map((bit, index) => ({ interface: bit, count: row.bits[index] })),
    }),
  };
}
