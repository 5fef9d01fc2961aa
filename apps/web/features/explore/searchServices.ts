import "server-only";
import { sharedNames } from "@app-registry/index/lookup";
import {
  IndexRequiredError,
  InvalidSearchError,
  parseSearchQuery,
  type SearchPage,
  type SearchProblem,
  type SearchQuery,
  type SearchQueryInput,
  type SearchResult,
  toAppRegistryError,
} from "@app-registry/sdk";
import { type FactOutcomes, getReportOutcomes, getResultOutcomes } from "@app-registry/sdk/internal";
import { TtlCache, withinTimeout } from "@app-registry/server/async";
import { headers } from "next/headers";
import { ApiProblem } from "../../lib/server/http/problem.ts";
import { getSite, rateLimits } from "../../lib/server/http/rateLimits.ts";
import { searchTurns } from "../../lib/server/http/turns.ts";
import { readIndex } from "../../lib/server/readIndex.ts";
import { searchRegistry } from "../../lib/server/records/searchRegistry.ts";
import { type Block, registry } from "../../lib/server/registry.ts";
import { verifyOnChain } from "../../lib/service/verifyService.ts";
import type { ListQuery } from "./listQuery.ts";

/** Reason that a list couldn't be loaded. */
export type SearchFailure = {
  title: string;
  why: string;
  detail?: string;
  /** The operator hides the requested DID. */
  isHidden?: true;
};

/** A service in a list. */
export type ServiceEntry = MajorGroup & {
  /** Outcomes of the facts of `result`. Undefined until they are checked. */
  outcomes: FactOutcomes | undefined;
  /** An Active service of another DID has this name or a similar-looking one. False if the index is unavailable. */
  sharesName: boolean;
};

/** A page of services, or the reason that it couldn't be loaded. */
export type FoundServices =
  | { ok: true; page: SearchPage; rows: ServiceEntry[] }
  | { ok: false; failure: SearchFailure };

/** Time that a list waits for the facts of its rows before it is shown, in milliseconds. */
const FACTS_TIMEOUT_MS = 500;

/** Searches the index, or the chain if the index is unavailable. */
export async function searchServices(search: SearchQueryInput): Promise<FoundServices> {
  try {
    const page = await inSearchTurn(() => searchRegistry(registry(), search));
    return { ok: true, page, rows: await toEntries(page.results, page.source) };
  } catch (thrown) {
    return { ok: false, failure: toSearchFailure(thrown) };
  }
}

/** Groups results to the services of a list, with the facts that are known in time. */
export async function toEntries(
  results: readonly SearchResult[],
  source: SearchPage["source"],
): Promise<ServiceEntry[]> {
  const named = source === "index" ? results.filter(({ name }) => name !== undefined) : [];
  const shared = readSharedNames(named.map(({ tokenId }) => tokenId));
  const rows = groupMajors(results).map(async (group) => {
    const outcomes = await withinTimeout(rowOutcomes(group.result), FACTS_TIMEOUT_MS);
    return { ...group, outcomes, sharesName: (await shared).has(group.result.tokenId) };
  });
  return Promise.all(rows);
}

/** Runs a search of the page's client in turn with those of others. */
export async function inSearchTurn<Found>(search: () => Promise<Found>): Promise<Found> {
  const client = rateLimits().clientAddress({ headers: await headers() });
  return searchTurns(getSite(client), search);
}

