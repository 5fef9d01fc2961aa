import { joined, tokens } from "@app-registry/sdk/internal";
import { partsOf, stem } from "./wordForms.ts";

/** What of a record is searched by its words. */
export type Searchable = {
  did: string;
  name: string | null;
  publisher: string | null;
  traits: readonly string[];
  toolNames: readonly string[];
  text: string;
};

/** The columns of a record's words. */
export type RecordWords = {
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
export const labels = { anywhere: "", name: ":n", head: ":t" } as const;

export const STEM = "~";

/** Stands between the labels and tools of a record, so that none is read as one with the next. */
const SEPARATOR = ",";

/** Most UTF-16 code units of all lexemes together: a tsvector holds less than 1 MiB. */
const MAX_SIZE = 200_000;

/** Most words of a field that are ranked. */
const MAX_RANKED = 250;

/** Everything of a record that is searched. Words behind 200,000 characters are not. */
export function recordWords({ did, name, publisher, traits, toolNames, text }: Searchable): RecordWords {
  const identifiers = (names: readonly string[]) =>
    names.flatMap((one) => [...tokens(one), ...partsOf(one), SEPARATOR]);
  const [, method, ...rest] = did.split(":");
  const [host = "", ...path] = method === "web" ? rest : ["", ...rest];
  const nameWords = tokens(name ?? "");
  const nameParts = partsOf(name ?? "");
  const [hostWords, pathWords] = [tokens(decodeURI(host)), path.flatMap((part) => tokens(part))];
  const byField = {
    name: nameWords,
    labels: [...nameParts, SEPARATOR, ...tokens(publisher ?? ""), SEPARATOR, ...identifiers(traits)],
    tools: identifiers(toolNames),
    text: tokens(text),
    path: pathWords,
    host: [...hostWords, ...joined(hostWords.slice(0, -1))],
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
  add(labels.name, [...nameWords, ...nameParts]);
  add(labels.head, [...byField.labels.slice(nameParts.length), ...byField.tools]);
  for (const field of fields) add(labels.anywhere, byField[field]);
  return {
    searchVector: [...lexemes].map((lexeme) => `'${lexeme}'`).join(" "),
    words: fields.map((field) => byField[field].slice(0, MAX_RANKED).join(" ")).join("\n"),
  };
}
