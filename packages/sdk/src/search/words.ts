/** Longest word, in UTF-16 code units; the rest of a longer one is not searched. */
const MAX_WORD = 64;

/** Scripts written without spaces. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;

const WORD = new RegExp(String.raw`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, "gu");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/** Lower case without accents, so that `Café` and `cafe` meet. */
export const foldWord = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/** Bringing marks into order takes the square of their number; no writing has more of them on one letter (UAX 15). */
const EXCESS_COMBINING_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * The words of a text in its order, folded: letters and digits only, so they need no escape in a tsquery. Where a script
 * writes no spaces, each pair of neighbouring characters is a word, and so is the last character.
 */
export function tokenize(text: string): string[] {
  const found: string[] = [];
  for (const [match] of text.replace(EXCESS_COMBINING_MARKS, "$1").normalize("NFC").matchAll(WORD)) {
    for (const part of foldWord(match).match(WORD) ?? []) {
      if (IS_UNSPACED.test(part)) found.push(...toBigrams([...part]));
      else found.push(part.slice(0, MAX_WORD).toWellFormed());
    }
  }
  return found;
}

const toBigrams = (characters: readonly string[]) =>
  characters.map((character, index) => character + (characters[index + 1] ?? ""));

/** Each two neighbouring words as one: `pay-pal` is found as `paypal`. */
export const joinAdjacentWords = (words: readonly string[]): string[] =>
  words.slice(1).flatMap((word, index) => {
    const whole = `${words[index]}${word}`;
    return whole.length > MAX_WORD || IS_UNSPACED.test(whole) ? [] : [whole];
  });
