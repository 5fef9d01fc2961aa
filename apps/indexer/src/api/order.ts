import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { asc, desc, sql } from "ponder";
import type { Position } from "./cursor.ts";
import type { Relevance } from "./relevance.ts";
import type { Sql } from "./sql.ts";

/** An order of results: by a value, then by token id; newer tokens first unless the value ascends. */
export type Order = {
  /** The value of a row; null for the order by token id alone. */
  value: Sql<string | number> | null;
  orderBy: Sql[];
  /** The rows behind a position; undefined when the position is not of this order. */
  after: (position: Position) => Sql | undefined;
};

const newest: Order = {
  value: null,
  orderBy: [desc(app.tokenId)],
  after: ({ value, tokenId }) =>
    value === null ? sql`${app.tokenId} < ${tokenId.toString()}::numeric` : undefined,
};

const descending = (value: Sql<number>): Order => ({
  value,
  orderBy: [desc(value), desc(app.tokenId)],
  after: (position) =>
    typeof position.value === "number"
      ? sql`(${value}, ${app.tokenId}) < (${position.value}::float8, ${position.tokenId.toString()}::numeric)`
      : undefined,
});

const sortName = sql<string>`${app.sortName} collate "C"`;

const byName: Order = {
  value: sortName,
  orderBy: [asc(sortName), asc(app.tokenId)],
  after: ({ value, tokenId }) =>
    typeof value === "string"
      ? sql`(${sortName}, ${app.tokenId}) > (${value}, ${tokenId.toString()}::numeric)`
      : undefined,
};

/** The order that a search asks for: by relevance when there is a `q` and no `sort`, else newest first. */
export function orderOf({ sort }: SearchQuery, relevance: Relevance | undefined): Order {
  if (sort === "name") return byName;
  if (sort === "updated") return descending(sql<number>`${app.publishedAt}::float8`);
  if (sort !== "newest" && relevance) return descending(relevance.rank);
  return newest;
}
