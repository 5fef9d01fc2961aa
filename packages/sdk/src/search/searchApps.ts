import { checkArguments } from "../arguments.ts";
import { requestJson, type ServiceOptions } from "../service/requestJson.ts";
import { parseSearchQuery, toSearchParams } from "./parseSearchQuery.ts";
import type { SearchQueryInput } from "./searchQuery.ts";
import { type SearchPage, searchPageSchema } from "./searchResult.ts";

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
