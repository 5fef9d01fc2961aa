import { getSite } from "@app-registry/outbound/site";
import {
  appPath,
  formatVersion,
  getProvenSubject,
  type LiveRecord,
  livePath,
  type VerificationReport,
  type Version,
  visibleText,
} from "@app-registry/sdk";
import type { Metadata } from "next";
import Link from "next/link";
import { Suspense } from "react";
import { picturePath } from "../../components/record/Icon.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { claimedName, replaceApprovalMarks } from "../../lib/record/claims.ts";
import { environment } from "../../lib/server/environment.ts";
import { type PackageSpecifiers, readPackages } from "../../lib/server/packages.ts";
import { readLiveRecord } from "../../lib/server/records/readLive.ts";
import { registry } from "../../lib/server/registry.ts";
import { verifyService } from "../../lib/service/verifyService.ts";
import { ControlNotice } from "../control/ControlNotice.tsx";
import { ControlSection } from "../control/ControlSection.tsx";
import { listHref } from "../explore/listQuery.ts";
import { ServiceList } from "../explore/ServiceList.tsx";
import { hasSharedName, type ServiceEntry, searchServices } from "../explore/searchServices.ts";
import { BrowserCheck } from "./BrowserCheck.tsx";
import { ConnectSection } from "./ConnectSection.tsx";
import { ContractAddresses } from "./ContractAddresses.tsx";
import { createLinkResolver } from "./createLinkResolver.ts";
import { FactsSheet } from "./FactsSheet.tsx";
import { HiddenService, requestedHidden } from "./HiddenService.tsx";
import { InternationalName } from "./InternationalName.tsx";
import { LiveSection } from "./live/LiveSection.tsx";
import { ProbeNowButton } from "./live/ProbeNowButton.tsx";
import { type LoadedService, loadRequestedService, type Service } from "./loadService.ts";
import { OffersSection } from "./OffersSection.tsx";
import { PicturesSection } from "./PicturesSection.tsx";
import { ProvenHead } from "./ProvenHead.tsx";
import { RecordSection } from "./RecordSection.tsx";
import { recheckService } from "./recheckService.ts";
import { reportHref } from "./reportHref.ts";
import { ServiceHead } from "./ServiceHead.tsx";
import { findSimilar, SimilarServices } from "./SimilarServices.tsx";
import styles from "./service.module.css";
import { BadgeSection, getOpenGraph, JsonLd } from "./sharing.tsx";
import { readSuccession, type Succession } from "./succession.ts";
import { VersionNotice, VersionsSection } from "./VersionsSection.tsx";
import { readVersionNotes, type VersionNotes } from "./versionNotes.ts";

/** Returns the title and canonical URL of a service's page. */
export async function generateMetadata(): Promise<Metadata> {
  if (await requestedHidden()) return { title: "Hidden service", robots: { index: false } };
  const loaded = await loadRequestedService();
  if (!loaded.ok) return { title: loaded.problem.title, robots: { index: false } };
  const { record, document, isHighest } = loaded.service;
  const metadata = document.ok ? document.metadata : undefined;
  const proven = getProvenSubject(record.did).name;
  const name = claimedName(metadata?.name ?? "");
  const description = replaceApprovalMarks(visibleText(metadata?.description ?? ""));
  return {
    ...getOpenGraph(loaded.service),
    title: name === "" ? proven : `${proven} – claims the name “${name}”`,
    description:
      description === ""
        ? `The record of ${record.did}`
        : `Claimed by the publisher of ${proven}: “${description}”`,
    alternates: {
      canonical: `${environment().publicUrl}${appPath(record.did, isHighest ? undefined : record.version)}`,
    },
  };
}

