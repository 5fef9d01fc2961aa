import "server-only";
import { RecentAnswers } from "../../lib/server/RecentAnswers.ts";
import { registry } from "../../lib/server/registry.ts";
import { searchRegistry } from "../../lib/server/searchRegistry.ts";
import { type ListQuery, listHref, readListQuery } from "./listQuery.ts";
import { parseListQuery } from "./parseListQuery.ts";

/** A number of services; with `orMore` there may be more of them. */
export type ServiceCount = { count: number; orMore: boolean };

const COUNT_AGE = 30_000;

const counts = new RecentAnswers<ServiceCount | undefined>(100);

/**
 * Counts the active services that match, by the index. Undefined when it is away; counting on the chain would read
 * every record.
 */
export function countServices(query: Partial<ListQuery>): Promise<ServiceCount | undefined> {
  return counts.get(
    listHref(query),
    () => COUNT_AGE,
    async () => {
      const parsed = parseListQuery({ ...readListQuery({}), ...query });
      if (!parsed.ok) return undefined;
      const { total } = await searchRegistry(registry(), { ...parsed.search, limit: 1, facets: true });
      return total && { count: total.count, orMore: !total.exact };
    },
  );
}

/** Counts the active services by the registry's own counter. */
export async function countActiveServices(): Promise<ServiceCount> {
  return { count: Number(await registry().client.countByStatus({ status: 0 })), orMore: false };
}
