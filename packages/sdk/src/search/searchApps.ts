import { withTimeLimit } from "../client/timeLimit.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ServiceError, ServiceUnavailableError } from "../errors/serviceErrors.ts";
import { formatVersion } from "../version.ts";
import { parseSearchQuery } from "./parseSearchQuery.ts";
import type { SearchQueryInput } from "./searchQuery.ts";
import { type SearchPage, searchPageSchema } from "./searchResult.ts";

export type SearchAppsParameters = SearchQueryInput & {
  /** Origin of a registry web service. */
  baseUrl: string;
  /** Default 10,000 ms. */
  timeoutMs?: number | undefined;
};

/**
 * Searches the records of a registry web service (`GET /api/search`).
 *
 * @throws {InvalidSearchError} before anything is sent, {@link ServiceError}, {@link ServiceUnavailableError},
 * {@link TimeLimitError}.
 * @example
 * const { results, nextCursor } = await searchApps({ baseUrl, traits: ["api:mcp"], q: "weather" });
 */
export async function searchApps({
  baseUrl,
  timeoutMs = 10_000,
  ...query
}: SearchAppsParameters): Promise<SearchPage> {
  const url = searchUrl(baseUrl, query);
  return withTimeLimit(baseUrl, timeoutMs, async (signal) => {
    try {
      const response = await fetch(url, { signal, headers: { accept: "application/json" } });
      const body: unknown = await response.json();
      if (!response.ok) throw new ServiceError(url, response.status, problemOf(body));
      return searchPageSchema.parse(body);
    } catch (error) {
      throw error instanceof AppRegistryError ? error : new ServiceUnavailableError(baseUrl, error);
    }
  });
}

/** The URL of a search, its parameters checked. */
function searchUrl(baseUrl: string, query: SearchQueryInput): string {
  const { minVersion } = parseSearchQuery(query);
  const url = new URL("/api/search", baseUrl);
  for (const [name, value] of Object.entries({
    ...query,
    minVersion: minVersion && formatVersion(minVersion),
  })) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** The parts of an RFC 9457 problem that say something to a caller. */
function problemOf(body: unknown): { code?: string; detail?: string } {
  if (typeof body !== "object" || body === null) return {};
  const { code, detail } = body as Record<string, unknown>;
  return { ...(typeof code === "string" && { code }), ...(typeof detail === "string" && { detail }) };
}
