import { db } from "ponder:api";
import { LRUCache } from "lru-cache";
import { sql } from "ponder";
import { STEM } from "../../search/buildRecordLexemes.ts";
import { type Term, toTerms } from "../../search/terms.ts";

/** The share of records that hold each of the most frequent lexemes, and the lowest of these shares. */
async function readStatistics() {
  const { rows } = await db.execute<{ lexemes: string[]; shares: number[] }>(sql`
    select most_common_elems::text::text[] as lexemes, most_common_elem_freqs as shares from pg_stats
    where schemaname = current_schema() and tablename = 'app' and attname = 'search_vector'
      and most_common_elems is not null`);
  const { lexemes, shares } = rows[0] ?? { lexemes: [], shares: [] };
  // Behind the shares of the lexemes stand the lowest and the highest of them.
  const lowest = shares[lexemes.length] ?? 1;
  return { shares: new Map(lexemes.map((lexeme, index) => [lexeme, shares[index] ?? lowest])), lowest };
}

/** Kept for five minutes: they decide the order of results, not what is found. */
const statisticsCache = new LRUCache({ max: 1, ttl: 300_000, fetchMethod: readStatistics });
const statistics = () => statisticsCache.forceFetch("words");

/** Share of records from which on a word has enough of them as it is. */
const FREQUENT_WORD_SHARE = 0.05;

/** The terms that words are looked for by: one that is frequent is not taken for the beginning of others. */
export async function toSearchTerms(words: readonly string[]): Promise<Term[]> {
  const { shares } = await statistics();
  return toTerms(words).map((term) => ({
    ...term,
    isPrefix: term.isPrefix && (shares.get(term.text) ?? 0) < FREQUENT_WORD_SHARE,
  }));
}

/** Whether the statistics know each of the terms: PostgreSQL can then tell how many records hold them. */
export async function haveStatistics(terms: readonly Term[]): Promise<boolean> {
  const { shares } = await statistics();
  const isBegun = (text: string) => [...shares.keys()].some((lexeme) => lexeme.startsWith(text));
  return terms.every(
    ({ text, stem, isPrefix }) => shares.has(text) || shares.has(STEM + stem) || (isPrefix && isBegun(text)),
  );
}

/** How much each term tells: the logarithm of how many records there are to one that holds it. */
export async function readInverseFrequencies(terms: readonly Term[]): Promise<number[]> {
  const { shares, lowest } = await statistics();
  // A word that the statistics leave out is rarer than the rarest that they have.
  const getShare = (lexeme: string) => shares.get(lexeme) ?? lowest / 2;
  return terms.map(({ text, stem }) =>
    Math.log(1 + 1 / Math.max(getShare(text), getShare(stem), getShare(STEM + stem))),
  );
}
