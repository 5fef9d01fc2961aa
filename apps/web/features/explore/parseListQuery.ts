import {
  InvalidSearchError,
  parseSearchQuery,
  type SearchProblem,
  type SearchQuery,
  type SearchQueryInput,
} from "@app-registry/sdk";
import type { ListQuery } from "./listQuery.ts";

const PAGE_SIZE = 25;

/** Checks the query by the rules of `/api/search`. */
export function parseListQuery(
  query: ListQuery,
): { ok: true; search: SearchQuery } | { ok: false; problems: readonly SearchProblem[] } {
  const input: SearchQueryInput = {
    status: query.status,
    match: query.match,
    limit: PAGE_SIZE,
    facets: true,
    ...(query.q === "" ? {} : { q: query.q }),
    ...(query.interfaces === 0 ? {} : { interface: query.interfaces }),
    ...(query.traits.length === 0 ? {} : { traits: query.traits }),
    ...(query.sort === "" ? {} : { sort: query.sort }),
    ...(query.owner === "" ? {} : { owner: query.owner as `0x${string}` }),
    ...(query.did === "" ? {} : { did: query.did }),
    ...(query.cursor === "" ? {} : { cursor: query.cursor }),
  };
  try {
    return { ok: true, search: parseSearchQuery(input) };
  } catch (error) {
    if (error instanceof InvalidSearchError) return { ok: false, problems: error.problems };
    throw error;
  }
}
