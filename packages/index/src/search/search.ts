import { type SearchPage, type SearchQuery, searchFacetsSchema } from "@app-registry/sdk";
import { and, sql } from "drizzle-orm";
import { keccak256, stringToBytes } from "viem";
import { z } from "zod";
import type { Session, Sql } from "../session.ts";
import { trait } from "../tables.ts";
import { buildFilters, labelColumn, listSources, matchesQuerySql, type Source } from "./filters.ts";
import { type InterpretedQuery, interpretedQuerySchema, interpretQuery } from "./interpretQuery.ts";
import { readResults } from "./records.ts";
import { getCandidateGoal, rankRecords } from "./relevance.ts";
import { buildMinimumMatchQuery, haveStatistics, toSearchTerms } from "./terms.ts";

/**
 * Returns one page of a search. Works in two stages: index entries give the token ids, and only the records of the page
 * are read in full. `block` is the index's last block.
 *
 * @throws {InvalidCursorError}
 */
export async function search(session: Session, query: SearchQuery, block: number): Promise<SearchPage> {
  const { tokenIds, next, understood } = await findPage(session, query);
  const results = await readResults(session, tokenIds);
  const counts = query.facets && (await countFacets(session, query, understood));
  const { words = [], corrected = [], common = [] } = understood ?? {};
  return {
    results,
    nextCursor: next === null ? null : encodeCursor(query, { place: next, understood }),
    ...counts,
    ...(query.q !== undefined && { matchedWords: words, corrected }),
    ...(common.length > 0 && { commonWords: [...common] }),
    source: "index",
    block,
  };
}

/**
 * Finds the records of a page and the position after it, which is null on the last page. By relevance, the first page
 * ranks the first records once: `ranked` lists them, and `shown` counts those already returned. The other records
 * follow by keyset, as in every other order, after the position `after`. So the pages contain each record once.
 */
async function findPage(session: Session, query: SearchQuery) {
  const { q, limit } = query;
  const order = getOrder(query);
  const isRanked = order === relevance;
  const cursor = decodeCursor(query, keysetPositionSchemas[order.type]);
  const { shown, after } = cursor?.place ?? { shown: 0, after: undefined };
  let ranked = cursor?.place.ranked ?? [];
  let understood = cursor?.understood;
  let rest: { token_id: string; value: unknown }[] = [];
  const follow = async (by: InterpretedQuery | undefined, wanted: number) => {
    const found = await selectOrderedPage(session, query, order, {
      understood: by,
      limit: wanted,
      after,
      but: ranked,
    });
    ({ rows: rest } = await session.db.execute<(typeof rest)[number]>(found));
    return rest.length;
  };
  const isFirst = cursor === undefined && q !== undefined;
  if (isFirst && isRanked) ({ ranked, understood } = await rankRecords(session, query, q));
  else if (isFirst) understood = await interpretQuery(session, q, (by) => follow(by, limit + 1), 1);
  const first = ranked.slice(shown, shown + limit);
  const left = limit - first.length;
  const isRankShown = ranked.length <= shown + limit;
  const hasOthers = isRanked
    ? isRankShown && understood !== undefined && ranked.length >= getCandidateGoal(understood)
    : !isFirst;
  if (hasOthers) await follow(understood, left + 1);
  const page = rest.slice(0, left);
  const last = page.at(-1);
  const read = order.type === "int8" ? Number : String;
  const next: KeysetPosition = {
    ranked,
    shown: Math.min(ranked.length, shown + limit),
    after: last ? [read(last.value), last.token_id] : after,
  };
  return {
    tokenIds: [...first, ...page.map(({ token_id }) => token_id)],
    next: isRankShown && rest.length <= left ? null : next,
    understood,
  };
}

/** Most matches to count, newest first. */
const COUNTED = 10_000;
const TRAITS = 50;
const API_TYPES = 20;

/** Counts all matches of a search. Returns empty counts if no record contains its words. */
async function countFacets(
  session: Session,
  query: SearchQuery,
  understood: InterpretedQuery | undefined,
): Promise<Required<Pick<SearchPage, "total" | "facets">>> {
  const most = (condition: ReturnType<typeof sql>, limit: number) => sql`
    (select coalesce(json_agg(json_strip_nulls(json_build_object('hash', hash, 'trait', label, 'count', count))), '[]')
     from (select * from traits where ${condition} order by count desc, label, hash limit ${limit}::int) most)`;
  const { sort: _, ...unordered } = query;
  const found = await selectOrderedPage(session, unordered, getOrder({}), {
    understood,
    limit: COUNTED,
    columns: ["interfaces", "trait_hashes"],
  });
  const ofBit = (bit: number) =>
    sql`json_build_object('interface', ${bit}::int, 'count', (select count(*) from found where interfaces & ${bit}::int > 0))`;
  const { rows } = await session.db.execute<{ count: number; facets: unknown }>(sql`
    with found as materialized (${found}),
    counts as (select hash, count(*)::int as count from found, unnest(trait_hashes) as hash group by hash),
    traits as (
      select counts.hash, count, ${trait.label} as label
      from counts left join ${trait} on ${trait.hash} = counts.hash)
    select (select count(*)::int from found) as count, json_build_object(
      'traits', ${most(sql`label is null or label not like 'api:%'`, TRAITS)},
      'apiTypes', ${most(sql`label like 'api:%'`, API_TYPES)},
      'interfaces', json_build_array(${ofBit(1)}, ${ofBit(2)}, ${ofBit(4)})) as facets`);
  const { count, facets } = rows[0] ?? { count: 0, facets: undefined };
  return { total: { count, exact: count < COUNTED }, facets: searchFacetsSchema.parse(facets) };
}

export const tokenIdSchema = z.string().regex(/^\d{1,78}$/);

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

/** Thrown if a cursor does not belong to the search. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";

  constructor(message = "is not a cursor of this search") {
    super(message);
  }
}

/** Returns a hash of a search without its paging, which binds a cursor to the search. */
function fingerprint(query: SearchQuery): string {
  const { cursor: _cursor, limit: _limit, facets: _facets, minBlock: _minBlock, ...search } = query;
  return keccak256(stringToBytes(JSON.stringify(search))).slice(2, 14);
}

/** Position in a search, whose type depends on the order, and the interpretation of the words. */
export type CursorState<Place> = { place: Place; understood: InterpretedQuery | undefined };

/** Encodes a position as an opaque cursor. */
export function encodeCursor(query: SearchQuery, { place, understood }: CursorState<unknown>): string {
  return Buffer.from(JSON.stringify([fingerprint(query), place, understood ?? null])).toString("base64url");
}

/**
 * Decodes `query.cursor`. Returns `undefined` if there is no cursor.
 *
 * @throws {InvalidCursorError}
 */
export function decodeCursor<Place>(
  query: SearchQuery,
  placeSchema: z.ZodType<Place>,
): CursorState<Place> | undefined {
  if (query.cursor === undefined) return undefined;
  const understoodIf = query.q === undefined ? z.null() : interpretedQuerySchema(query.q);
  const schema = z.tuple([z.literal(fingerprint(query)), placeSchema, understoodIf]);
  try {
    const json: unknown = JSON.parse(Buffer.from(query.cursor, "base64url").toString("utf8"));
    const [, place, understood] = schema.parse(json);
    return { place, understood: understood ?? undefined };
  } catch {
    throw new InvalidCursorError();
  }
}
