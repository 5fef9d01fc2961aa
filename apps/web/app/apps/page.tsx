import { getProvenSubject } from "@app-registry/sdk";
import type { Metadata } from "next";
import { FilterForm } from "../../features/explore/FilterForm.tsx";
import { QueryProblems } from "../../features/explore/ListProblem.tsx";
import { listHref, type PageSearchParams, readListQuery } from "../../features/explore/listQuery.ts";
import { parseListQuery } from "../../features/explore/parseListQuery.ts";
import { ServiceResults } from "../../features/explore/ServiceResults.tsx";

export const metadata: Metadata = { title: "Services" };

export default async function AppsPage({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const query = readListQuery(await searchParams);
  const parsed = parseListQuery(query);
  const address = listHref(query);
  return (
    <div className="stack3">
      <h1 className="anywhere">
        Services
        {parsed.ok && parsed.search.under !== undefined ? (
          <>
            {" under "}
            <bdi dir="ltr" translate="no">
              {getProvenSubject(parsed.search.under).name}
            </bdi>
          </>
        ) : null}
      </h1>
      <FilterForm key={address} query={query} />
      <div>
        {parsed.ok ? (
          <ServiceResults query={query} search={parsed.search} />
        ) : (
          <QueryProblems problems={parsed.problems} />
        )}
      </div>
    </div>
  );
}
