import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { asc, desc, sql } from "ponder";
import { z } from "zod";
import type { Sql } from "../sql.ts";
import { tokenIdSchema } from "./cursor.ts";

/** Where a page ended: the value of its last record in the order, and its token id. */
type Place = [value: string | number | null, tokenId: string];

/** An order of records: by a value, then by token id. An index holds each, so a page is read, not sorted. */
export type Order = {
  value: Sql<string | number | null>;
  orderBy: Sql[];
  placeSchema: z.ZodType<Place>;
  /** The records behind a place. */
  after: (place: Place) => Sql;
};

const id = (tokenId: string) => sql`${tokenId}::numeric`;

const newest: Order = {
  value: sql<null>`null`,
  orderBy: [desc(app.tokenId)],
  placeSchema: z.tuple([z.null(), tokenIdSchema]),
  after: ([, tokenId]) => sql`${app.tokenId} < ${id(tokenId)}`,
};

const timeSchema = z.tuple([z.int(), tokenIdSchema]);

const lastPublished: Order = {
  value: sql<number>`${app.publishedAt}`.mapWith(Number),
  orderBy: [desc(app.publishedAt), desc(app.tokenId)],
  placeSchema: timeSchema,
  after: ([time, tokenId]) => sql`(${app.publishedAt}, ${app.tokenId}) < (${time}::int8, ${id(tokenId)})`,
};

/** Oldest change first: a record that changes meanwhile moves to the end, where whoever follows comes to it. */
const firstChanged: Order = {
  value: sql<number>`${app.changedAt}`.mapWith(Number),
  orderBy: [asc(app.changedAt), asc(app.tokenId)],
  placeSchema: timeSchema,
  after: ([time, tokenId]) => sql`(${app.changedAt}, ${app.tokenId}) > (${time}::int8, ${id(tokenId)})`,
};

const sortName = sql<string>`${app.sortName} collate "C"`;

const byName: Order = {
  value: sortName,
  orderBy: [asc(sortName), asc(app.tokenId)],
  // A text that PostgreSQL does not take is none that it gave.
  placeSchema: z.tuple([
    z.string().refine((text) => text.isWellFormed() && !text.includes("\0")),
    tokenIdSchema,
  ]),
  after: ([name, tokenId]) => sql`(${sortName}, ${app.tokenId}) > (${name}, ${id(tokenId)})`,
};

/** The order that a search asks for, when that is not relevance. */
export function orderOf({ sort, updatedSince }: SearchQuery): Order {
  if (updatedSince !== undefined) return firstChanged;
  if (sort === "name") return byName;
  if (sort === "updated") return lastPublished;
  return newest;
}
