import type { SearchPage, SearchQuery } from "@app-registry/sdk";
import { encodeCursor } from "./cursor.ts";
import { countFacets } from "./facets.ts";
import type { Found } from "./found.ts";
import { pageByRelevance } from "./pageByRelevance.ts";
import { pageInOrder } from "./pageInOrder.ts";
import { resultsOf } from "./records.ts";

/**
 * One page of the records that a search finds, as JSON, in two stages: narrow index entries name the records, and only
 * those that are not rendered yet are read whole. `block` is the one that the index has.
 *
 * @throws {InvalidCursorError}
 */
export async function search(query: SearchQuery, block: number): Promise<string> {
  const { records, next } = await findPage(query);
  const [results, counts] = await Promise.all([
    resultsOf(records),
    query.facets ? countFacets(query) : undefined,
  ]);
  const nextCursor = next === null ? null : encodeCursor(query, next);
  const rest = { nextCursor, ...counts, source: "index", block } satisfies Omit<SearchPage, "results">;
  return `{"results":[${results.join(",")}],${JSON.stringify(rest).slice(1)}`;
}

/** By relevance when there is a `q` and nothing else orders. */
function findPage(query: SearchQuery): Promise<Found> {
  const { q, sort = "relevance", updatedSince } = query;
  return q !== undefined && sort === "relevance" && updatedSince === undefined
    ? pageByRelevance(query, q)
    : pageInOrder(query);
}
