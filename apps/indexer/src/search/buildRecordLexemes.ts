import { joinAdjacentWords, tokenize } from "@app-registry/sdk/internal";
import { splitIdentifier, stem } from "./wordForms.ts";

/** What of a record is searched by its words. */
export type SearchableRecord = {
  did: string;
  name: string | null;
  publisher: string | null;
  traits: readonly string[];
  toolNames: readonly string[];
  text: string;
};

/** The columns of a record's words. */
export type RecordLexemes = {
  /** Text form of a PostgreSQL tsvector without positions: what an index finds a record by. */
  searchVector: string;
  /** A line for each of `fields`, its words separated by spaces: what a record found is ranked by. */
  words: string;
};

/** The fields of a record in the order in which a word counts. */
export const fields = ["name", "labels", "tools", "text", "path", "host"] as const;

/**
 * What a lexeme of the index begins with, which no word does. A word stands for itself wherever it occurs; `:n` and `:t`
 * mark that it occurs in the name, or in publisher, traits and tool names. `~` marks a stem that is not the word itself.
 */
export const LEXEME_PREFIXES = { anywhere: "", name: ":n", head: ":t" } as const;

export const STEM = "~";

/** Stands between the labels and tools of a record, so that none is read as one with the next. */
const SEPARATOR = ",";

/** Most UTF-16 code units of all lexemes together: a tsvector holds less than 1 MiB. */
const MAX_SIZE = 200_000;

/** Most words of a field that are ranked. */
const MAX_RANKED = 250;

/** Everything of a record that is searched. Words behind 200,000 characters are not. */
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
  const [, method, ...rest] = did.split(":");
  const [host = "", ...path] = method === "web" ? rest : ["", ...rest];
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