/** Renders `/apps/<did>` and `/apps/<did>/v/<version>`. The proxy sets the HTTP status of a missing service. */
export async function ServiceRoute({
  searchParams,
}: {
  searchParams: Promise<{ facts?: string | string[] }>;
}) {
  const hidden = await requestedHidden();
  if (hidden) return <HiddenService hidden={hidden} showsFacts={(await searchParams).facts === "chain"} />;
  const loaded = await loadRequestedService();
  if (!loaded.ok) return <ServiceProblem loaded={loaded} />;
  const { service } = loaded;
  const { document, record } = service;
  const { did, tokenId, version } = record;
  const similar = findSimilar(document.ok ? document.metadata.traits : [], service.block);
  const [report, live, succession, notes, sharesName, packages] = await Promise.all([
    verifyService({ did, version: formatVersion(version), block: service.block }),
    readCurrentLive(did, version),
    readSuccession(service),
    readVersionNotes(service.versions),
    hasSharedName(String(tokenId), service.block),
    readPackages(environment()),
  ]);
  return <ServicePage {...{ service, report, live, succession, notes, sharesName, packages, similar }} />;
}

/** Returns the live checks of a version, or `undefined` if it is not the current one or the index is unavailable. */
async function readCurrentLive(did: string, version: Version): Promise<LiveRecord | undefined> {
  const live = await readLiveRecord(registry(), did, version.major);
  return typeof live === "object" && live.version === formatVersion(version) ? live : undefined;
}

/** Returns the progress text of a check, with the host of the document. */
function formatCheckTarget(dataUrl: string): string {
  try {
    return `Checking ${visibleText(new URL(dataUrl).host)} and the chain…`;
  } catch {
    return "Checking the chain…";
  }
}

type ServicePageProps = {
  service: Service;
  report: VerificationReport;
  live: LiveRecord | undefined;
  succession: Succession;
  /** Notes by version (major.minor.patch). */
  notes: Map<string, VersionNotes>;
  /** Another service has the same name or a similar-looking one. */
  sharesName: boolean;
  packages: PackageSpecifiers;
  similar: Promise<ServiceEntry[]>;
};

/** Renders a service's page: the proven name, the claims, the facts, how to connect, and the record. */
function ServicePage({
  service,
  report,
  live,
  succession,
  notes,
  sharesName,
  packages,
  similar,
}: ServicePageProps) {
  const { record, summary, document } = service;
  const asking = formatCheckTarget(record.dataUrl);
  const metadata = document.ok ? document.metadata : undefined;
  const resolveLink = createLinkResolver(report, getSite);
  return (
    <>
      <article>
        <ProvenHead did={record.did} control={report.facts.control} report={report}>
          <InternationalName did={record.did} />
        </ProvenHead>
        <VersionNotice
          did={record.did}
          shown={record.version}
          newest={summary.latestVersion}
          highest={service.highestVersion}
          status={summary.status}
          succession={succession}
        />
        <div className={styles.notices}>
          <ControlNotice did={record.did} block={service.block} />
        </div>
        <div className={styles.top}>
          <ServiceHead
            record={record}
            status={summary.status}
            metadata={metadata}
            sharesName={sharesName}
            icon={metadata?.image && picturePath(record.did, record.version, "/image")}
            placeOf={resolveLink}
          />
          <div style={{ gridArea: "use" }}>
            {document.ok ? (
              <ConnectSection
                record={record}
                metadata={document.metadata}
                report={report}
                placeOf={resolveLink}
                publicUrl={environment().publicUrl}
                guardPackage={packages.mcp}
                isPinned={!service.isHighest}
                probe={live?.probe}
              />
            ) : (
              <Problem {...document.problem} />
            )}
          </div>
          <div style={{ gridArea: "facts" }}>
            <FactsSheet
              report={report}
              version={formatVersion(record.version)}
              asking={asking}
              liveAction={<LiveAction record={record} live={live} />}
            >
              <BrowserCheck
                did={record.did}
                version={formatVersion(record.version)}
                isOnChain={record.pointer !== undefined}
                deployment={service.deployment}
                rpcUrl={environment().publicRpcUrl}
              >
                <ContractAddresses deployment={service.deployment} />
              </BrowserCheck>
            </FactsSheet>
          </div>
          {metadata === undefined ? null : (
            <div style={{ gridArea: "offers" }}>
              <OffersSection metadata={metadata} placeOf={resolveLink} />
            </div>
          )}
        </div>
        {metadata === undefined ? null : (
          <PicturesSection record={record} count={metadata.screenshotUrls.length} />
        )}
        {live === undefined ? null : <LiveSection live={live} />}
        <VersionsSection service={service} notes={notes} />
        <ControlSection did={record.did} record={summary} block={service.block} />
        <RecordSection
          service={service}
          document={document.ok ? document.json : undefined}
          placeOf={resolveLink}
        />
        <PublisherNotes notes={report.notes} />
        <ReportLink did={record.did} />
        <BadgeSection service={service} />
        <JsonLd service={service} report={report} />
      </article>
      <Suspense>
        <SimilarServices did={record.did} similar={similar} />
      </Suspense>
    </>
  );
}

