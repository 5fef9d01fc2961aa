import { joinAdjacentWords, tokenize } from "@app-registry/sdk/internal";
import { stemmer } from "stemmer";

/** Word boundaries in camelCase: `getWeather`, `HTTPServer`. */
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Splits a camelCase identifier into words, unless `tokenize` already does: `getWeather`, `get`, `weather`. */
export function splitIdentifier(identifier: string): string[] {
  const parts = tokenize(identifier.split(CAMEL).join(" "));
  const plain = tokenize(identifier);
  return [...(parts.length > plain.length ? parts : []), ...joinAdjacentWords(plain)];
}

const stems = new Map<string, string>();
const MAX_CACHED_STEMS = 50_000;

/** Returns the stem of an English word (Porter's algorithm), or the word itself for other words. */
export function stem(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    found = /^[a-z]{4,}$/.test(word) ? stemmer(word) : word;
    if (stems.size >= MAX_CACHED_STEMS) stems.clear();
    stems.set(word, found);
  }
  return found;
}
