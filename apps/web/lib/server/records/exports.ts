import { exportQuerySchema, exportRows } from "@app-registry/index/exportRows";
import { getSite } from "@app-registry/outbound/site";
import {
  allowlistQuerySchema,
  canonicalizeValue,
  createAllowlist,
  didHash,
  IndexRequiredError,
  type SearchQueryInput,
} from "@app-registry/sdk";
import { readParams } from "@app-registry/sdk/internal";
import { ApiProblem } from "../http/problem.ts";
import { respondWithEtag, sharedJsonHeaders } from "../http/request.ts";
import type { RouteContext } from "../http/route.ts";
import { requireIndex } from "../readIndex.ts";
import type { Registry } from "../registry.ts";
import { searchRegistry } from "./searchRegistry.ts";

/**
 * Answers GET /api/export/{table} with one page of index rows, one JSON object per line. Rows of hidden services are
 * removed, so a page may be shorter than its `limit`.
 * @throws ApiProblem 404 `not-found`, 503 `index-unavailable`; InvalidSearchError, InvalidCursorError.
 */
export async function serveExport(
  request: Request,
  registry: Pick<Registry, "index" | "hidden">,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const table = pathname.split("/").at(-1) ?? "";
  const query = readParams(exportQuerySchema, [...searchParams, ["table", table]]);
  const { page, block } = await requireIndex(registry, "These rows come", async (session, last) => ({
    ...{ page: await exportRows(session, query), block: last },
  }));
  if (!page) throw new ApiProblem(404, "not-found", "Table not found");
  const next = new URLSearchParams({ limit: String(query.limit), cursor: page.nextCursor ?? "" });
  return new Response(withoutHidden(page.ndjson, registry.hidden.dids()), {
    headers: {
      "content-type": "application/x-ndjson",
      "cache-control": "no-cache",
      "index-block": String(block),
      ...(page.nextCursor && { link: `<?${next}>; rel="next"` }),
    },
  });
}

function withoutHidden(ndjson: string, dids: readonly string[]): string {
  if (dids.length === 0) return ndjson;
  const hashes = new Set<string>(dids.map(didHash));
  const isShown = (line: string) => line === "" || !hashes.has(String(JSON.parse(line).didHash));
  return ndjson.split("\n").filter(isShown).join("\n");
}

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
