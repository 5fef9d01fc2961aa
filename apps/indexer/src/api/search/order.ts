import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { sql } from "ponder";
import { z } from "zod";
import type { Sql } from "../sql.ts";
import { tokenIdSchema } from "./cursor.ts";
import type { Source } from "./sources.ts";

/** Where a page ended: the value of its last record in the order, and its token id. */
export type OrderPlace = [value: string | number | null, tokenId: string];

type Value = OrderPlace[0];

/** An order of records: by a value, then by token id. An index holds each, so a page is read, not sorted. */
export type Order = {
  value: (source: Source) => Sql;
  /** The value as a row gives it. */
  read: (value: unknown) => Value;
  /** By the columns `value` and `token_id` of a select. */
  orderBy: Sql;
  placeSchema: z.ZodType<OrderPlace>;
  /** The records behind a place. */
  after: (place: OrderPlace, source: Source) => Sql;
  /** The records whose value is not behind `last`; all of them when that is null. */
  upTo?: (last: Sql, source: Source) => Sql;
};

const id = (tokenId: string) => sql`${tokenId}::numeric`;

/** By token id alone, the highest first. */
const newest: Order = {
  value: () => sql`null`,
  read: () => null,
  orderBy: sql`token_id desc`,
  placeSchema: z.tuple([z.null(), tokenIdSchema]),
  after: ([, tokenId]) => sql`${app.tokenId} < ${id(tokenId)}`,
};

function byTime(time: (source: Source) => Sql, direction: "first" | "last"): Order {
  const [order, behind, within, end] =
    direction === "first"
      ? [sql`asc`, sql`>`, sql`<=`, sql`9223372036854775807`]
      : [sql`desc`, sql`<`, sql`>=`, sql`0`];
  return {
    value: time,
    read: Number,
    orderBy: sql`value ${order}, token_id ${order}`,
    placeSchema: z.tuple([z.int(), tokenIdSchema]),
    after: ([value, tokenId], source) =>
      sql`(${time(source)}, ${source.tokenId}) ${behind} (${value}::int8, ${id(tokenId)})`,
    upTo: (last, source) => sql`${time(source)} ${within} coalesce(${last}, ${end})`,
  };
}

const changedAt = (source: Source) => source.changedAt;
const publishedAt = () => sql`${app.publishedAt}`;

const byName: Order = {
  value: ({ sortName }) => sql`${sortName} collate "C"`,
  read: String,
  orderBy: sql`value, token_id`,
  // A text that PostgreSQL does not take is none that it gave.
  placeSchema: z.tuple([
    z.string().refine((text) => text.isWellFormed() && !text.includes("\0")),
    tokenIdSchema,
  ]),
  after: ([name, tokenId], { sortName }) =>
    sql`(${sortName} collate "C", ${app.tokenId}) > (${name}, ${id(tokenId)})`,
};

/** The order that a search asks for, when that is not relevance. */
export function orderOf({ sort, updatedSince }: SearchQuery): Order {
  // A record that changes meanwhile moves to the end, where whoever follows the changes comes to it.
  if (updatedSince !== undefined) return byTime(changedAt, "first");
  if (sort === "name") return byName;
  if (sort === "changed") return byTime(changedAt, "last");
  if (sort === "updated") return byTime(publishedAt, "last");
  return newest;
}
