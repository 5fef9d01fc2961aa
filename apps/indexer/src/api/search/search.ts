import type { SearchPage, SearchQuery } from "@app-registry/sdk";
import { decodeCursor, encodeCursor, type Position } from "./cursor.ts";
import { countFacets } from "./facets.ts";
import { type Order, type OrderPlace, orderOf } from "./order.ts";
import { pageByRelevance, relevancePlace } from "./pageByRelevance.ts";
import { type Found, type FoundBy, pageInOrder } from "./pageInOrder.ts";
import { resultsOf } from "./records.ts";
import { type Understood, understand } from "./understand.ts";

/**
 * One page of the records that a search finds, as JSON, in two stages: narrow index entries name the records, and only
 * those of the page are read whole. `block` is the one that the index has.
 *
 * @throws {InvalidCursorError}
 */
export async function search(
  query: SearchQuery,
  { block, lag }: Pick<SearchPage, "block" | "lag">,
): Promise<string> {
  const { q, sort = "relevance", updatedSince } = query;
  const isByRelevance = q !== undefined && sort === "relevance" && updatedSince === undefined;
  const order = orderOf(query);
  const cursor = decodeCursor<unknown>(query, isByRelevance ? relevancePlace : order.placeSchema);
  const { records, next, understood } = isByRelevance
    ? await pageByRelevance(query, q, cursor as never)
    : await pageByWords(query, order, cursor as never);
  const [results, counts] = await Promise.all([
    resultsOf(records),
    query.facets ? countFacets(query, understood) : undefined,
  ]);
  const nextCursor = next === null ? null : encodeCursor(query, { place: next, understood });
  return JSON.stringify({
    results,
    nextCursor,
    ...counts,
    ...(q !== undefined && saidOf(understood)),
    source: "index",
    block,
    lag,
  } satisfies SearchPage);
}

/** A page in the order of a column: of all that match, or of those that hold the words, as they are understood first. */
async function pageByWords(
  query: SearchQuery,
  order: Order,
  cursor: Position<OrderPlace> | undefined,
): Promise<FoundBy> {
  const { q } = query;
  if (q === undefined || cursor !== undefined) {
    const understood = cursor?.understood;
    return { ...(await pageInOrder(query, order, understood, cursor?.place)), understood };
  }
  let found: Found = { records: [], next: null };
  const find = async (understood: Understood) => {
    found = await pageInOrder(query, order, understood, undefined);
    return found.records.length;
  };
  const understood = await understand(query, q, find, 1);
  return { ...found, understood };
}

/** What an answer says of how its words were understood. */
const saidOf = (understood: Understood | undefined): Pick<SearchPage, "corrected" | "matchedWords"> => ({
  matchedWords: understood?.words ?? [],
  corrected: understood?.corrected ?? [],
});
