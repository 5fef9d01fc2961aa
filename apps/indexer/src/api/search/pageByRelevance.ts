import type { SearchQuery } from "@app-registry/sdk";
import { decodeCursor } from "./cursor.ts";
import type { Found } from "./found.ts";
import { frequencies } from "./frequencies.ts";
import { firstOf, inWindows, outsideWindows, type Place, placeSchema, type TextSearch } from "./relevance.ts";
import { sourcesOf } from "./sources.ts";
import { textMatch, wordsOf } from "./textMatch.ts";

/**
 * The records of one page by relevance. First the records of the windows, best first; behind them every other
 * match, newest first. The cursor carries the windows' bounds: as long as a record's own words, status and holder
 * stay what they are, following the pages meets it once.
 */
export async function pageByRelevance(query: SearchQuery, q: string): Promise<Found> {
  const place = decodeCursor(query, placeSchema);
  const words = wordsOf(q);
  if (words.length === 0) return { records: [], next: null };
  const [{ parts }, known] = await Promise.all([sourcesOf(query), frequencies()]);
  const matches = parts.map((source) => ({ source, match: textMatch(q, source) }));
  const search: TextSearch = { query, q, words, parts: matches, known };
  const wanted = query.limit + 1;
  const { found, windows } =
    place === undefined ? await firstOf(search, wanted) : await behind(search, wanted, place);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    records: page,
    next:
      last && windows && found.length > query.limit
        ? ({ ...windows, rank: last.rank, tokenId: last.tokenId } satisfies Place)
        : null,
  };
}

/** What is behind a place: of the windows, and then of the matches outside of them. */
async function behind(search: TextSearch, limit: number, place: Place) {
  const { top, from, rank } = place;
  const ranked = rank === null ? [] : await inWindows(search, limit, { ...place, rank });
  const isWhole = ranked.length === limit || from[2] === "0";
  const rest = isWhole ? [] : await outsideWindows(search, limit - ranked.length, place);
  return { found: [...ranked, ...rest], windows: { top, from } };
}
