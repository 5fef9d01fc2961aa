/** Longest word, in UTF-16 code units. The rest of a longer word is not searched. */
const MAX_WORD = 64;

/** Scripts that are written without spaces. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;

const WORD = new RegExp(String.raw`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, "gu");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/** Returns a word in lower case without accents, so that `Café` matches `cafe`. */
export const foldWord = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/**
 * Combining marks beyond 30 on one letter, which no writing uses (UAX 15). Normalizing them takes time proportional to
 * the square of their number.
 */
const EXCESS_COMBINING_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Splits a text into folded words, in its order. Words have only letters and digits, so they need no escape in a
 * tsquery. In a script without spaces, each pair of neighboring characters is a word, and so is the last character.
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

/** Joins each two neighboring words, so that `pay-pal` is found as `paypal`. */
export const joinAdjacentWords = (words: readonly string[]): string[] =>
  words.slice(1).flatMap((word, index) => {
    const whole = `${words[index]}${word}`;
    return whole.length > MAX_WORD || IS_UNSPACED.test(whole) ? [] : [whole];
  });