/** Returns the reason that a search, or a lookup, failed. */
export function toSearchFailure(thrown: unknown): SearchFailure {
  if (thrown instanceof ApiProblem && thrown.code === "hidden") {
    return { title: thrown.title, why: `Operator's reason: ${thrown.message}`, isHidden: true };
  }
  if (thrown instanceof ApiProblem && thrown.code === "searches-busy") {
    return { title: "Couldn't load the list", why: `${thrown.title}. Try again in a moment.` };
  }
  if (thrown instanceof ApiProblem && thrown.code === "index-unavailable") {
    return { title: "Couldn't look it up", why: "The search index isn't responding. Try again in a moment." };
  }
  if (thrown instanceof ApiProblem) {
    return {
      title: "This page of results no longer exists",
      why: "The link belongs to a different search, or the list has been rebuilt since.",
      detail: thrown.message,
    };
  }
  if (thrown instanceof IndexRequiredError) {
    return thrown.problems.some(({ parameter }) => parameter === "cursor")
      ? {
          title: "Couldn't load the next page",
          why: "The search index is unavailable. Try again, or go back to the first page.",
          detail: thrown.message,
        }
      : {
          title: "Text search is unavailable",
          why: "The search index isn't responding, and the chain alone can't be searched by text. Filters still work.",
          detail: thrown.message,
        };
  }
  const error = toAppRegistryError(thrown);
  return {
    title: "Couldn't load the list",
    why: [error.shortMessage, error.action].filter(Boolean).join(" "),
    detail: error.message,
  };
}

/** Returns the outcomes of a record: those of the list's block from the index, or from the chain without the index. */
export async function rowOutcomes(result: SearchResult): Promise<FactOutcomes> {
  if (result.facts !== undefined) return getResultOutcomes(result);
  return getReportOutcomes(await verifyOnChain(result));
}

const facets = new TtlCache<Pick<SearchPage, "facets" | "total">>(1, (page) =>
  page.facets === undefined ? 0 : 30_000,
);

/** Returns the counts of all active services. They are missing without the index, and then are asked for again. */
export const readFacets = () => facets.get("", () => searchRegistry(registry(), { limit: 1, facets: true }));

/** Returns the number of active services from the contract. */
export const countActiveServices = async (): Promise<number> =>
  Number(await registry().client.countByStatus({ status: 0 }));

/** Major versions of one DID on a page of results. */
export type MajorGroup = {
  /** Highest Active major version, or the highest if none is Active. */
  result: SearchResult;
  /** Other major versions, highest first. */
  others: SearchResult[];
};

/** Groups results by DID. Each group has the position of its first record. */
export function groupMajors(results: readonly SearchResult[]): MajorGroup[] {
  const services = new Map<string, SearchResult[]>();
  for (const result of results) services.set(result.did, [...(services.get(result.did) ?? []), result]);
  return [...services.values()].flatMap((majors) => {
    const [result, ...rest] = majors.toSorted(
      (one, other) => Number(other.status === 0) - Number(one.status === 0) || other.major - one.major,
    );
    return result ? [{ result, others: rest.toSorted((one, other) => other.major - one.major) }] : [];
  });
}

const PAGE_SIZE = 25;

/** Validates the query by the rules of `/api/search`. */
export function parseListQuery(
  query: ListQuery,
): { ok: true; search: SearchQuery } | { ok: false; problems: readonly SearchProblem[] } {
  const { interfaces, traits, ...texts } = query;
  const given = { ...texts, interface: interfaces || "", traits: traits.join(",") };
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  try {
    return { ok: true, search: parseSearchQuery({ ...input, limit: PAGE_SIZE, facets: true }) };
  } catch (error) {
    if (error instanceof InvalidSearchError) return { ok: false, problems: error.problems };
    throw error;
  }
}

/** Time limit for the index, in milliseconds. Without a response, no name is marked as shared. */
const TIME_LIMIT_MS = 1_000;

/**
 * Returns the token IDs of records with the same name as an Active service of another DID, or a similar-looking one.
 * Returns none if the index is unavailable: the chain cannot compare names.
 */
async function readSharedNames(tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (tokenIds.length === 0) return new Set();
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const found = await readIndex(registry(), (session) => sharedNames(session, tokenIds), { signal });
  return new Set(found);
}

/** Cache time at one block, in milliseconds. It is short, because the index may be behind the block. */
const AGE = 2_000;

const answers = new TtlCache<boolean>(1_000, AGE);

/** Returns true if another service uses the record's name. */
export const hasSharedName = (tokenId: string, { hash }: Block): Promise<boolean> =>
  answers.get(`${tokenId} ${hash}`, async () => (await readSharedNames([tokenId])).has(tokenId));
