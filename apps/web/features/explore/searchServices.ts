import "server-only";
import { type SearchPage, type SearchQuery, type SearchResult, toAppRegistryError } from "@app-registry/sdk";
import { ApiProblem } from "../../lib/server/problem.ts";
import { registry } from "../../lib/server/registry.ts";
import { searchRegistry } from "../../lib/server/searchRegistry.ts";
import { RecentAnswers } from "../service/RecentAnswers.ts";
import { withPatience } from "../service/withPatience.ts";
import { type ListQuery, listHref, readListQuery } from "./listQuery.ts";
import { parseListQuery } from "./parseListQuery.ts";
import { type Outcomes, rowOutcomes } from "./rowOutcomes.ts";

/** Why there is no list. */
export type SearchFailure = { title: string; why: string; detail?: string };

/** A record in a list, with the outcomes of its facts when they are there already. */
export type ServiceEntry = { result: SearchResult; outcomes: Outcomes | undefined };

export type FoundServices =
  | { ok: true; page: SearchPage; rows: ServiceEntry[] }
  | { ok: false; failure: SearchFailure };

/** Milliseconds that a list waits for the facts of its rows before it shows the rest. */
const FACTS_PATIENCE = 500;

/** Searches as `/api/search` does: the index, else the chain. */
export async function searchServices(search: SearchQuery): Promise<FoundServices> {
  try {
    const page = await searchRegistry(registry(), search);
    const rows = page.results.map(async (result) => {
      const outcomes = await withPatience(rowOutcomes(result), FACTS_PATIENCE);
      return { result, outcomes };
    });
    return { ok: true, page, rows: await Promise.all(rows) };
  } catch (thrown) {
    return { ok: false, failure: failureOf(search, thrown) };
  }
}

function failureOf(search: SearchQuery, thrown: unknown): SearchFailure {
  if (thrown instanceof ApiProblem) {
    return {
      title: "This place in the list is gone",
      why: "The address names a page of another search, or of a list that has been built anew since.",
      detail: thrown.message,
    };
  }
  const error = toAppRegistryError(thrown);
  return {
    title:
      search.q === undefined ? "The list can't be read now" : "The register can't be searched by text now",
    why: [error.shortMessage, error.action].filter(Boolean).join(" "),
    detail: error.message,
  };
}

/** How many services match, as far as one page of the index says. */
export type ServiceCount = { count: number; orMore: boolean };

const COUNT_AGE = 30_000;
const COUNT_LIMIT = 100;

const counts = new RecentAnswers<ServiceCount>(100);

/** Counts the services that match, exactly up to 100 where the index gives no total; undefined when it is away. */
export function countServices(query: Partial<ListQuery>): Promise<ServiceCount | undefined> {
  const search = parseListQuery({ ...readListQuery({}), ...query });
  if (!search.ok) return Promise.resolve(undefined);
  const count = async () => {
    const { total, results, nextCursor } = await searchRegistry(registry(), {
      ...search.search,
      limit: COUNT_LIMIT,
    });
    return { count: total ?? results.length, orMore: total === undefined && nextCursor !== null };
  };
  return counts.get(listHref(query), COUNT_AGE, count).catch(() => undefined);
}
