import { type SearchPage, type SearchQuery, searchFacetsSchema } from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import type { Session } from "../session.ts";
import { trait } from "../tables.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { type InterpretedQuery, interpretQuery } from "./interpretQuery.ts";
import { readResults } from "./records.ts";
import { getCandidateGoal, rankRecords } from "./relevance.ts";
import {
  getOrder,
  type KeysetPosition,
  keysetPositionSchemas,
  relevance,
  selectOrderedPage,
} from "./selectOrderedPage.ts";

/**
 * Returns one page of a search. Works in two stages: index entries give the token ids, and only the records of the page
 * are read in full. `block` is the index's last block.
 *
 * @throws {InvalidCursorError}
 */
export async function search(session: Session, query: SearchQuery, block: number): Promise<SearchPage> {
  const { tokenIds, next, understood } = await findPage(session, query);
  const results = await readResults(session, tokenIds);
  const counts = query.facets && (await countFacets(session, query, understood));
  const { words = [], corrected = [], common = [] } = understood ?? {};
  return {
    results,
    nextCursor: next === null ? null : encodeCursor(query, { place: next, understood }),
    ...counts,
    ...(query.q !== undefined && { matchedWords: words, corrected }),
    ...(common.length > 0 && { commonWords: [...common] }),
    source: "index",
    block,
  };
}

/**
 * Finds the records of a page and the position after it, which is null on the last page. By relevance, the first page
 * ranks the first records once: `ranked` lists them, and `shown` counts those already returned. The other records
 * follow by keyset, as in every other order, after the position `after`. So the pages contain each record once.
 */
async function findPage(session: Session, query: SearchQuery) {
  const { q, limit } = query;
  const order = getOrder(query);
  const isRanked = order === relevance;
  const cursor = decodeCursor(query, keysetPositionSchemas[order.type]);
  const { shown, after } = cursor?.place ?? { shown: 0, after: undefined };
  let ranked = cursor?.place.ranked ?? [];
  let understood = cursor?.understood;
  let rest: { token_id: string; value: unknown }[] = [];
  const follow = async (by: InterpretedQuery | undefined, wanted: number) => {
    const found = await selectOrderedPage(session, query, order, {
      understood: by,
      limit: wanted,
      after,
      but: ranked,
    });
    ({ rows: rest } = await session.db.execute<(typeof rest)[number]>(found));
    return rest.length;
  };
  const isFirst = cursor === undefined && q !== undefined;
  if (isFirst && isRanked) ({ ranked, understood } = await rankRecords(session, query, q));
  else if (isFirst) understood = await interpretQuery(session, q, (by) => follow(by, limit + 1), 1);
  const first = ranked.slice(shown, shown + limit);
  const left = limit - first.length;
  const isRankShown = ranked.length <= shown + limit;
  const hasOthers = isRanked
    ? isRankShown && understood !== undefined && ranked.length >= getCandidateGoal(understood)
    : !isFirst;
  if (hasOthers) await follow(understood, left + 1);
  const page = rest.slice(0, left);
  const last = page.at(-1);
  const read = order.type === "int8" ? Number : String;
  const next: KeysetPosition = {
    ranked,
    shown: Math.min(ranked.length, shown + limit),
    after: last ? [read(last.value), last.token_id] : after,
  };
  return {
    tokenIds: [...first, ...page.map(({ token_id }) => token_id)],
    next: isRankShown && rest.length <= left ? null : next,
    understood,
  };
}

/** Most matches to count, newest first. */
const COUNTED = 10_000;
const TRAITS = 50;
const API_TYPES = 20;

/** Counts all matches of a search. Returns empty counts if no record contains its words. */
async function countFacets(
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
