import { checkArguments } from "../arguments.ts";
import type { AppSummary } from "../client/app.ts";
import type { Listing, Page } from "../client/calls.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { getLatestBlockNumber } from "../client/events.ts";
import { undefinedIfNotRegistered } from "../client/notRegistered.ts";
import type { CanonicalDid } from "../did.ts";
import { getProvenSubject } from "../didMethods.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { TimeLimitError, withTimeLimit } from "../errors/networkErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { parseJsonStrict } from "../json.ts";
import type { AppStatus } from "../recordEnums.ts";
import { traitHash } from "../traits.ts";
import { formatVersion } from "../version.ts";
import {
  InvalidSearchError,
  matchesQuery,
  parseSearchQuery,
  type SearchProblem,
  type SearchQuery,
  type SearchQueryInput,
} from "./searchQuery.ts";
import type { SearchPage, SearchResult } from "./searchResult.ts";

/** Thrown when the search needs the search index. `problems` names each parameter that the chain cannot serve. */
export class IndexRequiredError extends AppRegistryError {
  override readonly name = "IndexRequiredError";
  readonly problems: readonly SearchProblem[];

  constructor(problems: readonly SearchProblem[]) {
    const list = problems.map(({ parameter, message }) => `${parameter}: ${message}`).join("; ");
    super(`This search needs the search index: ${list}.`, {
      action: "Remove that parameter, or search a registry web service whose index is available.",
      docsPath: "/sdk#search",
      retryable: true,
    });
    this.problems = problems;
  }
}

/**
 * Returns the parameters of a search that the chain cannot serve. `sort` and `facets` are not among them, because they
 * do not change the set of matches.
 */
function findIndexOnlyParameters({ q, updatedSince, cursor, ...query }: SearchQuery): SearchProblem[] {
  const problems: SearchProblem[] = [];
  if (q !== undefined) problems.push({ parameter: "q", message: "the chain can't be searched by text" });
  if (updatedSince !== undefined) {
    problems.push({ parameter: "updatedSince", message: "the chain can't sort or filter by last change" });
  }
  for (const parameter of ["control", "content", "attested", "live", "drift"] as const) {
    if (query[parameter] !== undefined)
      problems.push({ parameter, message: "the chain can't filter by facts" });
  }
  // A cursor of the index is the base64url form of a JSON array of strings, which begins with `["`.
  if (cursor?.startsWith("Wy"))
    problems.push({ parameter: "cursor", message: "this cursor belongs to the search index" });
  return problems;
}

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

type Labels = Pick<SearchResult, "traits" | "name" | "description" | "publisher" | "image">;

/** Converts a record to a search result, without the labels that only its metadata has. */
const toSearchResult = (record: AppSummary): SearchResult => ({
  did: record.did,
  proven: getProvenSubject(record.did),
  major: record.versionMajor,
  version: formatVersion(record.latestVersion),
  tokenId: String(record.tokenId),
  owner: record.owner,
  minter: record.minter,
  status: record.status,
  interfaces: record.interfaces,
  dataUrl: record.dataUrl,
  dataHash: record.dataHash,
  dataHashAlgorithm: record.dataHashAlgorithm,
  traits: [],
  traitHashes: [...record.traitHashes],
  updatedAt: record.latestVersion.registeredAt,
});

/** Adds name, description and trait strings if the JSON of the record is on the chain. */
async function withLabels(client: AppRegistryClient, result: SearchResult): Promise<SearchResult> {
  const stored = await client.getMetadata(result.did);
  if (stored?.dataHash !== result.dataHash) return result;
  return { ...result, ...getLabels(parseJsonStrict(stored.json), result) };
}

