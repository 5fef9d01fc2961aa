import { type SearchQuery, type SearchQueryInput, searchQuerySchema } from "@app-registry/sdk";
import type { ListQuery } from "./listQuery.ts";

/** Something in the address that is no valid filter. */
export type QueryProblem = { parameter: string; message: string };

const PAGE_SIZE = 25;

/** Checks the query by the rules of `/api/search`. */
export function parseListQuery(
  query: ListQuery,
): { ok: true; search: SearchQuery } | { ok: false; problems: QueryProblem[] } {
  const input: SearchQueryInput = {
    status: query.status,
    match: query.match,
    limit: PAGE_SIZE,
    ...(query.q === "" ? {} : { q: query.q }),
    ...(query.interfaces === 0 ? {} : { interface: query.interfaces }),
    ...(query.traits.length === 0 ? {} : { traits: query.traits }),
    ...(query.sort === "" ? {} : { sort: query.sort }),
    ...(query.owner === "" ? {} : { owner: query.owner as `0x${string}` }),
    ...(query.did === "" ? {} : { did: query.did }),
    ...(query.cursor === "" ? {} : { cursor: query.cursor }),
  };
  const parsed = searchQuerySchema.safeParse(input);
  if (parsed.success) return { ok: true, search: parsed.data };
  const problems = parsed.error.issues.map((issue) => ({
    parameter: String(issue.path[0] ?? "query"),
    // An error of the sdk names its documentation in a line of its own.
    message: issue.message.replace(/\nDocs: .*$/, "").replace(/\n/g, " "),
  }));
  return { ok: false, problems };
}
