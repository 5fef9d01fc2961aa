import { db } from "ponder:api";
import { LRUCache } from "lru-cache";
import { sql } from "ponder";
import { STEM } from "../../document/buildRecordLexemes.ts";
import { getKindWeight } from "./english.ts";
import { type Term, toTerms } from "./terms.ts";

/** Reads the share of records that contain each of the most frequent lexemes, and the lowest of these shares. */
async function readStatistics() {
  const { rows } = await db.execute<{ lexemes: string[]; shares: number[] }>(sql`
    select most_common_elems::text::text[] as lexemes, most_common_elem_freqs as shares from pg_stats
    where schemaname = current_schema() and tablename = 'app' and attname = 'search_vector'
      and most_common_elems is not null`);
  const { lexemes, shares } = rows[0] ?? { lexemes: [], shares: [] };
  // PostgreSQL appends the lowest and the highest share to those of the lexemes.
  const lowest = shares[lexemes.length] ?? 1;
  return { shares: new Map(lexemes.map((lexeme, index) => [lexeme, shares[index] ?? lowest])), lowest };
}

/** Cache of the statistics, for five minutes. They affect only the order of results. */
const statisticsCache = new LRUCache({ max: 1, ttl: 300_000, fetchMethod: readStatistics });
const statistics = () => statisticsCache.forceFetch("words");

/** Share of records above which a word is not used as a prefix. */
const FREQUENT_WORD_SHARE = 0.05;

/** Converts words to search terms. Frequent words do not match as a prefix of others. */
export async function toSearchTerms(words: readonly string[]): Promise<Term[]> {
  const { shares } = await statistics();
  return toTerms(words).map((term) => ({
    ...term,
    isPrefix: term.isPrefix && (shares.get(term.text) ?? 0) < FREQUENT_WORD_SHARE,
  }));
}

/** Returns true if the statistics cover all terms, so that PostgreSQL can estimate their matches. */
export async function haveStatistics(terms: readonly Term[]): Promise<boolean> {
  const { shares } = await statistics();
  const isBegun = (text: string) => [...shares.keys()].some((lexeme) => lexeme.startsWith(text));
  return terms.every(
    ({ text, stem, isPrefix }) => shares.has(text) || shares.has(STEM + stem) || (isPrefix && isBegun(text)),
  );
}

/** Share assumed for words that the statistics lack, relative to that of the rarest listed word. */
const UNLISTED_SHARE = 1 / 2;

/** Reads the worth of each term: the logarithm of the number of records per match, weighted by the kind of its word. */
export async function readWorth(terms: readonly Term[]): Promise<number[]> {
  const { shares, lowest } = await statistics();
  const getShare = (lexeme: string) => shares.get(lexeme) ?? lowest * UNLISTED_SHARE;
  return terms.map(
    ({ text, stem, joined }) =>
      getKindWeight(text) * Math.log(1 + 1 / Math.max(...[text, stem, STEM + stem, ...joined].map(getShare))),
  );
}

/** Returns the words of highest worth. */
export async function findRarest(words: readonly string[]): Promise<string[]> {
  const worth = await readWorth(toTerms(words));
  const highest = Math.max(...worth);
  return words.filter((_, index) => worth[index] === highest);
}

/** Worth below which a word is common, relative to that of a word which the statistics lack. */
const COMMON_WORTH = 1 / 3;

/** Returns true if all words are too common to answer a query that has another, unknown word. */
export async function areCommon(words: readonly string[]): Promise<boolean> {
  const { lowest } = await statistics();
  const worth = await readWorth(toTerms(words));
  const most = COMMON_WORTH * Math.log(1 + 1 / (lowest * UNLISTED_SHARE));
  return worth.every((one) => one < most);
}