/** Shows the time of the last live check, and a button for a new one if the service has live checks. */
function LiveAction({ record, live }: { record: Service["record"]; live: LiveRecord | undefined }) {
  const { did, version } = record;
  const { probe } = live ?? {};
  // A probe without endpoints requested nothing, for example because the publisher opted out.
  const isUnchecked = probe?.endpoints.length === 0;
  const probedAt = isUnchecked ? undefined : probe?.probedAt;
  return (
    <span className="row small">
      {probedAt === undefined ? null : (
        <span className="quiet">
          Checked <TimeText seconds={Math.floor(probedAt / 1_000)} />
        </span>
      )}
      {live === undefined || live.nextAt === null || isUnchecked ? null : (
        <ProbeNowButton
          path={livePath(did, version)}
          probedAt={probedAt ?? null}
          onAnswer={recheckService.bind(null, did, formatVersion(version))}
        />
      )}
      <Link href="/prober" prefetch={false}>
        About live checks
      </Link>
    </span>
  );
}

type ServiceProblemProps = { loaded: Extract<LoadedService, { ok: false }> };

/** Replaces the page of a missing or unreadable service with the reason and next steps. */
function ServiceProblem({ loaded: { problem, did, missing, address } }: ServiceProblemProps) {
  return (
    <div className="stack3">
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
                <Link href={`/register?${new URLSearchParams({ service: did ?? "" })}`} prefetch={false}>
                  Register this service
                </Link>
              </li>
            ) : null}
          </ul>
        }
      />
      {missing || did === undefined ? null : (
        <Suspense>
          <LastKnown did={did} />
        </Suspense>
      )}
    </div>
  );
}

/** Shows what the search index knows of a service that the chain does not answer for. */
async function LastKnown({ did }: { did: string }) {
  const found = await searchServices({ did, status: "any" });
  if (!found.ok || found.page.source === "chain" || found.rows.length === 0) return null;
  return (
    <ServiceList
      rows={found.rows}
      facts="lastKnown"
      caption={<p className="strong">Not checked now. Last known, at block {found.page.block}:</p>}
    />
  );
}

/** Links to the operator's report form. Renders nothing if the operator has none. */
function ReportLink({ did }: { did: string }) {
  const { reportUrl } = environment();
  if (reportUrl === undefined) return null;
  return (
    <p>
      <a href={reportHref(reportUrl, did)} rel="noopener noreferrer">
        Report this service
      </a>
    </p>
  );
}

/** Lists problems of the document for its publisher. They say nothing about trust. */
function PublisherNotes({ notes }: Pick<VerificationReport, "notes">) {
  if (notes === null || notes.length === 0) return null;
  return (
    <LedgerSection
      title="For the publisher"
      id="notes"
      note="Notes on the document's format. They don't affect the facts above."
    >
      <ul className="ruled soft small">
        {notes.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`} className="anywhere">
            {pointer === "" ? null : <code>{visibleText(pointer)}</code>} <bdi>{visibleText(message)}</bdi>
          </li>
        ))}
      </ul>
    </LedgerSection>
  );
}
