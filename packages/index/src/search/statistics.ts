import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { LEXEME_PREFIXES, STEM } from "../document/buildRecordLexemes.ts";
import type { Session } from "../session.ts";
import { getKindWeight, isEnglishWord, type Term, toTerms } from "./terms.ts";

/** Reads the share of records that contain each of the most frequent lexemes, and the lowest of these shares. */
async function readStatistics({ db, schema }: Session) {
  const { rows } = await db.execute<{ lexemes: string[]; shares: number[] }>(sql`
    select most_common_elems::text::text[] as lexemes, most_common_elem_freqs as shares from pg_stats
    where schemaname = ${schema} and tablename = 'app' and attname = 'search_vector'
      and most_common_elems is not null`);
  const { lexemes, shares } = rows[0] ?? { lexemes: [], shares: [] };
  // PostgreSQL appends the lowest and the highest share to those of the lexemes.
  const lowest = shares[lexemes.length] ?? 1;
  return { shares: new Map(lexemes.map((lexeme, index) => [lexeme, shares[index] ?? lowest])), lowest };
}

type Statistics = Awaited<ReturnType<typeof readStatistics>>;

/** Cache of the statistics, for five minutes. They affect only the order of results. */
const statisticsCache = new LRUCache<string, Statistics, Session>({
  ...{ max: 10, ttl: 300_000 },
  fetchMethod: (_schema, _stale, { context }) => readStatistics(context),
});
const statistics = (session: Session) => statisticsCache.forceFetch(session.schema, { context: session });

/** Share of records above which a word is not used as a prefix. */
const FREQUENT_WORD_SHARE = 0.05;

/** Converts words to search terms. Frequent words do not match as a prefix of others. */
export async function toSearchTerms(session: Session, words: readonly string[]): Promise<Term[]> {
  const { shares } = await statistics(session);
  return toTerms(words).map((term) => ({
    ...term,
    isPrefix: term.isPrefix && (shares.get(term.text) ?? 0) < FREQUENT_WORD_SHARE,
  }));
}

/** Returns true if the statistics cover all terms, so that PostgreSQL can estimate their matches. */
export async function haveStatistics(session: Session, terms: readonly Term[]): Promise<boolean> {
  const { shares } = await statistics(session);
  const isBegun = (text: string) => [...shares.keys()].some((lexeme) => lexeme.startsWith(text));
  return terms.every(
    ({ text, stem, isPrefix }) => shares.has(text) || shares.has(STEM + stem) || (isPrefix && isBegun(text)),
  );
}

/** Share assumed for words that the statistics lack, relative to that of the rarest listed word. */
const UNLISTED_SHARE = 1 / 2;

/** Reads the worth of each term: the logarithm of the number of records per match, weighted by the kind of its word. */
export async function readWorth(session: Session, terms: readonly Term[]): Promise<number[]> {
  const { shares, lowest } = await statistics(session);
  const getShare = (lexeme: string) => shares.get(lexeme) ?? lowest * UNLISTED_SHARE;
  return terms.map(
    ({ text, stem, joined }) =>
      getKindWeight(text) * Math.log(1 + 1 / Math.max(...[text, stem, STEM + stem, ...joined].map(getShare))),
  );
}

/** Returns the words of highest worth. */
export async function findRarest(session: Session, words: readonly string[]): Promise<string[]> {
  const worth = await readWorth(session, toTerms(words));
  const highest = Math.max(...worth);
  return words.filter((_, index) => worth[index] === highest);
}

/** Worth below which any word is common, and a word that is no topic, relative to a word which the statistics lack. */
const COMMON_WORTH = { any: 1 / 3, noTopic: 0.55 };

/** Share of an English word's records that have it in their name, tags or tools, from which the word is a topic. */
const TOPIC_SHARE = 1 / 4;

/**
 * Returns true if all words are so common that they find no service, such as "access", "data" and "tool". Two words are
 * often a name, such as "time server", so they have to be more common.
 */
export async function areCommon(session: Session, words: readonly string[]): Promise<boolean> {
  const { shares, lowest } = await statistics(session);
  const terms = toTerms(words);
  const worth = await readWorth(session, terms);
  const most = Math.log(1 + 1 / (lowest * UNLISTED_SHARE));
  return terms.every(({ text, stem }, index) => {
    const getShare = (label: string) =>
      Math.max(...[text, stem, STEM + stem].map((form) => shares.get(label + form) ?? 0));
    const inHead = Math.max(getShare(LEXEME_PREFIXES.name), getShare(LEXEME_PREFIXES.head));
    const isTopic = !isEnglishWord(text) || inHead >= TOPIC_SHARE * getShare("");
    return (worth[index] ?? 0) < most * COMMON_WORTH[isTopic || words.length < 3 ? "any" : "noTopic"];
  });
}
