import type { Metadata } from "next";
import Link from "next/link";
import { Problem } from "../../components/record/Problem.tsx";
import { CompareTable } from "../../features/explore/CompareTable.tsx";
import { readCompareQuery } from "../../features/explore/compareQuery.ts";
import type { PageSearchParams } from "../../features/explore/listQuery.ts";
import { readCompared } from "../../features/explore/readCompared.ts";

export const metadata: Metadata = { title: "Compare services", robots: { index: false } };

export default async function ComparePage({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const query = readCompareQuery((await searchParams).did);
  const read = query.ok ? await Promise.all(query.dids.map(readCompared)) : [];
  const services = read.flatMap((item) => ("entry" in item ? [item] : []));
  const problems = query.ok
    ? read.flatMap((item) => ("entry" in item ? [] : [item]))
    : [{ did: "", title: "These services can't be compared", why: query.problem }];
  return (
    <div className="stack3">
      <h1>Compare services</h1>
      {problems.map(({ did, title, why }) => (
        <Problem
          key={did}
          tone="neutral"
          title={title}
          why={<span className="anywhere">{did === "" ? why : `${did}: ${why}`}</span>}
          action={<Link href="/apps">Search services</Link>}
        />
      ))}
      {services.length === 0 ? null : <CompareTable services={services} />}
    </div>
  );
}
