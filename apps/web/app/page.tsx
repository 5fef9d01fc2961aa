import Link from "next/link";
import { LedgerSection } from "../components/shell/shell.tsx";
import styles from "../features/explore/explore.module.css";
import {
  BrowseLinks,
  FactsLegend,
  KindCounts,
  LatestServices,
  ProgramAccess,
  SearchBox,
} from "../features/explore/HomeSections.tsx";
import { type PageSearchParams, readParam } from "../features/explore/listQuery.ts";

/** Render per request, because the registry changes with every block. */
export const dynamic = "force-dynamic";

export default async function HomePage({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const sort = readParam((await searchParams).sort);
  return (
    <>
      <div className={`stack2 ${styles.intro}`}>
        <h1>A registry of services</h1>
        <p className="subtitle soft">
          See who controls a website, API, agent or contract, and the evidence for it.
        </p>
        <SearchBox />
        <p className="row">
          <Link href="/apps" prefetch={false}>
            Find a service
          </Link>
          <Link href="/apps?traits=api:mcp" prefetch={false}>
            Connect an MCP server
          </Link>
          <Link href="/register" prefetch={false}>
            Register a service
          </Link>
        </p>
      </div>
      <KindCounts />
      <LatestServices sort={sort} />
      <BrowseLinks />
      <LedgerSection
        title="What we verify"
        note="Separate facts, never a single score. You decide which ones matter to you."
      >
        <FactsLegend />
      </LedgerSection>
      <LedgerSection title="For developers" note="The same data as JSON.">
        <ProgramAccess />
      </LedgerSection>
    </>
  );
}
