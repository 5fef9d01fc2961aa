/** Longest token, in UTF-16 code units; the rest of a longer word is not searched. */
const MAX_TOKEN = 64;

/** Scripts written without spaces: each character is a token of its own. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

/** Where camelCase changes words: `getWeather`, `HTTPServer`. */
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Lower case without accents, so that `Café` and `cafe` meet. */
export const fold = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/** One word of a search text. */
export type Token = {
  text: string;
  /** It stands right behind the token before it, in a script that writes no spaces. */
  joined: boolean;
};

/** Bringing marks into order takes the square of their number; no writing has more of them on one letter (UAX 15). */
const ENDLESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/** The words of `text`, folded: letters and digits only, so they need no escape in a tsquery. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let end = -1;
  for (const match of text.replace(ENDLESS_MARKS, "$1").normalize("NFC").matchAll(WORD)) {
    const unspaced = UNSPACED.test(match[0]);
    for (const part of fold(match[0]).match(WORD) ?? []) {
      found.push({ text: part.slice(0, MAX_TOKEN).toWellFormed(), joined: unspaced && end === match.index });
    }
    end = unspaced ? match.index + match[0].length : -1;
  }
  return found;
}

/** `tokens`, and for a camelCase or snake_case word its parts beside the whole: `getWeather`, `get`, `weather`. */
export function identifierTokens(identifier: string): Token[] {
  const whole = identifier.replace(/[^\p{L}\p{N}]+/gu, "");
  const parts = identifier.split(CAMEL).join(" ");
  const found = tokens(parts);
  return found.length > 1 ? [...tokens(whole), ...found] : found;
}
