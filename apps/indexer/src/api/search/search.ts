import type { SearchPage, SearchQuery } from "@app-registry/sdk";
import { encodeCursor } from "./cursor.ts";
import { countFacets } from "./facets.ts";
import type { Found } from "./found.ts";
import { pageByRelevance } from "./pageByRelevance.ts";
import { pageInOrder } from "./pageInOrder.ts";
import { recordsOf } from "./records.ts";

/**
 * One page of the records that a search finds, in two stages: narrow index entries name the records, and only
 * theirs are read whole.
 *
 * @throws {InvalidCursorError}
 */
export async function search(query: SearchQuery): Promise<Omit<SearchPage, "source" | "block">> {
  const { tokenIds, next } = await findPage(query);
  const [results, counts] = await Promise.all([
    recordsOf(tokenIds),
    query.facets ? countFacets(query) : undefined,
  ]);
  return { results, nextCursor: next === null ? null : encodeCursor(query, next), ...counts };
}

/** By relevance when there is a `q` and nothing else orders. */
function findPage(query: SearchQuery): Promise<Found> {
  const { q, sort = "relevance", updatedSince } = query;
  return q !== undefined && sort === "relevance" && updatedSince === undefined
    ? pageByRelevance(query, q)
    : pageInOrder(query);
}
