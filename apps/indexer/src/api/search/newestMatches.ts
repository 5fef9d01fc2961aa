import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { newestSlices } from "../../search/recency.ts";
import type { Sql } from "../sql.ts";
import { recordFilters } from "./filters.ts";
import type { Frequencies } from "./frequencies.ts";
import { COST, isNarrow, type Lookup, lookupOf, shareOfRecords } from "./lookup.ts";
import type { Source } from "./sources.ts";
import type { WordsMatch } from "./textMatch.ts";

/** A select of `token_id`, `head_vector` and `sort_name` in no order, and the microseconds that it is expected to take. */
export type Matches = { select: Sql; cost: number };

/** Which records of a source are wanted. */
export type Wanted = {
  match: WordsMatch;
  /** The newest so many. */
  count: number;
  /** The highest token id that one may have, as SQL. */
  newest: string;
  /** What else is to be true of them. */
  only?: Sql | undefined;
};

/** Up to so many records, to read the words of each is sooner done than to find a better way. */
const FEW = 500;

/** How often as many records as wanted are expected in the slices that are looked through first. */
const MARGIN = 2;

/** Every index, as PostgreSQL sees fit. */
const everyIndex = ({ words }: WordsMatch): Lookup => ({
  words,
  traits: true,
  share: 0,
  cost: 0,
});

/** Every record that holds the words. */
export function allMatches(
  query: SearchQuery,
  source: Source,
  match: WordsMatch,
  known: Frequencies,
): Matches {
  const lookup = isNarrow(query) ? everyIndex(match) : lookupOf(query, match, known);
  return {
    select: matching(query, source, conditionOf(match, lookup), lookup.traits),
    cost: lookup.cost,
  };
}

/** The newest records that hold the words. Which indexes are read is decided here, by how frequent words and traits are. */
export function newestMatches(
  query: SearchQuery,
  source: Source,
  wanted: Wanted,
  known: Frequencies,
): Matches {
  const { match, count, newest } = wanted;
  const { records } = known;
  const from = (condition: Sql, lookup: Lookup) =>
    newestOf(query, source, wanted, condition, lookup.traits, sql`${app.tokenId} + 0`);
  if (isNarrow(query)) {
    const lookup = everyIndex(match);
    return { select: from(conditionOf(match, lookup), lookup), cost: 0 };
  }
  const share = Math.max(
    known.ofWords(match.vector, match.words) * shareOfRecords(query, known),
    1 / records,
  );
  const walked = (count / share) * COST.walk[match.vector];
  const slices = newestSlices(newest, (MARGIN * count) / share);
  const isSliced = slices !== undefined && slices.size < records;
  const lookup = lookupOf(query, match, known, isSliced ? (2 * MARGIN * count) / share : records);
  if (records <= FEW || walked < lookup.cost) {
    return { select: newestOf(query, source, wanted, match.read, false, sql`${app.tokenId}`), cost: walked };
  }
  const whole = conditionOf(match, lookup);
  if (!isSliced || lookup.words.length === 0) return { select: from(whole, lookup), cost: lookup.cost };
  const isFull = sql`(select count(*) from sliced) >= ${count}::int`;
  const select = sql`(
    with sliced as materialized (${from(match.indexed(lookup.words, slices), lookup)})
    select * from sliced where ${isFull}
    union all (${from(sql`${whole} and not ${isFull}`, lookup)}))`;
  return { select, cost: lookup.cost };
}

/** That a record holds the words, as a lookup finds it. */
const conditionOf = (match: WordsMatch, { words }: Lookup): Sql =>
  words.length > 0 ? match.indexed(words) : match.read;

/** The newest of a source's records that fulfil a condition. No index has an order by an expression. */
const newestOf = (
  query: SearchQuery,
  source: Source,
  { count, only }: Wanted,
  condition: Sql,
  byTraits: boolean,
  order: Sql,
): Sql => sql`(
  ${matching(query, source, and(condition, only), byTraits)} order by ${order} desc limit ${count}::int)`;

/** A source's records that fulfil a condition, in `token_id`, `head_vector` and `sort_name`. */
export const matching = (
  query: SearchQuery,
  source: Source,
  condition: Sql | undefined,
  byTraits = true,
): Sql => sql`
  select ${app.tokenId} as token_id, ${source.headVector.column} as head_vector, ${source.sortName} as sort_name
  from ${source.from} where ${and(recordFilters(query, byTraits), source.only, condition)}`;
