import { fields } from "../document/buildRecordLexemes.ts";
import { stem } from "../document/wordForms.ts";
import type { Term } from "./terms.ts";

/** Weight of a word by field. */
const FIELD_WEIGHTS: Record<(typeof fields)[number], number> = {
  name: 2.5,
  labels: 2,
  tools: 1.5,
  text: 1,
  path: 0.6,
  host: 0.4,
};

/** Weight of a word by form. */
const FORM_WEIGHTS = { whole: 1, joined: 0.95, stem: 0.9, prefix: 0.6 };

/** Bonus for each further field of a word, as a share of that field's weight. */
const EXTRA_FIELD_FACTOR = 0.2;
/** Bonus for adjacent words, as a share of their worth. Either order counts; in a text, also with one word between. */
const PHRASE_BOOST = 2;
/** Bonus if the name consists of the words. */
const FULL_NAME_BOOST = 0.7;
/** Reduction of a text's weight per word. */
const LENGTH_PENALTY = 0.01;
/** Bonus for a word at the beginning of a text. */
const LEADING_WORD_BOOST = 0.3;
const LEADING_WORDS = 10;
/** Score of records whose name is the query. It exceeds all others. */
const EXACT_NAME_BOOST = 1_000;
/** Share of the score that each piece of missing evidence removes. */
const MISSING_EVIDENCE_PENALTY = 0.05;

/** Record to rank. */
export type ScoringInput = {
  /** The column `words`. */
  words: string;
  /** True if its name is the query. */
  isNamed: boolean;
  /** The column `unproven`. */
  unproven: number;
};

/**
 * Creates a function that returns the score of a record for a search. It depends on the fields and worth of each term,
 * adjacent terms, the share of matched terms, and missing evidence.
 *
 * @param worth Worth of each term, which is higher for rare words
 */
export function createScorer(terms: readonly Term[], worth: readonly number[]) {
  // A stem has the same initial as its word, so skip words with other initials.
  const initials = new Set(
    terms.flatMap(({ text, joined }) => [text, ...joined].map((word) => word.charCodeAt(0))),
  );
  const known = new Map<string, number[] | null>();
  const getForms = (word: string) => {
    let forms = initials.has(word.charCodeAt(0)) ? known.get(word) : null;
    if (forms === undefined) {
      forms = terms.map((term) => getMatchForm(word, term));
      if (!forms.some((form) => form > 0)) forms = null;
      known.set(word, forms);
    }
    return forms;
  };
  return (input: ScoringInput) => score(input, terms, worth, getForms);
}

function score(
  { words, isNamed, unproven }: ScoringInput,
  terms: readonly Term[],
  worth: readonly number[],
  getForms: (word: string) => readonly number[] | null,
): number {
  const evidence = 1 - MISSING_EVIDENCE_PENALTY * unproven;
  // Return here: repeating the name in other fields must not improve the rank of a copied name.
  if (isNamed) return EXACT_NAME_BOOST * evidence;
  // Squares, so that one rare word outweighs several common ones.
  const total = worth.reduce((sum, one) => sum + one ** 2, 0);
  const best = terms.map(() => 0);
  const sums = terms.map(() => 0);
  const pairs = new Set<string>();
  let inName = 0;
  let nameWorth = 0;
  let nameLength = 1;
  for (const [at, line] of words.split("\n").entries()) {
    const field = fields[at];
    if (field === undefined || line === "") continue;
    const list = line.split(" ");
    if (field === "name") nameLength = list.length;
    const found = terms.map(() => 0);
    const last: (readonly [term: number, position: number])[] = [];
    for (let position = 0; position < list.length; position++) {
      const forms = getForms(list[position] ?? "");
      if (!forms) continue;
      for (const [index, form] of forms.entries()) {
        if (form === 0) continue;
        if (field === "name" && found[index] === 0) {
          inName += form;
          nameWorth += worth[index] ?? 0;
        }
        const density =
          field === "text"
            ? (1 + LEADING_WORD_BOOST * Math.max(0, 1 - position / LEADING_WORDS)) /
              (1 + LENGTH_PENALTY * list.length)
            : 1;
        found[index] = Math.max(found[index] ?? 0, FIELD_WEIGHTS[field] * form * density);
        for (const [other, where] of last) {
          if (other !== index && position - where <= (field === "text" ? 2 : 1))
            pairs.add([other, index].sort().join());
        }
        last.push([index, position]);
      }
    }
    for (const [index, value] of found.entries()) {
      best[index] = Math.max(best[index] ?? 0, value);
      // A DID usually repeats the name, so its path and host add no bonus.
      if (field !== "path" && field !== "host") sums[index] = (sums[index] ?? 0) + value;
    }
  }
  let result = 0;
  let met = 0;
  for (const [index, one] of worth.entries()) {
    const [highest = 0, sum = 0] = [best[index], sums[index]];
    if (highest > 0) met += one ** 2;
    result += one * (highest + EXTRA_FIELD_FACTOR * Math.max(0, sum - highest));
  }
  for (const pair of pairs) {
    const [a = 0, b = 0] = pair.split(",").map(Number);
    if (Math.abs(a - b) === 1) result += (PHRASE_BOOST * ((worth[a] ?? 0) + (worth[b] ?? 0))) / 2;
  }
  result += FULL_NAME_BOOST * nameWorth * Math.min(1, inName / nameLength);
  const share = total === 0 ? 0 : met / total;
  return result * share * evidence;
}

function getMatchForm(word: string, { text, stem: termStem, joined, isPrefix }: Term): number {
  if (word === text) return FORM_WEIGHTS.whole;
  if (joined.includes(word)) return FORM_WEIGHTS.joined;
  if (stem(word) === termStem) return FORM_WEIGHTS.stem;
  return isPrefix && word.startsWith(text) ? FORM_WEIGHTS.prefix : 0;
}
