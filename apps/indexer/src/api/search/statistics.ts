import { db } from "ponder:api";
import { LRUCache } from "lru-cache";
import { sql } from "ponder";
import { STEM } from "../../document/buildRecordLexemes.ts";
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

/** Reads the inverse document frequency of each term: the logarithm of the number of records per match. */
export async function readInverseFrequencies(terms: readonly Term[]): Promise<number[]> {
  const { shares, lowest } = await statistics();
  // Words that the statistics lack are rarer than the rarest listed word.
  const getShare = (lexeme: string) => shares.get(lexeme) ?? lowest / 2;
  return terms.map(({ text, stem }) =>
    Math.log(1 + 1 / Math.max(getShare(text), getShare(stem), getShare(STEM + stem))),
  );
}
