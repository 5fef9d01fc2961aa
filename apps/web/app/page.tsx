import Link from "next/link";
import { LedgerSection } from "../components/shell/shell.tsx";
import styles from "../features/explore/explore.module.css";
import {
  FactsLegend,
  LatestServices,
  ProgramAccess,
  RegisterCounts,
  SearchBox,
} from "../features/explore/HomeSections.tsx";

/** The register changes with every block. */
export const dynamic = "force-dynamic";

export default function HomePage() {
  return (
    <>
      <div className={styles.intro}>
        <div className="stack3">
          <h1>A public register of services, with the evidence beside each entry</h1>
          <p className={styles.lead}>
            Websites, APIs, MCP servers, agents and on-chain applications. Each is one record on a public
            chain, under a domain or contract that its publisher has proven to control.
          </p>
          <SearchBox />
        </div>
        <div className={styles.counts}>
          <RegisterCounts />
        </div>
      </div>
      <LedgerSection
        title="Latest services"
        note={
          <Link href="/apps" prefetch={false}>
            All services
          </Link>
        }
      >
        <LatestServices />
      </LedgerSection>
      <LedgerSection
        title="What is verified"
        note="Five facts, never one score. You decide which ones you need."
      >
        <FactsLegend />
      </LedgerSection>
      <LedgerSection title="For programs" note="The same answers, as JSON.">
        <ProgramAccess />
      </LedgerSection>
      <LedgerSection title="For publishers">
        <p className="prose">
          Prove that you control a domain or a contract, describe the service once, and publish the record
          with your own wallet. <Link href="/register">Register a service</Link>
        </p>
      </LedgerSection>
    </>
  );
}
