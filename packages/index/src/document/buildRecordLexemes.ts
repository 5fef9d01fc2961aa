import { getDidHost, joinAdjacentWords, tokenize } from "@app-registry/sdk/internal";
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

/** Fields of a record that a search by words matches. */
export type SearchableRecord = {
  did: string;
  name: string | null;
  publisher: string | null;
  traits: readonly string[];
  toolNames: readonly string[];
  text: string;
};

/** Columns with a record's words. */
export type RecordLexemes = {
  /** PostgreSQL tsvector in text form, without positions, for matching. */
  searchVector: string;
  /** One line per entry of `fields`, with words separated by spaces, for ranking. */
  words: string;
};

/** Fields of a record, highest weight first. */
export const fields = ["name", "labels", "tools", "text", "path", "host"] as const;

/**
 * Prefixes of lexemes. A word without prefix occurs anywhere; `:n` marks a word of the name, `:t` one of the publisher,
 * traits or tool names. `~` marks a stem that differs from the word. No word begins with a prefix.
 */
export const LEXEME_PREFIXES = { anywhere: "", name: ":n", head: ":t" } as const;

export const STEM = "~";

/** Separator between labels and tools of a record, so that a phrase can't span two of them. */
const SEPARATOR = ",";

/** Limit of all lexemes together, in UTF-16 code units. A tsvector must be smaller than 1 MiB. */
const MAX_SIZE = 200_000;

/** Most words of a field for ranking. */
const MAX_RANKED = 250;

/** Builds the searchable words of a record. Omits words after `MAX_SIZE`. */
export function buildRecordLexemes({
  did,
  name,
  publisher,
  traits,
  toolNames,
  text,
}: SearchableRecord): RecordLexemes {
  const identifiers = (names: readonly string[]) =>
    names.flatMap((one) => [...tokenize(one), ...splitIdentifier(one), SEPARATOR]);
  const [, , ...parts] = did.split(":");
  const [host = "", ...path] = getDidHost(did) === undefined ? ["", ...parts] : parts;
  const nameWords = tokenize(name ?? "");
  const nameParts = splitIdentifier(name ?? "");
  const [hostWords, pathWords] = [tokenize(decodeURI(host)), path.flatMap((part) => tokenize(part))];
  const byField = {
    name: nameWords,
    labels: [...nameParts, SEPARATOR, ...tokenize(publisher ?? ""), SEPARATOR, ...identifiers(traits)],
    tools: identifiers(toolNames),
    text: tokenize(text),
    path: pathWords,
    host: [...hostWords, ...joinAdjacentWords(hostWords.slice(0, -1))],
  };
  const lexemes = new Set<string>();
  let size = 0;
  const add = (label: string, words: readonly string[]) => {
    for (const word of words) {
      if (word === SEPARATOR) continue;
      for (const lexeme of [label + word, ...(stem(word) === word ? [] : [`${label}${STEM}${stem(word)}`])]) {
        if (lexemes.has(lexeme)) continue;
        size += lexeme.length;
        if (size > MAX_SIZE) return;
        lexemes.add(lexeme);
      }
    }
  };
  add(LEXEME_PREFIXES.name, [...nameWords, ...nameParts]);
  add(LEXEME_PREFIXES.head, [...byField.labels.slice(nameParts.length), ...byField.tools]);
  for (const field of fields) add(LEXEME_PREFIXES.anywhere, byField[field]);
  return {
    searchVector: [...lexemes].map((lexeme) => `'${lexeme}'`).join(" "),
    words: fields.map((field) => byField[field].slice(0, MAX_RANKED).join(" ")).join("\n"),
  };
}
