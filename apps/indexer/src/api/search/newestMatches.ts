import { app } from "ponder:schema";
import { type SearchQuery, traitHash } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { newestSlices } from "../../search/recency.ts";
import type { Sql } from "../sql.ts";
import { recordFilters } from "./filters.ts";
import type { Frequencies, Vector } from "./frequencies.ts";
import type { Source } from "./sources.ts";
import type { WordsMatch } from "./textMatch.ts";

/** Which records of a source are wanted. */
export type Wanted = {
  match: WordsMatch;
  /** The newest so many. */
  count: number;
  /** The highest token id that one may have, as SQL. */
  newest: string;
  /** What else is to be true of them. */
  only: Sql | undefined;
  /** Share of all records that `only` leaves out though they hold the words. */
  leftOut?: number;
};

/**
 * Microseconds that PostgreSQL takes, by measurement. Its own planner takes the matching of words for free, and knows
 * nothing of the beginnings of words.
 */
const COST = {
  /** To match the words of a row: those of the whole text are stored apart from it. */
  read: { head_vector: 3, search_vector: 12 } satisfies Record<Vector, number>,
  /** For each record that an index gives for the beginning of a word. */
  wordEntry: 0.3,
  traitEntry: 0.05,
  /** To fetch a row that an index names. */
  row: 2,
};

/** Up to so many records, to read the words of each is sooner done than to find a better way. */
const FEW = 500;

/** How often as many records as wanted are expected in the slices that are looked through first. */
const MARGIN = 3;

/** How PostgreSQL goes about it. */
type Way =
  /** From the newest record down, matching each. */
  | "walk"
  /** Matching each record that has the traits. */
  | "traits"
  /** By the index of words. */
  | "words";

/**
 * The newest records that hold the words, as a select of `token_id`, `head_vector` and `sort_name` in no order. Which
 * indexes are read is decided here, by how frequent the words and traits are.
 */
export function newestMatches(
  query: SearchQuery,
  source: Source,
  wanted: Wanted,
  frequencies: Frequencies,
): Sql {
  const { match, count, newest } = wanted;
  const { way, share } = wayOf(query, wanted, frequencies);
  if (way === "walk") return select(query, source, wanted, match.read, { walks: true, byTraits: false });
  if (way === "traits") return select(query, source, wanted, match.read, { walks: false, byTraits: true });
  const byTraits = areTraitsWorthReading(query, match, frequencies);
  const of = (matches: Sql) => select(query, source, wanted, matches, { walks: false, byTraits });
  const slices = share > 0 ? newestSlices(newest, (MARGIN * count) / share) : undefined;
  if (slices === undefined || slices.size >= frequencies.records) return of(match.indexed());
  const isFull = sql`(select count(*) from sliced) >= ${count}::int`;
  return sql`(
    with sliced as materialized (${of(match.indexed(slices))})
    select * from sliced where ${isFull}
    union all (${of(sql`${match.indexed()} and not ${isFull}`)}))`;
}

function wayOf(
  query: SearchQuery,
  { match, count, leftOut = 0 }: Wanted,
  { records, ofWords, ofEachWord, ofTraits }: Frequencies,
): { way: Way; share: number } {
  // PostgreSQL knows best what to do with these, and how few they leave.
  const isNarrow = query.owner !== undefined || query.did !== undefined || query.didPrefix !== undefined;
  if (isNarrow) return { way: "words", share: 0 };
  if (records <= FEW) return { way: "walk", share: 0 };
  const { vector, words } = match;
  const read = COST.read[vector];
  const traits = shareOfTraits(query, ofTraits);
  const holding = ofWords(vector, words);
  const share = Math.max((holding - leftOut) * traits, 1 / records);
  const looked = Math.min(records, (2 * MARGIN * count) / share);
  const costs: Record<Way, number> = {
    walk: (count / share) * read,
    traits: query.traits?.length ? records * traits * (read + COST.row) : Number.POSITIVE_INFINITY,
    words: records * ofEachWord(vector, words) * COST.wordEntry + looked * holding * COST.row,
  };
  const [way] = (Object.entries(costs) as [Way, number][]).reduce((best, each) =>
    each[1] < best[1] ? each : best,
  );
  return { way, share };
}

/** Whether the index of traits, read beside that of words, spares more rows than it costs. */
function areTraitsWorthReading(
  query: SearchQuery,
  { vector, words }: WordsMatch,
  known: Frequencies,
): boolean {
  const traits = shareOfTraits(query, known.ofTraits);
  return traits * COST.traitEntry < known.ofWords(vector, words) * (1 - traits) * COST.row;
}

function shareOfTraits({ traits = [], match }: SearchQuery, ofTraits: Frequencies["ofTraits"]): number {
  const hashes = traits.map(traitHash);
  if (match !== "any" || hashes.length === 0) return ofTraits(hashes);
  return Math.min(
    1,
    hashes.reduce((sum, hash) => sum + ofTraits([hash]), 0),
  );
}

/** The newest of a source's records that fulfil a condition. */
const select = (
  query: SearchQuery,
  source: Source,
  { count, only }: Wanted,
  matches: Sql,
  { walks, byTraits }: { walks: boolean; byTraits: boolean },
): Sql => sql`(
  ${matching(query, source, and(matches, only), byTraits)}
  order by ${walks ? sql`${app.tokenId} desc` : /* an order that no index has */ sql`${app.tokenId} + 0 desc`}
  limit ${count}::int)`;

/** A source's records that fulfil a condition, in `token_id`, `head_vector` and `sort_name`. */
export const matching = (
  query: SearchQuery,
  source: Source,
  condition: Sql | undefined,
  byTraits = true,
): Sql => sql`
  select ${app.tokenId} as token_id, ${source.headVector.column} as head_vector, ${source.sortName} as sort_name
  from ${source.from} where ${and(recordFilters(query, byTraits), source.only, condition)}`;
