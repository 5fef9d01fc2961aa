import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "drizzle-orm";
import { z } from "zod";
import type { Session, Sql } from "../session.ts";
import { tokenIdSchema } from "./cursor.ts";
import { buildFilters, labelColumn, listSources, matchesQuerySql, type Source } from "./filters.ts";
import type { InterpretedQuery } from "./interpretQuery.ts";
import { haveStatistics, toSearchTerms } from "./statistics.ts";
import { buildMinimumMatchQuery } from "./terms.ts";

/** Schemas of an order's values in a cursor, by SQL type. They reject texts that PostgreSQL can't store. */
const valueSchemas = {
  int8: z.int(),
  numeric: tokenIdSchema,
  text: z.string().refine((text) => text.isWellFormed() && !text.includes("\0")),
};

/** Order of records by a value, then by token id. Each order has an index, so reading a page needs no sort. */
export type Order = {
  value: (source: Source) => Sql;
  type: keyof typeof valueSchemas;
  direction: "asc" | "desc";
};

const changedAt = ({ change }: Source) => sql.raw(`${change}.changed_at`);

/** Order of the records after the ranked ones. */
export const relevance: Order = { value: () => sql`app.unproven`, type: "int8", direction: "asc" };

const orders: Record<string, Order> = {
  relevance,
  newest: { value: () => sql`app.token_id`, type: "numeric", direction: "desc" },
  name: {
    value: (source) => sql`${labelColumn(source, "sort_name")} collate "C"`,
    type: "text",
    direction: "asc",
  },
  updated: { value: () => sql`app.published_at`, type: "int8", direction: "desc" },
  changed: { value: changedAt, type: "int8", direction: "desc" },
  // A record that changes between pages moves to the end, where a client that follows the changes reads it.
  changedSince: { value: changedAt, type: "int8", direction: "asc" },
};

/** Returns the order of a search. */
export const getOrder = ({ q, sort, updatedSince }: Partial<SearchQuery>): Order =>
  orders[
    updatedSince !== undefined ? "changedSince" : (sort ?? (q === undefined ? "newest" : "relevance"))
  ] ?? relevance;

const createPositionSchema = (value: (typeof valueSchemas)[Order["type"]]) =>
  z.object({
    /** Token ids of the records ranked by relevance; empty in other orders. */
    ranked: z.array(tokenIdSchema).max(100),
    /** Number of them that were returned. */
    shown: z.int().min(0).max(100),
    /** Value and token id of the last returned record that is not ranked. */
    after: z.tuple([value, tokenIdSchema]).optional(),
  });

/** Schemas of the position after a page, by the type of its order's values. */
export const keysetPositionSchemas = {
  int8: createPositionSchema(valueSchemas.int8),
  numeric: createPositionSchema(valueSchemas.numeric),
  text: createPositionSchema(valueSchemas.text),
};

export type KeysetPosition = z.output<ReturnType<typeof createPositionSchema>>;

type PageRequest = {
  understood: InterpretedQuery | undefined;
  limit: number;
  /** Selects only records after this position. */
  after?: KeysetPosition["after"];
  /** Token ids to skip. */
  but?: readonly string[];
  /** Further columns of `app` to select, after `token_id` and `value`. */
  columns?: readonly string[];
};

/**
 * Selects the first records of a search in an order, by keyset. A record whose position does not change between two
 * pages is neither lost nor repeated, even if others are added or removed.
 */
export async function selectOrderedPage(
  session: Session,
  query: SearchQuery,
  { value, type, direction }: Order,
  { understood, limit, after, but = [], columns = [] }: PageRequest,
): Promise<Sql> {
  const terms = await toSearchTerms(session, understood?.words ?? []);
  const words =
    query.q === undefined ? undefined : understood ? buildMinimumMatchQuery(terms, understood) : "";
  const areRare = !(await haveStatistics(session, terms));
  const [behind, end] = direction === "asc" ? [sql`>`, sql`9223372036854775807`] : [sql`<`, sql`0`];
  const ends = sql`order by value ${sql.raw(direction)}, token_id ${sql.raw(direction)} limit ${limit}::int`;
  const select = (source: Source, last?: Sql): Sql => {
    const tokenId = sql.raw(`${source.change}.token_id`);
    const place = after && sql`(${after[0]}::${sql.raw(type)}, ${after[1]}::numeric)`;
    const conditions = and(
      buildFilters(query, source),
      words === undefined ? undefined : matchesQuerySql(words, source),
      place && sql`(${value(source)}, ${tokenId}) ${behind} ${place}`,
      but.length > 0 ? sql`app.token_id <> all (${`{${but.join()}}`}::numeric[])` : undefined,
      last && sql`not ${value(source)} ${behind} coalesce(${last}, ${end})`,
    );
    const found = sql`
      select ${sql.join([tokenId, sql`${value(source)} as value`, ...columns.map((name) => sql.raw(`app.${name}`))], sql`, `)}
      from ${source.from} where ${conditions}`;
    // PostgreSQL overestimates words that its statistics lack and would scan every record in the order. `materialized`
    // makes it use the index of words.
    return areRare
      ? sql`(with found as materialized (${found}) select * from found ${ends})`
      : sql`(${found} ${ends})`;
  };
  const union = (among: Source[], last?: Sql) => {
    const selects = among.map((source) => select(source, last));
    return sql`select * from (${sql.join(selects, sql` union all `)}) as found ${ends}`;
  };
  const sources = listSources(session, query);
  const changed = sources.filter(({ change }) => change === "change");
  if (changed.length === 0 || value !== changedAt) return union(sources);
  // The chain's index also contains the records that the worker changed. Bound the scan by the last value that the page
  // can reach, or it may skip all of them without a match.
  const others = sources.filter(({ change }) => change === "app");
  const last = sql`(select ${sql.raw(direction === "asc" ? "max" : "min")}(value) from changed having count(*) = ${limit}::int)`;
  return sql`
    with changed as materialized (${union(changed)})
    select * from (select * from changed union all (${union(others, last)})) as found ${ends}`;
}
