import { formatVersion, type VerificationReport } from "@app-registry/sdk";
import { Suspense } from "react";
import { Problem } from "../../components/record/Problem.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import { ControlSection, ControlWaiting } from "../control/ControlSection.tsx";
import { ConnectSection } from "./ConnectSection.tsx";
import { FactsSheet } from "./FactsSheet.tsx";
import { FactsWaiting } from "./FactsWaiting.tsx";
import type { Service } from "./loadService.ts";
import { OffersSection } from "./OffersSection.tsx";
import { RecordSection } from "./RecordSection.tsx";
import { ServiceHead } from "./ServiceHead.tsx";
import styles from "./ServicePage.module.css";
import { StreamedFacts } from "./StreamedFacts.tsx";
import { VersionNotice } from "./VersionNotice.tsx";
import { VersionsSection } from "./VersionsSection.tsx";

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
export function ServicePage({ service, report }: ServicePageProps) {
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
      <Suspense fallback={<ControlWaiting />}>
        <ControlSection
          did={record.did}
          tokenId={record.tokenId}
          owner={summary.owner}
          minter={summary.minter}
        />
      </Suspense>
      <VersionsSection service={service} />
      <RecordSection service={service} document={document.ok ? document.json : undefined} />
    </article>
  );
}
