import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import type { Sql } from "../sql.ts";
import { decodeCursor } from "./cursor.ts";
import { filters } from "./filters.ts";
import type { Found } from "./found.ts";
import { orderOf } from "./order.ts";
import { recordState } from "./recordState.ts";
import { fromEach, type Source, sourcesOf } from "./sources.ts";

/**
 * The records of one page in the order of a column, by keyset: a record whose place in the order does not change
 * between two pages is neither lost nor repeated, whatever else comes or goes.
 */
export async function pageInOrder(query: SearchQuery): Promise<Found> {
  const order = orderOf(query);
  const place = decodeCursor(query, order.placeSchema);
  const selectWithin = (source: Source, bound: Sql | undefined) => sql`
    select ${app.tokenId} as token_id, ${order.value(source)} as value, ${recordState} as state
    from ${source.from}
    where ${and(filters(query, source), place && order.after(place, source), bound)}`;
  const select = (source: Source) => selectWithin(source, undefined);
  const end = sql`order by ${order.orderBy} limit ${query.limit + 1}::int`;
  const { before, parts } = await sourcesOf(query);
  // The records of `before` stand in the index of the others too. Unless that is read as far only as the page can reach,
  // all of them may be passed over to find none.
  const inTwoSteps = () => {
    const last = sql`(select value from before order by ${order.orderBy} limit 1 offset ${query.limit}::int)`;
    return sql`
      with before as materialized (${fromEach(before, select, end)})
      select token_id, value, state from before
      union all (${fromEach(parts, (source) => selectWithin(source, order.upTo?.(last, source)), end)}) ${end}`;
  };
  const { rows } = await db.execute<{ token_id: string; value: unknown; state: string }>(
    before.length === 0 ? fromEach(parts, select, end) : inTwoSteps(),
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    records: page.map(({ token_id, state }) => ({ tokenId: token_id, state })),
    next: last && rows.length > query.limit ? [order.read(last.value), last.token_id] : null,
  };
}
