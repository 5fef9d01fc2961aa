import { domainToUnicode } from "node:url";
import {
  formatVersion,
  type LiveRecord,
  type VerificationReport,
  type Version,
  visibleText,
} from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import { Suspense } from "react";
import { BadgeSection } from "../../components/record/Badge.tsx";
import { ScriptWarning } from "../../components/record/claims.tsx";
import { picturePath } from "../../components/record/Icon.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { internationalLabels } from "../../lib/record/claims.ts";
import { readPackages } from "../../lib/server/packages.ts";
import { readLiveRecord } from "../../lib/server/records/readLive.ts";
import { environment, registry } from "../../lib/server/registry.ts";
import { verifyService } from "../../lib/service/verifyService.ts";
import { ControlNotice } from "../control/ControlNotice.tsx";
import { ControlSection } from "../control/ControlSection.tsx";
import { hasSharedName } from "../explore/searchServices.ts";
import { ConnectSection } from "./ConnectSection.tsx";
import { FactsSheet } from "./FactsSheet.tsx";
import { createLinkResolver } from "./links.tsx";
import { LiveSection } from "./live/LiveSection.tsx";
import { loadRequestedService } from "./loadService.ts";
import { OffersSection, PicturesSection } from "./OffersSection.tsx";
import { ProvenHead } from "./ProvenHead.tsx";
import { RecordSection } from "./RecordSection.tsx";
import { ServiceHead } from "./ServiceHead.tsx";
import { HiddenService, requestedHidden, ServiceProblem } from "./ServiceProblem.tsx";
import { findSimilar, SimilarServices } from "./SimilarServices.tsx";
import styles from "./service.module.css";
import { JsonLd, ReportLink } from "./sharing.tsx";
import { readSuccession } from "./succession.ts";
import { readVersionNotes, VersionNotice, VersionsSection } from "./VersionsSection.tsx";

type ServiceRouteProps = { searchParams: Promise<{ facts?: string | string[] }> };

/**
 * Renders `/apps/<did>` and `/apps/<did>/v/<version>`: the proven name, the claims, the facts, how to connect, and the
 * record. The proxy sets the HTTP status of a missing service.
 */
export async function ServiceRoute({ searchParams }: ServiceRouteProps) {
  const hidden = await requestedHidden();
  if (hidden) return <HiddenService hidden={hidden} showsFacts={(await searchParams).facts === "chain"} />;
  const loaded = await loadRequestedService();
  if (!loaded.ok) return <ServiceProblem loaded={loaded} />;
  const { service } = loaded;
  const { document, record, summary } = service;
  const { did, tokenId, version } = record;
  const metadata = document.ok ? document.metadata : undefined;
  const similar = findSimilar(metadata?.traits ?? [], service.block);
  const [report, live, succession, notes, sharesName, packages] = await Promise.all([
    verifyService({ did, version: formatVersion(version), block: service.block }),
    readCurrentLive(did, version),
    readSuccession(service),
    readVersionNotes(service.versions),
    hasSharedName(String(tokenId), service.block),
    readPackages(environment()),
  ]);
  const resolveLink = createLinkResolver(report);
  return (
    <>
      <article>
        <ProvenHead did={did} control={report.facts.control} report={report}>
          <InternationalName did={did} />
        </ProvenHead>
        <VersionNotice service={service} succession={succession} />
        <div className={styles.notices}>
          <ControlNotice did={did} block={service.block} />
        </div>
        <div className={styles.top}>
          <ServiceHead
            record={record}
            status={summary.status}
            metadata={metadata}
            sharesName={sharesName}
            icon={metadata?.image && picturePath(did, version, "/image")}
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
            <FactsSheet service={service} report={report} live={live} />
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
        <ControlSection did={did} record={summary} block={service.block} />
        <RecordSection service={service} placeOf={resolveLink} />
        <PublisherNotes notes={report.notes} />
        <ReportLink did={did} />
        <BadgeSection
          did={did}
          version={service.isHighest ? undefined : version}
          publicUrl={environment().publicUrl}
          fold="Show the badge"
        />
        <JsonLd service={service} report={report} />
      </article>
      <Suspense>
        <SimilarServices did={did} similar={similar} />
      </Suspense>
    </>
  );
}

/** Returns the live checks of a version, or `undefined` if it is not the current one or the index is unavailable. */
async function readCurrentLive(did: string, version: Version): Promise<LiveRecord | undefined> {
  const live = await readLiveRecord(registry(), did, version.major);
  return typeof live === "object" && live.version === formatVersion(version) ? live : undefined;
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

/** Shows an internationalized host in Unicode, with warnings about its letters. The DID contains the ASCII form. */
function InternationalName({ did }: { did: string }) {
  const host = getDidHost(did);
  if (host === undefined) return null;
  const unicode = domainToUnicode(host);
  const labels = internationalLabels(unicode);
  if (labels.length === 0) return null;
  return (
    <>
      <p className="soft anywhere">
        In Unicode: <bdi translate="no">{visibleText(unicode)}</bdi>. Only the form above is proven.
      </p>
      {labels.map((label) => (
        <ScriptWarning
          key={label.label}
          className={label.warning ? "notice prose" : "soft anywhere"}
          {...label}
        />
      ))}
    </>
  );
}
