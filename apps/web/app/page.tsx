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

/** Render per request, because the registry changes with every block. */
export const dynamic = "force-dynamic";

type HomeProps = { searchParams: Promise<{ sort?: string | string[] }> };

export default async function HomePage({ searchParams }: HomeProps) {
  const { sort } = await searchParams;
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
      <LatestServices sort={typeof sort === "string" ? sort : undefined} />
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
