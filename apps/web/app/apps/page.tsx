import { getProvenSubject } from "@app-registry/sdk";
import type { Metadata } from "next";
import { FilterForm } from "../../features/explore/FilterForm.tsx";
import { QueryProblems } from "../../features/explore/ListProblem.tsx";
import { listHref, type PageSearchParams, readListQuery } from "../../features/explore/listQuery.ts";
import { parseListQuery } from "../../features/explore/parseListQuery.ts";
import { ServiceResults } from "../../features/explore/ServiceResults.tsx";
import { searchServices } from "../../features/explore/searchServices.ts";
import { LookupAnswer } from "../../features/lookup/LookupAnswer.tsx";
import { readSubject } from "../../features/lookup/readSubject.ts";

export const metadata: Metadata = { title: "Services" };

export default async function AppsPage({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const query = readListQuery(await searchParams);
  const parsed = parseListQuery(query);
  const address = listHref(query);
  const subject = query.cursor === "" ? readSubject(query.q) : undefined;
  // A domain or DID also consists of words. The words of an address would find other services.
  const isOnlyAddress = subject !== undefined && subject.kind !== "domain" && subject.kind !== "did";
  const found = parsed.ok && !isOnlyAddress ? await searchServices(parsed.search) : undefined;
  return (
    <div className="stack2">
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
      <FilterForm key={address} query={query} counted={found?.ok ? found.page : undefined} />
      <div>
        {subject === undefined ? null : <LookupAnswer subject={subject} isBrief={!isOnlyAddress} />}
        {parsed.ok || isOnlyAddress ? null : <QueryProblems problems={parsed.problems} />}
        {found === undefined ? null : <ServiceResults query={query} found={found} />}
      </div>
    </div>
  );
}
