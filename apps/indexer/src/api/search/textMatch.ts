import { and, sql } from "ponder";
import { cleanText } from "../../document/cleanText.ts";
import type { Slices } from "../../search/recency.ts";
import { rankQuery, type SearchWord, searchQuery, searchWords } from "../../search/searchVector.ts";
import { sortName } from "../../search/sortName.ts";
import type { Sql } from "../sql.ts";
import type { Source, Vector } from "./sources.ts";

/** The words of a DID are searched without its method. */
const DID_METHOD = /^did:(web|pkh):/i;

/** A word of a search: its beginning is enough, unless it is to be `whole`. */
export type Word = SearchWord & { whole?: boolean };

/** The words that a search by text asks for; none when it holds no letter or digit. */
export const wordsOf = (q: string): Word[] => searchWords(q.replace(DID_METHOD, ""));

/** The words, those at the places `whole` whole. */
export const wholeWords = (words: readonly Word[], whole: readonly number[]): Word[] =>
  words.map((word, index) => ({ ...word, whole: whole.includes(index) }));

/** The PostgreSQL tsquery of words. */
const queryOf = (words: readonly Word[]): string =>
  words.map((word) => (word.whole ? `${word.join}'${word.text}'` : searchQuery([word]))).join("");

/** That a record of a source holds all the words. */
export type WordsMatch = {
  vector: Vector;
  words: readonly Word[];
  /** By the index, of every record or of those in the slices; the words that are not `lookedUp` by the row itself. */
  indexed: (lookedUp?: readonly Word[], slices?: Slices) => Sql;
  /** By the words of the row itself, whatever indexes there are. */
  read: Sql;
};

/** How a record may hold what a person typed. */
export type TextMatch = {
  /** Its name is the text. */
  asName: Sql;
  /** All of it but its prose holds the words. */
  inHead: WordsMatch;
  /** It holds the words: what a search by text finds. */
  anywhere: WordsMatch;
};

/** The conditions of `q`, whose words these are, for the records of a source. */
export function textMatch(q: string, words: readonly Word[], source: Pick<Source, Columns>): TextMatch {
  const matchOf = (vector: Vector, { column, indexed }: Source["headVector"]): WordsMatch => {
    const read = sql`${column} @@ ${queryOf(words)}::tsquery`;
    return {
      vector,
      words,
      indexed: (lookedUp = words, slices) => {
        const isWhole = lookedUp.length === words.length;
        const query = sql`${queryOf(isWhole ? words : apart(lookedUp))}::tsquery`;
        const found = sql`${indexed} @@ ${slices ? sql`(${query} && ${sql.raw(slices.query)})` : query}`;
        return isWhole ? found : (and(found, read) as Sql);
      },
      read,
    };
  };
  const inHead = matchOf("head_vector", source.headVector);
  return {
    asName: sql`(${isName(q, source.sortName)} and ${inHead.read})`,
    inHead,
    anywhere: matchOf("search_vector", source.searchVector),
  };
}

type Columns = "headVector" | "searchVector" | "sortName";

/** The words wherever they stand. */
const apart = (words: readonly Word[]): Word[] =>
  words.map((word, index) => ({ ...word, join: index === 0 ? "" : " & " }));

const isName = (q: string, name: Sql): Sql => sql`${name} collate "C" = ${sortName(cleanText(q))}`;

/**
 * How well a row with the columns `head_vector` and `sort_name` fits `q`: where each word occurs in its head, added
 * up. A record whose name is the text itself comes before all others.
 */
export const rankOf = (q: string): Sql =>
  sql`(ts_rank(head_vector, ${rankQuery(wordsOf(q))}::tsquery)::float8
    + case when ${isName(q, sql`sort_name`)} then 1 else 0 end)`;
