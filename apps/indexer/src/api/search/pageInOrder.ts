import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import type { Sql } from "../sql.ts";
import { bandOf } from "./band.ts";
import { decodeCursor } from "./cursor.ts";
import { filters } from "./filters.ts";
import type { Found } from "./found.ts";
import { newest, orderOf } from "./order.ts";
import { recordState } from "./recordState.ts";
import { fromEach, type Source, sourcesOf } from "./sources.ts";

/**
 * The records of one page in the order of a column, by keyset: a record whose place in the order does not change
 * between two pages is neither lost nor repeated, whatever else comes or goes.
 */
export async function pageInOrder(query: SearchQuery): Promise<Found> {
  const order = orderOf(query);
  const place = decodeCursor(query, order.placeSchema);
  const select =
    (bound?: (source: Source) => Sql | undefined) =>
    (source: Source): Sql =>
      sql`
      select ${app.tokenId} as token_id, ${order.value(source)} as value, ${recordState} as state
      from ${source.from}
      where ${and(filters(query, source), place && order.after(place, source), bound?.(source))}`;
  const wanted = sql`limit ${query.limit + 1}::int`;
  const end = sql`order by ${order.orderBy} ${wanted}`;
  const { before, parts } = await sourcesOf(query);
  // The records of `before` stand in the index of the others too. Unless that is read as far only as the page can reach,
  // all of them may be passed over to find none.
  const inTwoSteps = () => {
    const last = sql`(select value from before order by ${order.orderBy} limit 1 offset ${query.limit}::int)`;
    return sql`
      with before as materialized (${fromEach(before, select(), end)})
      select token_id, value, state from before
      union all (${fromEach(
        parts,
        select((source) => order.upTo?.(last, source)),
        end,
      )}) ${end}`;
  };
  // No index has an order by an expression: those of traits and of token ids are joined, and none is walked.
  const inBand = (lowest: bigint) => {
    const isFull = sql`(select count(*) from band) > ${query.limit}::int`;
    const within = select(() => sql`${app.tokenId} >= ${lowest.toString()}::numeric`);
    return sql`
      with band as materialized (${fromEach(parts, within, sql`order by ${app.tokenId} + 0 desc ${wanted}`)})
      select * from band where ${isFull}
      union all (${fromEach(
        parts,
        select(() => sql`not ${isFull}`),
        end,
      )}) ${end}`;
  };
  const band = order === newest ? await bandOf(query, place?.[1]) : undefined;
  const statement =
    before.length > 0 ? inTwoSteps() : band === undefined ? fromEach(parts, select(), end) : inBand(band);
  const { rows } = await db.execute<{ token_id: string; value: unknown; state: string }>(statement);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    records: page.map(({ token_id, state }) => ({ tokenId: token_id, state })),
    next: last && rows.length > query.limit ? [order.read(last.value), last.token_id] : null,
  };
}
