import { fields } from "./buildRecordLexemes.ts";
import type { Term } from "./terms.ts";
import { stem } from "./wordForms.ts";

/** How much a word counts in a field. */
const FIELD_WEIGHTS: Record<(typeof fields)[number], number> = {
  name: 2.5,
  labels: 2,
  tools: 1.5,
  text: 1,
  path: 0.6,
  host: 0.4,
};

/** How much a word counts by its form. */
const FORM_WEIGHTS = { whole: 1, joined: 0.95, stem: 0.9, prefix: 0.6 };

/** What each further field of a word adds, as a share of its weight. */
const EXTRA_FIELD_FACTOR = 0.2;
/** What words side by side add, as a share of what both are worth: in either order, in a text with at most one word between. */
const PHRASE_BOOST = 2;
/** What is added when the whole name consists of the words. */
const FULL_NAME_BOOST = 0.7;
/** By how much each word of a text lessens the others. */
const LENGTH_PENALTY = 0.01;
/** What the beginning of a text adds to a word. */
const LEADING_WORD_BOOST = 0.3;
const LEADING_WORDS = 10;
/** Records of that very name come first. */
const EXACT_NAME_BOOST = 1_000;
/** What each piece of missing evidence takes away. */
const MISSING_EVIDENCE_PENALTY = 0.05;

/** A record to be ranked. */
export type ScoringInput = {
  /** The column `words`. */
  words: string;
  /** Its name is the text that was typed. */
  isNamed: boolean;
  /** The column `unproven`. */
  unproven: number;
};

/**
 * How well a record answers a search for terms: where each occurs and how rare it is, whether they occur side by side,
 * how much of the search is met, and how much evidence is missing.
 *
 * @param worth of each term: the rarer, the more
 */
export function score(
  { words, isNamed, unproven }: ScoringInput,
  terms: readonly Term[],
  worth: readonly number[],
): number {
  const evidence = 1 - MISSING_EVIDENCE_PENALTY * unproven;
  // Whoever takes a name gains nothing by repeating it elsewhere.
  if (isNamed) return EXACT_NAME_BOOST * evidence;
  const total = worth.reduce((sum, one) => sum + one, 0);
  // No stem begins with another letter than its word, so most words need no closer look.
  const initials = new Set(terms.flatMap(({ text, joined }) => [text, ...joined].map((word) => word[0])));
  const best = terms.map(() => 0);
  const sums = terms.map(() => 0);
  const pairs = new Set<string>();
  let inName = 0;
  let nameLength = 1;
  for (const [at, line] of words.split("\n").entries()) {
    const field = fields[at];
    if (field === undefined || line === "") continue;
    const list = line.split(" ");
    if (field === "name") nameLength = list.length;
    const found = terms.map(() => 0);
    const last: (readonly [term: number, position: number])[] = [];
    for (const [position, word] of list.entries()) {
      if (!initials.has(word[0])) continue;
      for (const [index, term] of terms.entries()) {
        const form = getMatchForm(word, term);
        if (form === 0) continue;
        if (field === "name" && found[index] === 0) inName += form;
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
      // A DID usually repeats the name.
      if (field !== "path" && field !== "host") sums[index] = (sums[index] ?? 0) + value;
    }
  }
  let result = 0;
  let met = 0;
  for (const [index, one] of worth.entries()) {
    const [highest = 0, sum = 0] = [best[index], sums[index]];
    if (highest > 0) met += one;
    result += one * (highest + EXTRA_FIELD_FACTOR * Math.max(0, sum - highest));
  }
  for (const pair of pairs) {
    const [a = 0, b = 0] = pair.split(",").map(Number);
    if (Math.abs(a - b) === 1) result += (PHRASE_BOOST * ((worth[a] ?? 0) + (worth[b] ?? 0))) / 2;
  }
  result += FULL_NAME_BOOST * total * Math.min(1, inName / nameLength);
  const share = total === 0 ? 0 : met / total;
  return result * share ** 2 * evidence;
}

function getMatchForm(word: string, { text, stem: termStem, joined, isPrefix }: Term): number {
  if (word === text) return FORM_WEIGHTS.whole;
  if (joined.includes(word)) return FORM_WEIGHTS.joined;
  if (stem(word) === termStem) return FORM_WEIGHTS.stem;
  return isPrefix && word.startsWith(text) ? FORM_WEIGHTS.prefix : 0;
}
