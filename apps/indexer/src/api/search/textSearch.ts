import type { SearchQuery } from "@app-registry/sdk";
import type { Frequencies } from "./frequencies.ts";
import type { Source } from "./sources.ts";
import { type TextMatch, textMatch, type Word } from "./textMatch.ts";

/** A search by text: its words, where it looks for them, and how frequent they are. */
export type TextSearch = {
  query: SearchQuery;
  q: string;
  words: readonly Word[];
  sources: readonly Source[];
  known: Frequencies;
};

/** A source, and how a record of it may hold words. */
export type Part = { source: Source; match: TextMatch };

/** How a record of each source may hold the words. */
export const partsOf = ({ q, sources }: TextSearch, words: readonly Word[]): Part[] =>
  sources.map((source) => ({ source, match: textMatch(q, words, source) }));
