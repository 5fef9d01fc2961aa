import type { SearchQuery } from "@app-registry/sdk";
import { decodeCursor } from "./cursor.ts";
import type { Found } from "./found.ts";
import { frequencies } from "./frequencies.ts";
import { inWindows, outsideWindows, type Place, placeSchema } from "./relevance.ts";
import { sourcesOf } from "./sources.ts";
import { wordsOf } from "./textMatch.ts";
import type { TextSearch } from "./textSearch.ts";
import { holdEveryMatch, type Opened, openWindows, type Windows } from "./windows.ts";

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
  const search: TextSearch = { query, q, words, sources: parts, known };
  const wanted = query.limit + 1;
  const { found, windows, isAll } =
    place === undefined ? await openWindows(search, wanted) : await insideWindows(search, wanted, place);
  const left = wanted - found.length;
  if (left > 0 && !isAll) {
    found.push(...(await outsideWindows(search, left, windows, endOf(windows, place))));
  }
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    records: page,
    next:
      last && found.length > query.limit
        ? ({ ...windows, rank: last.rank, tokenId: last.tokenId } satisfies Place)
        : null,
  };
}

/** The token id below which the matches outside the windows go on. */
function endOf({ top, from, whole }: Windows, place: Place | undefined): bigint {
  if (place?.rank === null) return BigInt(place.tokenId);
  return whole.length > 0 ? BigInt(top) + 1n : BigInt(from[2]);
}

/** What the windows hold behind a place. */
async function insideWindows(search: TextSearch, limit: number, place: Place): Promise<Opened> {
  const { rank, tokenId: _, ...windows } = place;
  const found = rank === null ? [] : await inWindows(search, limit, { ...place, rank });
  return { found, windows, isAll: holdEveryMatch(windows) };
}