function getLabels(metadata: unknown, { traitHashes }: SearchResult): Labels {
  if (typeof metadata !== "object" || metadata === null) return { traits: [] };
  const fields = metadata as Record<string, unknown>;
  const traits = Array.isArray(fields.traits)
    ? fields.traits.filter((trait) => typeof trait === "string")
    : [];
  const labels: Labels = { traits: traits.filter((trait) => isTraitRecorded(trait, traitHashes)) };
  for (const name of ["name", "description", "publisher", "image"] as const) {
    const value = fields[name];
    if (typeof value === "string") labels[name] = value;
  }
  return labels;
}

function isTraitRecorded(trait: string, traitHashes: readonly string[]): boolean {
  try {
    return traitHashes.includes(traitHash(trait));
  } catch {
    return false;
  }
}

/** Listing of the chain that search reads in pages, with a cursor after every item. */
type ChainSource = {
  read(cursor: bigint, limit: number): Promise<Page<AppSummary>>;
  /** Returns the cursor that continues directly after an item. */
  cursorAfter(item: AppSummary): bigint;
};

/** Returns the smallest listing that contains every match of a search. */
function chooseSource(client: AppRegistryClient, query: SearchQuery): ChainSource {
  const { did, owner, status } = query;
  const interfaces = query.interface;
  if (did !== undefined) return createMajorsSource(client, did);
  if (owner !== undefined) return createTokenIdSource((options) => client.listByOwner({ owner, ...options }));
  if (status === "any") return createAllStatusesSource(client);
  if (status === 0 && interfaces !== undefined) {
    return createTokenIdSource((options) => client.listByInterface({ interfaces, ...options }));
  }
  return createTokenIdSource((options) => client.listByStatus({ status, ...options }));
}

type PageOptions = { cursor: bigint; limit: number };

/** Creates a source from one of the registry's listings. Their cursor is the last token id examined. */
const createTokenIdSource = (list: (options: PageOptions) => Listing<AppSummary>): ChainSource => ({
  read: (cursor, limit) => firstPage(list({ cursor, limit })),
  cursorAfter: ({ tokenId }) => tokenId,
});

async function firstPage(listing: Listing<AppSummary>): Promise<Page<AppSummary>> {
  for await (const page of listing.pages()) return page;
  return { items: [], nextCursor: null };
}

/** Position of the status in a cursor, in bits: above the token id. */
const tokenIdBits = 64n;

/** Creates a source of all records: Active, then Deprecated, then Replaced. */
function createAllStatusesSource(client: AppRegistryClient): ChainSource {
  const at = (status: number, tokenId: bigint) => (BigInt(status) << tokenIdBits) | tokenId;
  return {
    async read(cursor, limit) {
      const status = Number(cursor >> tokenIdBits);
      if (status > 2) return { items: [], nextCursor: null };
      const tokenId = BigInt.asUintN(Number(tokenIdBits), cursor);
      const options = { status: status as AppStatus, cursor: tokenId, limit };
      const { items, nextCursor } = await firstPage(client.listByStatus(options));
      if (nextCursor !== null) return { items, nextCursor: at(status, nextCursor) };
      return { items, nextCursor: status < 2 ? at(status + 1, 0n) : null };
    },
    cursorAfter: ({ status, tokenId }) => at(status, tokenId),
  };
}

/** Number of major versions to read concurrently. */
const majorsInOneRead = 8;

/** Creates a source of the major versions of one DID. The cursor is the next major to read. */
function createMajorsSource(client: AppRegistryClient, did: CanonicalDid): ChainSource {
  return {
    async read(cursor) {
      const latest = await undefinedIfNotRegistered(client.latestMajor(did));
      if (latest === undefined) return { items: [], nextCursor: null };
      const first = Number(cursor);
      const last = Math.min(latest, first + majorsInOneRead - 1);
      const majors = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
      const found = await Promise.all(
        majors.map((major) => undefinedIfNotRegistered(client.getAppSummary({ did, major }))),
      );
      const items = found.filter((item) => item !== undefined);
      return { items, nextCursor: last < latest ? BigInt(last + 1) : null };
    },
    cursorAfter: ({ versionMajor }) => BigInt(versionMajor + 1),
  };
}
