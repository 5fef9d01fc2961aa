import { appPath, formatVersion, type VerificationReport } from "@app-registry/sdk";
import type { Metadata } from "next";
import Link from "next/link";
import { Suspense } from "react";
import { Problem } from "../../components/record/Problem.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import { environment } from "../../lib/server/environment.ts";
import { ControlSection } from "../control/ControlSection.tsx";
import { listHref } from "../explore/listQuery.ts";
import { ConnectSection } from "./ConnectSection.tsx";
import { FactsSheet, FactsWaiting, StreamedFacts } from "./FactsSheet.tsx";
import { type LoadedService, loadRequestedService, type Service } from "./loadService.ts";
import { OffersSection } from "./OffersSection.tsx";
import { RecordSection } from "./RecordSection.tsx";
import { ServiceHead } from "./ServiceHead.tsx";
import styles from "./service.module.css";
import { VersionNotice, VersionsSection } from "./VersionsSection.tsx";
import { verifyService } from "./verifyService.ts";
import { withPatience } from "./withPatience.ts";

/** Milliseconds that the page waits for its facts before it shows the rest. */
const VERIFY_PATIENCE = 800;

/** Title and address of a service's page; the unversioned address is the service's identity. */
export async function generateMetadata(): Promise<Metadata> {
  const loaded = await loadRequestedService();
  if (!loaded.ok) return { title: loaded.problem.title, robots: { index: false } };
  const { record, document, isHighest } = loaded.service;
  const metadata = document.ok ? document.metadata : undefined;
  const name = visibleText(metadata?.name ?? "") || record.did;
  return {
    title: name,
    description: visibleText(metadata?.description ?? "") || `The record of ${record.did}`,
    alternates: {
      canonical: `${environment().publicUrl}${appPath(record.did, isHighest ? undefined : record.version)}`,
    },
  };
}

/** `/apps/<did>` and `/apps/<did>/v/<version>`. The proxy sets the status of one that is not there. */
export async function ServiceRoute() {
  const loaded = await loadRequestedService();
  if (!loaded.ok) return <ServiceProblem loaded={loaded} />;
  const { did, version } = loaded.service.record;
  const verification = verifyService({ did, version: formatVersion(version) });
  const report = await withPatience(verification, VERIFY_PATIENCE);
  return <ServicePage service={loaded.service} report={report} />;
}

/** Whom a check asks, in words: the document's host, or the chain. */
function askingText(dataUrl: string): string {
  try {
    return `Asking ${visibleText(new URL(dataUrl).host)} and the chain`;
  } catch {
    return "Asking the chain";
  }
}

type ServicePageProps = {
  service: Service;
  /** The facts, when they are there already; else they are streamed. */
  report: VerificationReport | undefined;
};

/** A service's page: what it is, what is verified, how to use it, its versions and its record. */
function ServicePage({ service, report }: ServicePageProps) {
  const { record, summary, document } = service;
  const asking = askingText(record.dataUrl);
  const metadata = document.ok ? document.metadata : undefined;
  return (
    <article>
      <VersionNotice
        did={record.did}
        shown={record.version}
        newest={summary.latestVersion}
        highest={service.highestVersion}
        status={summary.status}
      />
      <div className={styles.top}>
        <ServiceHead record={record} status={summary.status} holder={service.holder} metadata={metadata} />
        <div className={styles.facts}>
          {report === undefined ? (
            <Suspense fallback={<FactsWaiting asking={asking} />}>
              <StreamedFacts did={record.did} version={formatVersion(record.version)} asking={asking} />
            </Suspense>
          ) : (
            <FactsSheet report={report} asking={asking} />
          )}
        </div>
        <div className={styles.use}>
          {document.ok ? (
            <ConnectSection did={record.did} metadata={document.metadata} />
          ) : (
            <Problem {...document.problem} />
          )}
        </div>
      </div>
      {metadata === undefined ? null : <OffersSection metadata={metadata} />}
      <ControlSection
        did={record.did}
        tokenId={record.tokenId}
        owner={summary.owner}
        minter={summary.minter}
      />
      <VersionsSection service={service} />
      <RecordSection service={service} document={document.ok ? document.json : undefined} />
    </article>
  );
}

type ServiceProblemProps = { loaded: Extract<LoadedService, { ok: false }> };

/** In place of a service that is not there or can't be read: what is known, and the ways on. */
function ServiceProblem({ loaded: { problem, did, missing, address } }: ServiceProblemProps) {
  return (
    <Problem
      {...problem}
      level={1}
      action={
        <ul className="row">
          {missing ? null : (
            <li>
              <a href={address}>Try again</a>
            </li>
          )}
          {did === undefined ? null : (
            <li>
              <Link href={listHref({ did, status: "any" })}>List every record of this DID</Link>
            </li>
          )}
          <li>
            <Link href="/apps">Search the services</Link>
          </li>
          {missing ? (
            <li>
              <Link href="/register" prefetch={false}>
                Register this service
              </Link>
            </li>
          ) : null}
        </ul>
      }
    />
  );
}
