import type { SearchResult } from "@app-registry/sdk";
import { readParams, tokenize } from "@app-registry/sdk/internal";
import { z } from "zod";
import { claimedName } from "../record/claims.ts";
import { respondWithEtag } from "./etag.ts";
import { type SearchSource, searchRegistry } from "./searchRegistry.ts";

/** Number of results to take suggestions from. */
const RESULTS = 20;

/** Maximum number of suggestions of each kind. */
const SHOWN = { names: 5, publishers: 3, traits: 3 } as const;

export const suggestQuerySchema = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(200, "must have at most 200 characters")
    .describe("Text typed so far. The last word may be incomplete."),
});

export const suggestionsSchema = z.object({
  names: z
    .array(z.string())
    .describe("Claimed names of the best matching services. Several services may share a name."),
  publishers: z.array(z.string()).describe("Claimed publishers of these services that match the words."),
  traits: z.array(z.string()).describe("Traits of these services that match the words."),
});

export type Suggestions = z.output<typeof suggestionsSchema>;

/**
 * Answers GET /api/suggest with completions of a search, best first. All of them are claimed.
 * @throws InvalidSearchError
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function serveSuggestions(request: Request, source: SearchSource): Promise<Response> {
  const { q } = readParams(suggestQuerySchema, new URL(request.url).searchParams);
  const { results } = await searchRegistry(source, { q, limit: RESULTS });
  return respondWithEtag(request, JSON.stringify(extractSuggestions(q, results)), {
    "content-type": "application/json",
    "cache-control": "public, max-age=30",
  });
}

/** Extracts suggestions for a text from search results. */
export function extractSuggestions(
  q: string,
  results: readonly Pick<SearchResult, "name" | "publisher" | "traits">[],
): Suggestions {
  const words = tokenize(q);
  const hasWords = (text: string) => {
    const found = tokenize(text);
    return words.every((word) => found.some((other) => other.startsWith(word)));
  };
  /** Returns the first `count` texts, ignoring those that differ only in case and accents. */
  const first = (texts: readonly string[], count: number) => {
    const distinct = new Map<string, string>();
    for (const text of texts) {
      const key = tokenize(text).join(" ");
      if (key !== "" && !distinct.has(key)) distinct.set(key, text);
    }
    return [...distinct.values()].slice(0, count);
  };
  const names = results.map(({ name }) => claimedName(name ?? ""));
  const publishers = results.map(({ publisher }) => claimedName(publisher ?? "")).filter(hasWords);
  const traits = results.flatMap((result) => result.traits).filter(hasWords);
  return {
    names: first(names, SHOWN.names),
    publishers: first(publishers, SHOWN.publishers),
    traits: first(traits, SHOWN.traits),
  };
}
