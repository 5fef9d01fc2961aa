import { getProvenSubject } from "@app-registry/sdk";
import type { Metadata } from "next";
import Link from "next/link";
import { Fragment } from "react";
import { FilterForm } from "../../features/explore/FilterForm.tsx";
import { LookupAnswer, readSubject } from "../../features/explore/LookupAnswer.tsx";
import { listHref, type PageSearchParams, readListQuery } from "../../features/explore/listQuery.ts";
import { QueryProblems, ServiceResults } from "../../features/explore/ServiceResults.tsx";
import { parseListQuery, searchServices } from "../../features/explore/searchServices.ts";

export const metadata: Metadata = { title: "Services" };

export default async function AppsPage({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const query = readListQuery(await searchParams);
  const parsed = parseListQuery(query);
  const address = listHref(query);
  const subject = query.cursor === "" ? readSubject(query.q) : undefined;
  // A domain or DID also consists of words. The words of an address would find other services.
  const isOnlyAddress = subject !== undefined && subject.kind !== "domain" && subject.kind !== "did";
  const { under, owner, minter } = parsed.ok ? parsed.search : {};
  const scope = Object.entries({
    under: under && getProvenSubject(under).name,
    "held by": owner,
    "registered by": minter,
  }).filter(([, name]) => name !== undefined);
  const found = parsed.ok && !isOnlyAddress ? await searchServices(parsed.search) : undefined;
  return (
    <div className="stack2">
      <h1 className="anywhere">
        Services
        {scope.map(([word, name]) => (
          <Fragment key={word}>
            {` ${word} `}
            <bdi dir="ltr" translate="no">
              {name}
            </bdi>
          </Fragment>
        ))}
      </h1>
      {query.owner === "" ? null : (
        <p>
          <Link href={listHref({ minter: query.owner, status: "any" })} prefetch={false}>
            Services that this account registered
          </Link>
        </p>
      )}
      <FilterForm key={address} query={query} counted={found?.ok ? found.page : undefined} />
      <div>
        {subject === undefined ? null : <LookupAnswer subject={subject} isBrief={!isOnlyAddress} />}
        {parsed.ok || isOnlyAddress ? null : <QueryProblems problems={parsed.problems} />}
        {found === undefined ? null : <ServiceResults query={query} found={found} />}
      </div>
    </div>
  );
}
