import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { decodeCursor } from "./cursor.ts";
import { filters } from "./filters.ts";
import type { Found } from "./found.ts";
import { orderOf } from "./order.ts";
import { fromEach, sourcesOf } from "./sources.ts";

/**
 * The records of one page in the order of a column, by keyset: a record whose place in the order does not change
 * between two pages is neither lost nor repeated, whatever else comes or goes.
 */
export async function pageInOrder(query: SearchQuery): Promise<Found> {
  const order = orderOf(query);
  const place = decodeCursor(query, order.placeSchema);
  const { parts } = await sourcesOf(query);
  const { rows } = await db.execute<{ token_id: string; value: unknown }>(
    fromEach(
      parts,
      (source) => sql`
        select ${app.tokenId} as token_id, ${order.value(source)} as value from ${source.from}
        where ${and(filters(query, source), place && order.after(place, source))}`,
      sql`order by ${order.orderBy} limit ${query.limit + 1}::int`,
    ),
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    tokenIds: page.map(({ token_id }) => BigInt(token_id)),
    next: last && rows.length > query.limit ? [order.read(last.value), last.token_id] : null,
  };
}
