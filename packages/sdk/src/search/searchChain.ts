import { checkArguments } from "../arguments.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { getLatestBlockNumber } from "../client/getLatestBlockNumber.ts";
import type { AppSummary } from "../client/records.ts";
import { withTimeLimit } from "../client/timeLimit.ts";
import { TimeLimitError } from "../errors/networkErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { toSearchResult, withLabels } from "./chainResult.ts";
import { type ChainSource, chooseSource } from "./chainSources.ts";
import { findIndexOnlyParameters, IndexRequiredError } from "./indexRequiredError.ts";
import { matchesQuery } from "./matchesQuery.ts";
import { InvalidSearchError, parseSearchQuery } from "./parseSearchQuery.ts";
import type { SearchQuery, SearchQueryInput } from "./searchQuery.ts";
import type { SearchPage, SearchResult } from "./searchResult.ts";

export type SearchChainParameters = SearchQueryInput & {
  client: AppRegistryClient;
  /**
   * Time limit in milliseconds, after which the search returns the matches found so far, with a cursor. Default 5,000.
   */
  timeoutMs?: number | undefined;
};

const pageSize = 100;
/** Number of concurrent calls, low enough for a public RPC. */
const LABEL_CONCURRENCY = 10;

/**
 * Searches the chain without a search index, by traits, interface, status, owner, minter, did, under and
 * minVersion. Returns results in order of token id and without counts, and ignores `sort`. The index does not accept
 * its `nextCursor`. When time is up, returns the matches found so far and a cursor to continue, so a page may be short
 * or empty.
 *
 * @throws {IndexRequiredError} with q, control, content, attested, live, drift or updatedSince.
 * @throws {InvalidSearchError} when a parameter is not valid.
 * @throws {TimeLimitError} when nothing was read in time.
 * @throws {RpcUnavailableError} when the RPC does not respond.
 * @example
 * const { results } = await searchChain({ client, traits: ["weather"], interface: Interfaces.Api });
 * results.length > 0; // true
 */
export async function searchChain(parameters: SearchChainParameters): Promise<SearchPage> {
  checkArguments("client timeoutMs?", parameters);
  const { client, timeoutMs = 5_000, ...input } = parameters;
  const query = parseSearchQuery(input);
  const problems = findIndexOnlyParameters(query);
  if (problems.length > 0) throw new IndexRequiredError(problems);
  const deadline = Date.now() + timeoutMs;
  const block = await withDeadline(deadline, () => getLatestBlockNumber(client));
  const { records, nextCursor } = await collect(chooseSource(client, query), query, deadline);
  const results = await label(client, records.map(toSearchResult), deadline);
  return { results, nextCursor: nextCursor?.toString() ?? null, source: "chain", block: Number(block) };
}

async function withDeadline<Result>(deadline: number, run: () => Promise<Result>): Promise<Result> {
  try {
    return await withTimeLimit("The chain's RPC endpoint", Math.max(1, deadline - Date.now()), run);
  } catch (error) {
    throw toAppRegistryError(error);
  }
}

/** Reads a listing until the page is full, the listing ends, or time is up. */
async function collect(
  source: ChainSource,
  query: SearchQuery,
  deadline: number,
): Promise<{ records: AppSummary[]; nextCursor: bigint | null }> {
  const records: AppSummary[] = [];
  const start = parseCursor(query.cursor);
  let cursor: bigint | null = start;
  while (cursor !== null) {
    const from: bigint = cursor;
    try {
      const page = await withDeadline(deadline, () => source.read(from, pageSize));
      for (const record of page.items) {
        if (!matchesQuery(record, query)) continue;
        if (records.length === query.limit) return { records, nextCursor: getNextCursor(source, records) };
        records.push(record);
      }
      cursor = page.nextCursor;
    } catch (error) {
      if (error instanceof TimeLimitError && cursor !== start) break;
      throw error;
    }
    if (records.length === query.limit && cursor !== null)
      return { records, nextCursor: getNextCursor(source, records) };
  }
  return { records, nextCursor: cursor };
}

function getNextCursor(source: ChainSource, records: readonly AppSummary[]): bigint | null {
  const last = records.at(-1);
  return last ? source.cursorAfter(last) : null;
}

function parseCursor(cursor: string | undefined): bigint {
  if (cursor === undefined) return 0n;
  if (!/^\d{1,30}$/.test(cursor)) {
    throw new InvalidSearchError([
      { parameter: "cursor", message: "is not a cursor of a search on the chain" },
    ]);
  }
  return BigInt(cursor);
}

/** Adds labels to results. A result whose JSON cannot be read in time has none. */
async function label(
  client: AppRegistryClient,
  results: readonly SearchResult[],
  deadline: number,
): Promise<SearchResult[]> {
  const labelled: SearchResult[] = [];
  for (let start = 0; start < results.length; start += LABEL_CONCURRENCY) {
    const some = results.slice(start, start + LABEL_CONCURRENCY);
    const settled = await Promise.allSettled(
      some.map((result) => withDeadline(deadline, () => withLabels(client, result))),
    );
    labelled.push(
      ...settled
        .map((one, index) => (one.status === "fulfilled" ? one.value : some[index]))
        .filter((result) => result !== undefined),
    );
  }
  return labelled;
}
