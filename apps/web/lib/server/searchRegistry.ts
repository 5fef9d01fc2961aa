import {
  IndexRequiredError,
  normalizeDid,
  parseSearchParams,
  type SearchPage,
  type SearchProblem,
  type SearchQueryInput,
  searchChain,
  searchPageSchema,
} from "@app-registry/sdk";
import { toSearchParams } from "@app-registry/sdk/internal";
import { fetchFromIndexer, type IndexerAnswer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { noCacheJsonHeaders, respondWithEtag } from "./etag.ts";
import { readIndexProblem } from "./fetchIndexResponse.ts";
import { refuseHidden, withoutHidden } from "./operator/hiddenServices.ts";
import type { Registry } from "./registry.ts";

type SearchSource = Pick<Registry, "environment" | "client" | "hidden">;

/**
 * Searches the index, or the chain while the index is unavailable or being built (`source` names the one used). Hidden
 * services are removed from the results but still counted in `total` and `facets`.
 * @throws ApiProblem 400 from the index for an invalid search; 451 `hidden` for a hidden `did`
 * @throws InvalidSearchError from the chain for an invalid search
 * @throws IndexRequiredError for queries that the chain can't answer.
 */
export async function searchRegistry(
  searched: SearchSource,
  query: SearchQueryInput | URLSearchParams,
): Promise<SearchPage> {
  const params = query instanceof URLSearchParams ? query : toSearchParams(query);
  return readPage(searched, params, await askIndex(searched, params));
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
 * Answers GET /api/search. Forwards the query and the index's bytes unparsed: parsing and serializing a page would cost
 * more than all other work of a search. Counts a search of the chain by what it costs the RPC endpoint.
 * @throws as `searchRegistry`.
 */
export async function serveSearch(
  request: Request,
  searched: SearchSource,
  countReads: (points: number) => Promise<void>,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const answer = await askIndex(searched, searchParams);
  // The chain answers with a call or more for each result, a read of a record with about ten.
  if (!answer) await countReads(Math.ceil(parseSearchParams(searchParams).limit / 10));
  const isForwarded = answer?.headers["index-block"] !== undefined && searched.hidden.dids().length === 0;
  const body = isForwarded ? answer.bytes : JSON.stringify(await readPage(searched, searchParams, answer));
  return respondWithEtag(request, body, noCacheJsonHeaders);
}

/** Returns the index's response, or `undefined` if the index is unavailable or being built. */
async function askIndex(
  { environment }: SearchSource,
  params: URLSearchParams,
): Promise<IndexerAnswer | undefined> {
  // A cursor belongs to one source: an available index refuses those of the chain, whose pages cost 50 times as much.
  const answer = await fetchFromIndexer(environment.indexerUrls, `/search?${params}`);
  if (answer?.status === 400) throw readIndexProblem(answer);
  return answer?.status === 200 ? answer : undefined;
}

/** Reads the page of the index, or searches the chain if the index returned none. */
async function readPage(
  { client, hidden }: SearchSource,
  params: URLSearchParams,
  answer: IndexerAnswer | undefined,
): Promise<SearchPage> {
  const page = (answer && parsePage(answer)) ?? (await searchChain({ client, ...parseSearchParams(params) }));
  const did = params.get("did");
  if (did !== null) refuseHidden(hidden, normalizeDid(did));
  return withoutHidden(hidden, page);
}

function parsePage(answer: IndexerAnswer): SearchPage | undefined {
  try {
    return searchPageSchema.safeParse(parseAnswer(answer)).data;
  } catch {
    return undefined;
  }
}
