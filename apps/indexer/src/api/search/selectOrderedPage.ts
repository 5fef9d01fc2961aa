import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { z } from "zod";
import { buildMinimumMatchQuery } from "../../search/terms.ts";
import type { Sql } from "../sql.ts";
import { buildFilters } from "./buildFilters.ts";
import { tokenIdSchema } from "./cursor.ts";
import type { InterpretedQuery } from "./interpretQuery.ts";
import { labelColumn, listSources, matchesQuerySql, type Source } from "./sources.ts";
import { haveStatistics, toSearchTerms } from "./statistics.ts";

/** What a value of an order is in a cursor, by its type in SQL. A text that PostgreSQL does not take is none that it gave. */
const valueSchemas = {
  int8: z.int(),
  numeric: tokenIdSchema,
  text: z.string().refine((text) => text.isWellFormed() && !text.includes("\0")),
};

/** An order of records: by a value, then by token id. An index holds each, so a page is read, not sorted. */
export type Order = {
  value: (source: Source) => Sql;
  type: keyof typeof valueSchemas;
  direction: "asc" | "desc";
};

const changedAt = ({ change }: Source) => sql.raw(`${change}.changed_at`);

/** The order of the records behind those that are ranked. */
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
  // A record that changes meanwhile moves to the end, where whoever follows the changes comes to it.
  changedSince: { value: changedAt, type: "int8", direction: "asc" },
};

/** The order that a search asks for. */
export const getOrder = ({ q, sort, updatedSince }: Partial<SearchQuery>): Order =>
  orders[
    updatedSince !== undefined ? "changedSince" : (sort ?? (q === undefined ? "newest" : "relevance"))
  ] ?? relevance;

/** What a cursor says of the page before. */
export const keysetPositionSchema = ({ type }: Order) =>
  z.object({
    /** Token ids of the records that are ranked by relevance; none in other orders. */
    ranked: z.array(tokenIdSchema).max(100),
    /** How many of them were shown. */
    shown: z.int().min(0).max(100),
    /** Value and token id of the last record that is not one of them. */
    after: z.tuple([valueSchemas[type], tokenIdSchema]).optional(),
  });

export type KeysetPosition = z.output<ReturnType<typeof keysetPositionSchema>>;

type PageRequest = {
  understood: InterpretedQuery | undefined;
  limit: number;
  /** Only records behind this place. */
  after?: KeysetPosition["after"];
  /** Token ids that are left out. */
  but?: readonly string[];
};

/**
 * Selects the first records that a search finds in an order, by keyset: a record whose place does not change between
 * two pages is neither lost nor repeated, whatever else comes or goes.
 */
export async function selectOrderedPage(
  query: SearchQuery,
  { value, type, direction }: Order,
  { understood, limit, after, but = [] }: PageRequest,
): Promise<Sql> {
  const terms = await toSearchTerms(understood?.words ?? []);
  const words =
    query.q === undefined ? undefined : understood ? buildMinimumMatchQuery(terms, understood.least) : "";
  const areRare = !(await haveStatistics(terms));
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
      select ${tokenId}, ${value(source)} as value, app.interfaces, app.trait_hashes
      from ${source.from} where ${conditions}`;
    // PostgreSQL takes a word that its statistics leave out for more frequent than it is, and would walk every record in
    // the order. The view is planned as if it were read whole, thus by the index of words.
    return areRare
      ? sql`(with found as materialized (${found}) select * from found ${ends})`
      : sql`(${found} ${ends})`;
  };
  const union = (among: Source[], last?: Sql) => {
    const selects = among.map((source) => select(source, last));
    return sql`select * from (${sql.join(selects, sql` union all `)}) as found ${ends}`;
  };
  const sources = await listSources(query);
  const changed = sources.filter(({ change }) => change === "change");
  if (changed.length === 0 || value !== changedAt) return union(sources);
  // The records that the worker changed stand in the chain's index too. Unless that is read as far only as the page can
  // reach, all of them may be passed over to find none.
  const others = sources.filter(({ change }) => change === "app");
  const last = sql`(select ${sql.raw(direction === "asc" ? "max" : "min")}(value) from changed having count(*) = ${limit}::int)`;
  return sql`
    with changed as materialized (${union(changed)})
    select * from (select * from changed union all (${union(others, last)})) as found ${ends}`;
}
