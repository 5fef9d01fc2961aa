import { getSite } from "@app-registry/outbound/site";
import {
  allowlistQuerySchema,
  canonicalizeValue,
  createAllowlist,
  IndexRequiredError,
  type SearchQueryInput,
} from "@app-registry/sdk";
import { readParams } from "@app-registry/sdk/internal";
import type { RouteContext } from "./api/route.ts";
import { respondWithEtag, sharedJsonHeaders } from "./etag.ts";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";
import { searchRegistry } from "./searchRegistry.ts";

/** Time limit for the checks of one service, in milliseconds. */
const SERVICE_TIMEOUT_MS = 3_000;

/**
 * Answers GET /api/allowlist with a client's list of allowed MCP servers, checked at the latest block. Checks at most
 * 100 services, and counts each like a read of its record.
 * @throws ApiProblem 422 `too-many-services` if there are more services
 */
export async function serveAllowlist(request: Request, registry: Registry, context: RouteContext) {
  const { client, guardedFetch } = registry;
  const query = readParams(allowlistQuerySchema, new URL(request.url).searchParams);
  const { allowlist, complete } = await createAllowlist({
    ...{ client, query, siteOf: getSite, timeoutMs: SERVICE_TIMEOUT_MS },
    fetchDocument: async (url, { signal }) => (await guardedFetch.fetchDocument(url, { signal })).text,
    async *search(filters) {
      let cursor: string | undefined;
      do {
        const page = await searchCandidates(registry, { ...filters, cursor });
        for (const result of page.results) {
          await context.count("readClient", context.clientAddress());
          yield result;
        }
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  });
  if (!complete)
    throw new ApiProblem(422, "too-many-services", "More than 100 services match", {
      detail: "Add filters such as under, owner or traits, or run app-registry allowlist.",
    });
  return respondWithEtag(
    request,
    canonicalizeValue(query.only ? allowlist.file : allowlist),
    sharedJsonHeaders,
  );
}

/** Searches for services that passed control and content when the index last checked them, or for all on the chain. */
const searchCandidates = (registry: Registry, query: SearchQueryInput) =>
  searchRegistry(registry, { ...query, control: "pass", content: "pass" }).catch((error) => {
    if (error instanceof IndexRequiredError) return searchRegistry(registry, query);
    throw error;
  });
