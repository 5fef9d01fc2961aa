import type { SearchQuery } from "@app-registry/sdk";
import { bitmapsWith, hashesOf } from "./filters.ts";
import type { Frequencies } from "./frequencies.ts";
import type { Vector } from "./sources.ts";
import type { Word, WordsMatch } from "./textMatch.ts";

/**
 * Microseconds that PostgreSQL takes, by measurement. Its own planner takes the matching of words for free, and knows
 * nothing of the beginnings of words.
 */
export const COST = {
  /**
   * To match the words of a row: of one that an index names, and of one met on the way from the newest down. Those of
   * the whole text are stored apart from the row.
   */
  read: { head_vector: 4, search_vector: 17 } satisfies Record<Vector, number>,
  walk: { head_vector: 1.5, search_vector: 5.5 } satisfies Record<Vector, number>,
  /** For each record that an index gives for the beginning of a word: all of them, whatever else is asked. */
  beginningEntry: 0.25,
  /** For each record in scope that an index gives for a whole word, and for each that it seeks among these. */
  wordEntry: 0.4,
  wordSeek: 1.2,
  traitEntry: 0.25,
  /** For each record that an index names by its token id. */
  idEntry: 0.08,
  /** To look at the traits of a row on the way. */
  readTraits: 1.5,
  /** To fetch a row that an index names. */
  row: 2,
  /** To plan a statement of two steps rather than one. */
  plan: 500,
  /** To send one more statement. */
  statement: 500,
};

/** What the indexes are asked for; what is left of the search is read of each record that they name. */
export type Lookup = {
  words: readonly Word[];
  traits: boolean;
  /** Share of all records that they name. */
  share: number;
  /** Microseconds to ask them, and to read each record in scope that they name. */
  cost: number;
};

/**
 * The rarest words and traits: an index gives every record that has the beginning of a word, so to ask it for a
 * frequent one as well can take longer than to read the few records that the rare ones leave. Of all records, `scope`
 * are looked through.
 */
export function lookupOf(
  query: SearchQuery,
  { vector, words }: WordsMatch,
  known: Frequencies,
  scope = known.records,
): Lookup {
  const { records } = known;
  const asked: Asked[] = words.map((word) => ({ word, share: known.ofWords(vector, [word]) }));
  if (query.traits?.length) asked.push({ word: undefined, share: shareOfTraits(query, known) });
  const read = COST.row + COST.read[vector];
  const lookup: Lookup = { words: [], traits: false, share: 1, cost: 0 };
  for (const { word, share } of asked.sort((a, b) => a.share - b.share)) {
    const left = scope * lookup.share;
    const costs = {
      whole: Math.min(scope * share * COST.wordEntry, left * COST.wordSeek),
      beginning: records * share * COST.beginningEntry,
      traits: records * share * COST.traitEntry,
    };
    const cost = costs[word === undefined ? "traits" : word.whole ? "whole" : "beginning"];
    if (cost > left * (1 - share) * read) continue;
    lookup.share *= share;
    lookup.cost += cost;
    if (word === undefined) lookup.traits = true;
    else lookup.words = [...lookup.words, word];
  }
  const isComplete = lookup.words.length === words.length;
  lookup.cost += scope * lookup.share * (isComplete ? COST.row : read);
  return lookup;
}

/** What an index may be asked for: a word, or the traits. */
type Asked = { word: Word | undefined; share: number };

/** Whether a search asks for what PostgreSQL knows best what to do with, and how little it leaves. */
export const isNarrow = ({ owner, minter, did, didPrefix }: SearchQuery): boolean =>
  owner !== undefined || minter !== undefined || did !== undefined || didPrefix !== undefined;

/** Share of all records that carry the traits of a search; 1 when it asks for none. */
export function shareOfTraits({ traits = [], match }: SearchQuery, { ofTraits }: Frequencies): number {
  const hashes = hashesOf(traits);
  if (match !== "any" || hashes.length === 0) return ofTraits(hashes);
  return Math.min(
    1,
    hashes.reduce((sum, hash) => sum + ofTraits([hash]), 0),
  );
}

/** Share of all records that have the traits, status and interfaces of a search. */
export function shareOfRecords(query: SearchQuery, known: Frequencies): number {
  const { status, interface: bits } = query;
  // Without statistics nothing is known of them.
  const ofStatus = status === "any" ? 1 : known.ofValues("status", [status]) || 1;
  const ofInterfaces = bits === undefined ? 1 : known.ofValues("interfaces", bitmapsWith(bits)) || 1;
  return shareOfTraits(query, known) * ofStatus * ofInterfaces;
}
