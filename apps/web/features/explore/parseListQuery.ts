import {
  InvalidSearchError,
  parseSearchQuery,
  type SearchProblem,
  type SearchQuery,
} from "@app-registry/sdk";
import type { ListQuery } from "./listQuery.ts";

const PAGE_SIZE = 25;

/** Validates the query by the rules of `/api/search`. */
export function parseListQuery(
  query: ListQuery,
): { ok: true; search: SearchQuery } | { ok: false; problems: readonly SearchProblem[] } {
  const { interfaces, traits, ...texts } = query;
  const given = { ...texts, interface: interfaces || "", traits: traits.join(",") };
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  try {
    return { ok: true, search: parseSearchQuery({ ...input, limit: PAGE_SIZE, facets: true }) };
  } catch (error) {
    if (error instanceof InvalidSearchError) return { ok: false, problems: error.problems };
    throw error;
  }
}
