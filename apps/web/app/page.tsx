import Link from "next/link";
import { LedgerSection } from "../components/shell/shell.tsx";
import {
  BrowseLinks,
  FactsLegend,
  LatestServices,
  ProgramAccess,
  RecentServices,
  RegisterCounts,
  SearchBox,
} from "../features/explore/HomeSections.tsx";
import styles from "../features/explore/home.module.css";

/** Render per request, because the registry changes with every block. */
export const dynamic = "force-dynamic";

export default function HomePage() {
  return (
    <>
      <div className={styles.intro}>
        <div className="stack3">
          <h1>A public registry of services, with the evidence beside each record</h1>
          <p className={styles.lead}>
            Find websites, APIs, MCP servers, agents and on-chain applications. Each has a record on a public
            chain, tied to a domain or contract. See who controls each service now and what has been verified.
          </p>
          <SearchBox />
        </div>
        <div className={styles.counts}>
          <RegisterCounts />
        </div>
      </div>
      <BrowseLinks />
      <LedgerSection
        title="Newest services"
        note={
          <Link href="/apps" prefetch={false}>
            All services
          </Link>
        }
      >
        <LatestServices />
      </LedgerSection>
      <LedgerSection title="Recent activity">
        <RecentServices />
      </LedgerSection>
      <LedgerSection
        title="What we verify"
        note="Separate facts, never a single score. You decide which ones matter to you."
      >
        <FactsLegend />
      </LedgerSection>
      <LedgerSection title="For developers" note="The same data as JSON.">
        <ProgramAccess />
      </LedgerSection>
      <LedgerSection title="For publishers">
        <p className="prose">
          Prove that you control a domain or contract, describe your service once and publish the record with
          your wallet. <Link href="/register">Register a service</Link>
        </p>
      </LedgerSection>
    </>
  );
}
