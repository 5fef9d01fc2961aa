import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and } from "ponder";
import { decodeCursor } from "./cursor.ts";
import { filters } from "./filters.ts";
import type { Found } from "./found.ts";
import { orderOf } from "./order.ts";

/**
 * The records of one page in the order of a column, by keyset: a record whose place in the order does not change
 * between two pages is neither lost nor repeated, whatever else comes or goes.
 */
export async function pageInOrder(query: SearchQuery): Promise<Found> {
  const order = orderOf(query);
  const place = decodeCursor(query, order.placeSchema);
  const rows = await db
    .select({ tokenId: app.tokenId, value: order.value })
    .from(app)
    .where(and(filters(query), place && order.after(place)))
    .orderBy(...order.orderBy)
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    tokenIds: page.map(({ tokenId }) => tokenId),
    next: last && rows.length > query.limit ? [last.value, last.tokenId.toString()] : null,
  };
}
