import type { SearchPage, SearchQuery } from "@app-registry/sdk";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { countFacets } from "./facets.ts";
import { orderOf } from "./order.ts";
import { pageByRelevance, relevancePlace } from "./pageByRelevance.ts";
import { type FoundBy, pageInOrder } from "./pageInOrder.ts";
import { resultsOf } from "./records.ts";
import { queryOf, understand } from "./understand.ts";
import type { Understood } from "./understood.ts";

/**
 * One page of the records that a search finds, as JSON, in two stages: narrow index entries name the records, and only
 * those that are not rendered yet are read whole. `block` is the one that the index has.
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
  const ways = cursor ? [cursor.understood] : q === undefined ? [undefined] : await understand(query, q);
  const find = async (): Promise<FoundBy> => {
    if (isByRelevance) return pageByRelevance(query, q, ways, cursor?.place as never);
    let found: FoundBy = { records: [], next: null, understood: undefined };
    for (const understood of ways) {
      found = { ...(await pageInOrder(query, order, understood, cursor?.place as never)), understood };
      if (found.records.length > 0) break;
    }
    return found;
  };
  const { records, next, understood } = await find();
  const words = understood && queryOf(understood);
  const [results, counts] = await Promise.all([
    resultsOf(records),
    query.facets ? countFacets(query, q === undefined ? undefined : (words ?? "")) : undefined,
  ]);
  const nextCursor = next === null ? null : encodeCursor(query, { place: next, understood });
  const rest = {
    nextCursor,
    ...counts,
    ...(q !== undefined && saidOf(understood)),
    source: "index",
    block,
    lag,
  } satisfies Omit<SearchPage, "results">;
  return `{"results":[${results.join(",")}],${JSON.stringify(rest).slice(1)}`;
}

/** What an answer says of how its words were understood. */
const saidOf = (understood: Understood | undefined): Pick<SearchPage, "corrected" | "matchedWords"> => ({
  matchedWords: understood?.words ?? [],
  corrected: understood?.corrected ?? [],
});
