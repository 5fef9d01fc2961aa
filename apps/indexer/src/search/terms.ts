import { joinAdjacentWords, tokenize } from "@app-registry/sdk/internal";
import { LEXEME_PREFIXES, STEM } from "./buildRecordLexemes.ts";
import { stem } from "./wordForms.ts";

/** A word that is searched. */
export type Term = {
  text: string;
  stem: string;
  /** The word and a neighbour, written as one. */
  joined: readonly string[];
  /** The beginning of a word is enough. */
  isPrefix: boolean;
};

/** The words of a DID are searched without its method. */
const DID_METHOD = /^did:(web|pkh):/i;

/** Most words of a search that count. */
const MAX_TERMS = 12;

/** Most ways to choose some of the words. */
const MAX_CHOICES = 80;

/** The words that a person typed, each once; none when there is no letter or digit. */
export const tokenizeQuery = (q: string): string[] => {
  const words = q.replace(DID_METHOD, "").matchAll(/\S+/g);
  // The last character of a script without spaces is the end of the pair before it.
  const typed = [...words].flatMap(([word]) => {
    const found = tokenize(word);
    return found.length > 1
      ? found.filter((one, index) => !found[index - 1]?.endsWith(one) || one.length > 1)
      : found;
  });
  return [...new Set(typed)].slice(0, MAX_TERMS);
};

/** The terms of words in the order in which they were typed. */
export const toTerms = (words: readonly string[]): Term[] =>
  words.map((text, index) => ({
    text,
    stem: stem(text),
    joined: joinAdjacentWords(words.slice(Math.max(0, index - 1), index + 2)),
    isPrefix: text.length > 1 || words.length === 1,
  }));

export type LexemeField = keyof typeof LEXEME_PREFIXES;

/** The tsquery that finds a term under one of some labels. */
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

/** The tsquery that finds records with at least so many of the terms. */
export const buildMinimumMatchQuery = (
  terms: readonly Term[],
  least: number,
  among?: readonly LexemeField[],
): string =>
  combinations(terms, least)
    .map((some) => `(${some.map((term) => `(${buildTermQuery(term, among)})`).join(" & ")})`)
    .join(" | ");

/** How many of the terms a search may ask for: all of them first, then fewer. */
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

/** Shortest word that may be a misspelt one. */
const MIN_MISSPELT = 4;

/** Every word that one typing error turns into `word`: a letter too many, too few, another one, or two exchanged. */
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
