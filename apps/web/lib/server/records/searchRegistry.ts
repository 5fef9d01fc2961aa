import {
  IndexRequiredError,
  parseSearchParams,
  parseSearchQuery,
  type SearchPage,
  type SearchProblem,
  type SearchQuery,
  type SearchQueryInput,
  searchChain,
} from "@app-registry/sdk";
import { refuseHidden, withoutHidden } from "../http/problem.ts";
import { respondWithEtag, sharedJsonHeaders } from "../http/request.ts";
import type { Registry } from "../registry.ts";

export type SearchSource = Pick<Registry, "searchIndex" | "readLag" | "client" | "hidden">;

type SearchOptions = {
  signal?: AbortSignal;
  /** Called before the chain is searched. */
  onChain?: (query: SearchQuery) => Promise<void>;
};

/**
 * Searches the index, or the chain while the index is unavailable or being built (`source` names the one used). Hidden
 * services are removed from the results but still counted in `total` and `facets`.
 * @throws InvalidSearchError
 * @throws InvalidCursorError for a cursor of another search.
 * @throws ApiProblem 451 `hidden` for a hidden `did`.
 * @throws IndexRequiredError for queries that the chain can't answer.
 */
export async function searchRegistry(
  { client, hidden, ...source }: SearchSource,
  given: SearchQueryInput | URLSearchParams,
  { signal, onChain }: SearchOptions = {},
): Promise<SearchPage> {
  const query = given instanceof URLSearchParams ? parseSearchParams(given) : parseSearchQuery(given);
  const found = await source.searchIndex(query, signal);
  // A read of the index also ends when the client has gone.
  signal?.throwIfAborted();
  if (!found) await onChain?.(query);
  const page = found
    ? { ...found, lag: await source.readLag(found.block) }
    : await searchChain({ client, ...query });
  if (query.did !== undefined) refuseHidden(hidden, query.did);
  return withoutHidden(hidden, page);
}

/**
 * Searches only the index, for queries that the chain can't answer.
 * @throws IndexRequiredError with `problem` while the index is unavailable.
 */
export async function searchIndex(
  searched: SearchSource,
  query: SearchQueryInput | URLSearchParams,
  problem: SearchProblem,
): Promise<SearchPage> {
  const page = await searchRegistry(searched, query);
  if (page.source === "chain") throw new IndexRequiredError([problem]);
  return page;
}

/**
 * Answers GET /api/search. Counts a search of the chain by what it costs the RPC endpoint.
 * @throws as `searchRegistry`.
 */
export async function serveSearch(
  request: Request,
  searched: SearchSource,
  countReads: (points: number) => Promise<void>,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const page = await searchRegistry(searched, searchParams, {
    signal: request.signal,
    // The chain answers with a call or more for each result, a read of a record with about ten.
    onChain: ({ limit }) => countReads(Math.ceil(limit / 10)),
  });
  // A client that waits for a block asks again. A cache would answer it with this page.
  const isBehind = page.block < Number(searchParams.get("minBlock"));
  const headers = { ...sharedJsonHeaders, ...(isBehind && { "cache-control": "no-store" }) };
  return respondWithEtag(request, JSON.stringify(page), headers);
}
