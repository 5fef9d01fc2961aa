import { identifierTokens, type Token, tokens } from "./tokens.ts";

/** What of a record is searched by its words. */
export type Searchable = {
  did: string;
  name: string | null;
  publisher: string | null;
  traits: readonly string[];
  toolNames: readonly string[];
  text: string;
};

/** Last position that a tsvector holds. */
const MAX_POSITION = 16_383;

/** Most UTF-16 code units of all words together: a tsvector holds less than 1 MiB. */
const MAX_SIZE = 200_000;

type Field = { weight: "A" | "B" | "C" | "D"; found: readonly Token[] };

/** The text form of a PostgreSQL tsvector of fields that follow each other. */
function vectorOf(fields: readonly Field[]): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  let size = 0;
  for (const { weight, found } of fields) {
    for (const { text } of found) {
      size += text.length;
      if (++position > MAX_POSITION || size > MAX_SIZE) break;
      const places = positions.get(text);
      if (places) places.push(`${position}${weight}`);
      else positions.set(text, [`${position}${weight}`]);
    }
    position++; // a phrase does not run from one field into the next
  }
  return [...positions].map(([text, places]) => `'${text}':${places.join(",")}`).join(" ");
}

/** What a record calls itself and offers: all but its prose. */
const headOf = (record: Omit<Searchable, "text">): Field[] => [
  { weight: "A", found: tokens(record.name ?? "") },
  { weight: "B", found: tokens(record.publisher ?? "") },
  ...record.traits.map((trait): Field => ({ weight: "B", found: identifierTokens(trait) })),
  { weight: "B", found: tokens(record.did.replace(/^did:(web|pkh):/, "")) },
  ...record.toolNames.map((toolName): Field => ({ weight: "C", found: identifierTokens(toolName) })),
];

/**
 * Everything of a record that is searched, as the text form of a PostgreSQL tsvector. Weights: A name; B publisher,
 * traits and DID; C tool names; D description and tool descriptions. Words beyond the 16,383rd, or behind 200,000
 * characters, are not searched.
 */
export const searchVector = (record: Searchable): string =>
  vectorOf([...headOf(record), { weight: "D", found: tokens(record.text) }]);

/** Of that, the weights A, B and C: small enough to be read for each of many records. */
export const headVector = (record: Omit<Searchable, "text">): string => vectorOf(headOf(record));

/** A word of a search and the sign that joins it to the one before. */
export type SearchWord = { text: string; join: "" | " & " | " <-> " };

/** Most words of a search that count. */
const MAX_WORDS = 32;

/** The words of what a person typed. */
export const searchWords = (q: string): SearchWord[] =>
  tokens(q)
    .slice(0, MAX_WORDS)
    .map(({ text, joined }, index) => ({ text, join: index === 0 ? "" : joined ? " <-> " : " & " }));

/**
 * The PostgreSQL tsquery of words: every word has to occur, the beginning of a word is enough, and characters of
 * scripts without spaces have to stand side by side.
 */
export const searchQuery = (words: readonly SearchWord[]): string =>
  words.map(({ text, join }) => `${join}'${text}':*`).join("");

/** The tsquery that adds up where each word occurs, whole or as the beginning of a longer one. */
export const rankQuery = (words: readonly SearchWord[]): string =>
  words.map(({ text }) => `'${text}':* | '${text}'`).join(" | ");
