import { checkArguments } from "../arguments.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { requestJson, type ServiceOptions } from "../requestJson.ts";
import { type SearchChainParameters, searchChain } from "./searchChain.ts";
import { parseSearchQuery, type SearchQueryInput, toSearchParams } from "./searchQuery.ts";
import { type SearchPage, type SearchResult, searchPageSchema } from "./searchResult.ts";

export type SearchAppsParameters = SearchQueryInput & ServiceOptions;

/**
 * Searches the records of a registry web service (`GET /api/search`).
 *
 * @throws {InvalidSearchError} before anything is sent, when a parameter is not valid.
 * @throws {ServiceError} when the service refuses.
 * @throws {ServiceUnavailableError} when the service does not respond like a registry.
 * @throws {TimeLimitError} when the service does not respond in time.
 * @example
 * const { results, nextCursor } = await searchApps({ baseUrl, traits: ["weather"], interface: Interfaces.Api });
 * results.length > 0; // true
 */
export async function searchApps(parameters: SearchAppsParameters): Promise<SearchPage> {
  checkArguments("baseUrl timeoutMs?", parameters);
  const { baseUrl, timeoutMs, ...query } = parameters;
  parseSearchQuery(query);
  return requestJson({ baseUrl, timeoutMs }, `/api/search?${toSearchParams(query)}`, searchPageSchema);
}

const retry = { action: "Try again in a moment.", docsPath: "/sdk#errors", retryable: true };

/** Web service or client to search. `cursor` is the start, `limit` the size of a page. */
export type SearchAllParameters =
  | (SearchAppsParameters & { client?: undefined })
  | (SearchChainParameters & { baseUrl?: undefined });

/**
 * Results of a search that are read page by page while they are iterated:
 * `for await (const result of listing)` or `for await (const page of listing.pages())`.
 */
export type SearchListing = AsyncIterable<SearchResult> & {
  /** Iterates over the pages. Only the first page has total and facets. */
  pages(): AsyncIterable<SearchPage>;
};

/**
 * Iterates over all results of a search. With `baseUrl`, searches a registry web service. With `client`, searches the
 * web service that `connectAppRegistry` connected it to, or the chain for a client without one.
 *
 * Iterating throws the errors of {@link searchApps} and {@link searchChain}, and an {@link AppRegistryError} if the
 * pages repeat.
 *
 * @example
 * for await (const { did, version } of searchAll({ baseUrl, traits: ["weather"] })) {
 *   did.startsWith("did:"); // true
 * }
 */
export function searchAll(parameters: SearchAllParameters): SearchListing {
  checkArguments("client? baseUrl? timeoutMs?", parameters);
  async function* pages(): AsyncGenerator<SearchPage> {
    let { cursor, facets } = parameters;
    const seen = new Set([cursor]);
    for (;;) {
      const page = await readPage({ ...parameters, cursor, facets });
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
      if (seen.has(cursor)) throw new AppRegistryError("The search has no end: it repeats a page.", retry);
      seen.add(cursor);
      facets = false;
    }
  }
  async function* results(): AsyncGenerator<SearchResult> {
    for await (const page of pages()) yield* page.results;
  }
  return { pages, [Symbol.asyncIterator]: results };
}

function readPage(parameters: SearchAllParameters): Promise<SearchPage> {
  if (parameters.client === undefined) return searchApps(parameters);
  const { client, ...query } = parameters;
  const { baseUrl } = client;
  return baseUrl === undefined ? searchChain({ client, ...query }) : searchApps({ ...query, baseUrl });
}
