import { parseSearchQuery, type SearchQueryInput, type SearchResult } from "@app-registry/sdk";
import { expect } from "vitest";
import { searchPage } from "./searchPage.ts";

/** Reads all pages of a search of the database under test. Runs `between` after each page. */
export async function collectAllPages(
  input: SearchQueryInput,
  between?: (page: number) => Promise<void>,
): Promise<SearchResult[]> {
  const met: SearchResult[] = [];
  let cursor: string | null = null;
  let page = 0;
  do {
    const { results, nextCursor } = await searchPage({ ...input, ...(cursor && { cursor }) });
    expect(results.length).toBeLessThanOrEqual(parseSearchQuery(input).limit);
    met.push(...results);
    cursor = nextCursor;
    await between?.(page++);
  } while (cursor !== null);
  return met;
}
