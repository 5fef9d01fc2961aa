import "server-only";
import {
  AppRegistryError,
  type SearchPage,
  type SearchQuery,
  searchChain,
  searchPageSchema,
  toAppRegistryError,
} from "@app-registry/sdk";
import { RecentAnswers } from "../service/RecentAnswers.ts";
import { registry } from "../service/registry.ts";
import { type ListQuery, listHref, readListQuery } from "./listQuery.ts";
import { parseListQuery } from "./parseListQuery.ts";

/** Why there is no list. */
export type SearchFailure = { title: string; why: string; detail?: string };

/** Searches as `/api/search` does: the index, else the chain. */
export async function searchServices(
  search: SearchQuery,
): Promise<{ ok: true; page: SearchPage } | { ok: false; failure: SearchFailure }> {
  try {
    return { ok: true, page: await searchRegistry(search) };
  } catch (thrown) {
    const error = thrown instanceof AppRegistryError ? thrown : toAppRegistryError(thrown);
    const failure = {
      title:
        search.q === undefined ? "The list can't be read now" : "The register can't be searched by text now",
      why: [error.shortMessage, error.action].filter(Boolean).join(" "),
      detail: error.message,
    };
    return { ok: false, failure };
  }
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
    const { total, results, nextCursor } = await searchRegistry({ ...search.search, limit: COUNT_LIMIT });
    return { count: total ?? results.length, orMore: total === undefined && nextCursor !== null };
  };
  return counts.get(listHref(query), COUNT_AGE, count).catch(() => undefined);
}

async function searchRegistry(search: SearchQuery): Promise<SearchPage> {
  const url = new URL("/search", process.env.INDEXER_URL);
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  try {
    const response = await fetch(url, { cache: "no-store" });
    if (!response.ok) throw new Error(await response.text());
    return searchPageSchema.parse(await response.json());
  } catch (error) {
    console.error(error);
    return searchChain({ client: registry().client, ...search });
  }
}
