import {
  type Deployment,
  formatVersion,
  type LiveRecord,
  livePath,
  type Step,
  type VerificationReport,
  visibleText,
} from "@app-registry/sdk";
import Link from "next/link";
import { DefinitionLines } from "../../components/record/documents.tsx";
import { FactList, ReasonText } from "../../components/record/facts.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";
import { isIncomplete, outcomeWords } from "../../lib/record/facts.ts";
import { environment } from "../../lib/server/registry.ts";
import { issuerNames } from "../control/readControl.ts";
import { BrowserCheck } from "./BrowserCheck.tsx";
import { CheckAgainButton, ProbeNowButton } from "./checkButtons.tsx";
import type { Service } from "./loadService.ts";
import { recheckService } from "./recheckService.ts";
import styles from "./service.module.css";

const stepLabels: Record<Step["step"], string> = {
  fetch: "Fetch",
  canonicalize: "Canonicalize",
  hash: "Hash",
  compare: "Compare",
  attestation: "Attestation",
};

type FactsSheetProps = { service: Service; report: VerificationReport; live: LiveRecord | undefined };

/** Shows the facts of a service, the time and steps of their check, and how to repeat the check in a browser. */
export function FactsSheet({ service: { record, deployment }, report, live }: FactsSheetProps) {
  const { did, facts } = report;
  const version = formatVersion(record.version);
  return (
    <section className={`box ${styles.sheet}`} aria-labelledby="facts">
      <div className="row apart" style={{ flexWrap: "nowrap" }}>
        <h2 id="facts" className="subtitle">
          Verification
        </h2>
        <form action={recheckService.bind(null, did, version)}>
          <CheckAgainButton asking={formatCheckTarget(record.dataUrl)} atOnce={isIncomplete(facts)} />
        </form>
      </div>
      <p className="quiet" style={{ paddingBottom: 8 }}>
        Checked <TimeText seconds={report.checkedAt} precise />
        {report.blockNumber === null ? "; the chain couldn't be reached" : `, block ${report.blockNumber}`}
      </p>
      <FactList facts={facts} names={issuerNames()} liveAction={<LiveAction record={record} live={live} />} />
      <details className="fold">
        <summary>How the content was checked</summary>
        <ol>
          {report.steps.map((step) => (
            <li key={step.step} className="marked anywhere">
              <StatusMark outcome={step.outcome} />
              <span>
                <span className="strong">{stepLabels[step.step]}</span>{" "}
                <span className="visuallyHidden">{outcomeWords[step.outcome]}. </span>
                <ReasonText text={step.reason} />
              </span>
            </li>
          ))}
        </ol>
      </details>
      <BrowserCheck
        checked={{ did, version, isOnChain: record.pointer !== undefined, deployment }}
        rpcUrl={environment().publicRpcUrl}
      >
        <ContractAddresses deployment={deployment} />
      </BrowserCheck>
    </section>
  );
}

/** Lists the contracts that a verification reads, for the reader to compare with another source. */
function ContractAddresses({ deployment }: { deployment: Deployment }) {
  const { AppRegistry, AppMetadata, ResolverWithStore } = deployment.contracts;
  return (
    <>
      <p>
        Repeat these checks in your browser with an RPC endpoint or wallet that you choose. They read the
        contracts below on chain {deployment.chainId}. Compare these addresses with a source you trust.
      </p>
      <DefinitionLines
        lines={[
          { term: "AppRegistry", value: <code>{AppRegistry.address}</code> },
          { term: "AppMetadata", value: <code>{AppMetadata.address}</code> },
          { term: "Resolver", value: <code>{ResolverWithStore.address}</code> },
        ]}
      />
      <noscript>
        <p>This check needs JavaScript.</p>
      </noscript>
    </>
  );
}

/** Returns the progress text of a check, with the host of the document. */
function formatCheckTarget(dataUrl: string): string {
  const host = URL.parse(dataUrl)?.host;
  return `Checking ${host === undefined ? "" : `${visibleText(host)} and `}the chain…`;
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
