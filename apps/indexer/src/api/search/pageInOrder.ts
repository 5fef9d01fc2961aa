import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { atLeast } from "../../search/terms.ts";
import type { Sql } from "../sql.ts";
import { filters } from "./filters.ts";
import type { Order, OrderPlace } from "./order.ts";
import { fromEach, type Source, sourcesOf } from "./sources.ts";
import { holds, type Understood } from "./understand.ts";
import { areCommon, searchedTerms } from "./worth.ts";

/** The token ids of a page in their order, and the place behind it; null when it is the last. */
export type Found<Place = unknown> = { records: string[]; next: Place | null };

/** A page, and the understanding of the words that found it; undefined without words or when no record holds any. */
export type FoundBy<Place = unknown> = Found<Place> & { understood: Understood | undefined };

/**
 * The records of one page in the order of a column, by keyset: a record whose place in the order does not change
 * between two pages is neither lost nor repeated, whatever else comes or goes.
 */
export async function pageInOrder(
  query: SearchQuery,
  order: Order,
  understood: Understood | undefined,
  place: OrderPlace | undefined,
): Promise<Found<OrderPlace>> {
  const terms = await searchedTerms(understood?.words ?? []);
  const words = understood && atLeast(terms, understood.least);
  const isRare = !(await areCommon(terms));
  const select =
    (bound?: (source: Source) => Sql | undefined) =>
    (source: Source): Sql =>
      sql`
      select ${app.tokenId} as token_id, ${order.value(source)} as value from ${source.from}
      where ${and(filters(query, source), holds(words, source), place && order.after(place, source), bound?.(source))}`;
  const end = sql`order by ${order.orderBy} limit ${query.limit + 1}::int`;
  const { before, parts } = await sourcesOf(query);
  // The records of `before` stand in the index of the others too. Unless that is read as far only as the page can reach,
  // all of them may be passed over to find none.
  const inTwoSteps = () => {
    const last = sql`(select value from before order by ${order.orderBy} limit 1 offset ${query.limit}::int)`;
    const others = fromEach(
      parts,
      select((source) => order.upTo?.(last, source)),
      end,
      isRare,
    );
    return sql`
      with before as materialized (${fromEach(before, select(), end, isRare)})
      select token_id, value from before union all (${others}) ${end}`;
  };
  const found = before.length > 0 ? inTwoSteps() : fromEach(parts, select(), end, isRare);
  const { rows } = await db.execute<{ token_id: string; value: unknown }>(found);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    records: page.map(({ token_id }) => token_id),
    next: last && rows.length > query.limit ? [order.read(last.value), last.token_id] : null,
  };
}
