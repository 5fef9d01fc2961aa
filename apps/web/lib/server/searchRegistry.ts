import {
  formatVersion,
  IndexRequiredError,
  parseSearchParams,
  type SearchPage,
  type SearchProblem,
  type SearchQuery,
  searchChain,
  searchPageSchema,
} from "@app-registry/sdk";
import { fetchFromIndexer, type IndexerAnswer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { noCacheJsonHeaders, respondWithEtag } from "./etag.ts";
import { refuseHidden, withoutHidden } from "./operator/hiddenServices.ts";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";

type SearchSource = Pick<Registry, "environment" | "client" | "hidden">;

/**
 * Searches the index, or the chain while the index is unavailable or being built (`source` names the one used). Hidden
 * services are removed from the results but still counted in `total` and `facets`.
 * @throws InvalidSearchError for a cursor of another search
 * @throws IndexRequiredError for queries that the chain can't answer
 * @throws ApiProblem 451 `hidden` for a hidden `did`.
 */
export async function searchRegistry(searched: SearchSource, query: SearchQuery): Promise<SearchPage> {
  if (query.did !== undefined) refuseHidden(searched.hidden, query.did);
  const answer = await askIndex(searched, query);
  const page =
    (answer && readPage(answer)) ?? (await searchChain({ client: searched.client, ...toInput(query) }));
  return withoutHidden(searched.hidden, page);
}

/**
 * Searches only the index, for queries that the chain can't answer.
 * @throws IndexRequiredError with `problem` while the index is unavailable.
 */
export async function searchIndex(
  searched: SearchSource,
  query: SearchQuery,
  problem: SearchProblem,
): Promise<SearchPage> {
  const page = await searchRegistry(searched, query);
  if (page.source === "chain") throw new IndexRequiredError([problem]);
  return page;
}

/**
 * Answers GET /api/search. Forwards the index's bytes unparsed: parsing and serializing them would cost more than all
 * other work of a search.
 * @throws as `searchRegistry`.
 */
export async function serveSearch(request: Request, searched: SearchSource): Promise<Response> {
  const query = parseSearchParams(new URL(request.url).searchParams);
  if (searched.hidden.dids().length > 0) {
    return respondWithEtag(
      request,
      JSON.stringify(await searchRegistry(searched, query)),
      noCacheJsonHeaders,
    );
  }
  const answer = await askIndex(searched, query);
  const body =
    answer?.bytes ?? JSON.stringify(await searchChain({ client: searched.client, ...toInput(query) }));
  return respondWithEtag(request, body, noCacheJsonHeaders);
}

function readPage(answer: IndexerAnswer): SearchPage | undefined {
  try {
    return searchPageSchema.safeParse(parseAnswer(answer)).data;
  } catch {
    return undefined;
  }
}

/** First bytes of a page of results from the index. */
const PAGE_START = Buffer.from('{"results":[');

/**
 * Returns the index's page, or `undefined` if the index is unavailable or being built, or if the cursor belongs to the
 * chain.
 */
async function askIndex(
  { environment }: SearchSource,
  query: SearchQuery,
): Promise<IndexerAnswer | undefined> {
  // The index cannot continue a page of the chain, because its cursors differ.
  if (query.cursor !== undefined && /^\d+$/.test(query.cursor)) return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(toInput(query))) parameters.set(name, String(value));
  const answer = await fetchFromIndexer(environment.indexerUrls, `/search?${parameters}`);
  if (answer?.status === 400) throw toSearchProblem(parseAnswer(answer));
  return answer?.status === 200 && PAGE_START.equals(answer.bytes.subarray(0, PAGE_START.length))
    ? answer
    : undefined;
}

/** Converts the index's rejection to a problem about the cursor. All other parameters were validated before. */
function toSearchProblem(body: unknown): ApiProblem {
  const { code, detail } = body as { code?: unknown; detail?: unknown };
  return new ApiProblem(400, typeof code === "string" ? code : "invalid-parameter", "Invalid parameter", {
    detail: typeof detail === "string" ? detail : undefined,
    problems: [{ parameter: "cursor", message: "is not a cursor of this search" }],
  });
}

/** Converts a parsed query to its input form. Parsing the result gives the same query. */
function toInput({ minVersion, traits, ...query }: SearchQuery) {
  const written = {
    ...query,
    ...(traits ? { traits: traits.join(",") } : {}),
    ...(minVersion ? { minVersion: formatVersion(minVersion) } : {}),
  };
  return Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== undefined),
  ) as typeof written;
}
