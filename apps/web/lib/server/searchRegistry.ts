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
 * Searches the index, or the chain while the index is away or being built (`source` says which).
 * What the operator hides is left out; `total` and `facets` count it.
 * @throws InvalidSearchError for a cursor of another search, IndexNeededError for what the chain can't answer, ApiProblem
 * 451 `hidden` for a hidden `did`.
 */
export async function searchRegistry(searched: SearchSource, query: SearchQuery): Promise<SearchPage> {
  if (query.did !== undefined) refuseHidden(searched.hidden, query.did);
  const answer = await askIndex(searched, query);
  const page =
    (answer && readPage(answer)) ?? (await searchChain({ client: searched.client, ...toInput(query) }));
  return withoutHidden(searched.hidden, page);
}

/**
 * Searches the index alone, for what the chain can't list.
 * @throws IndexNeededError with `problem` while the index is away.
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
 * Answers GET /api/search. What the index says is handed on as it came: to read it and write it again would cost more
 * than everything else that this server does for a search.
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

/** How the index begins a page of results. */
const PAGE_START = Buffer.from('{"results":[');

/** The index's page; undefined when it is away or being built, or the page before was the chain's. */
async function askIndex(
  { environment }: SearchSource,
  query: SearchQuery,
): Promise<IndexerAnswer | undefined> {
  // A page of the chain is followed by a page of the chain: the index has cursors of its own.
  if (query.cursor !== undefined && /^\d+$/.test(query.cursor)) return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(toInput(query))) parameters.set(name, String(value));
  const answer = await fetchFromIndexer(environment.indexerUrls, `/search?${parameters}`);
  if (answer?.status === 400) throw toSearchProblem(parseAnswer(answer));
  return answer?.status === 200 && PAGE_START.equals(answer.bytes.subarray(0, PAGE_START.length))
    ? answer
    : undefined;
}

/** The query was checked before, so what the index refuses is its cursor. */
function toSearchProblem(body: unknown): ApiProblem {
  const { code, detail } = body as { code?: unknown; detail?: unknown };
  return new ApiProblem(400, typeof code === "string" ? code : "invalid-parameter", "Invalid parameter", {
    detail: typeof detail === "string" ? detail : undefined,
    problems: [{ parameter: "cursor", message: "is not a cursor of this search" }],
  });
}

/** A parsed query as it is written: parsing it again gives the same. */
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
