import type { Step, VerificationReport } from "@app-registry/sdk";
import type { ReactNode } from "react";
import { FactList, ReasonText } from "../../components/record/facts.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";
import { isIncomplete, outcomeWords } from "../../lib/record/facts.ts";
import { issuerNames } from "../control/readControl.ts";
import { CheckAgainButton } from "./CheckAgainButton.tsx";
import { recheckService } from "./recheckService.ts";
import styles from "./service.module.css";

const stepLabels: Record<Step["step"], string> = {
  fetch: "Fetch",
  canonicalize: "Canonicalize",
  hash: "Hash",
  compare: "Compare",
  attestation: "Attestation",
};

type FactsSheetProps = {
  report: VerificationReport;
  /** Shown version, major.minor.patch. */
  version: string;
  /** Text to show during a check. */
  asking: string;
  /** Action below *live*. */
  liveAction: ReactNode;
  /** Content below the facts. */
  children: ReactNode;
};

/** Shows the facts of a service and the time and steps of their check. */
export function FactsSheet({ report, version, asking, liveAction, children }: FactsSheetProps) {
  const { did, facts } = report;
  return (
    <section className={`box ${styles.sheet}`} aria-labelledby="facts">
      <div className="row apart" style={{ flexWrap: "nowrap" }}>
        <h2 id="facts" className="subtitle">
          Verification
        </h2>
        <form action={recheckService.bind(null, did, version)}>
          <CheckAgainButton asking={asking} atOnce={isIncomplete(facts)} />
        </form>
      </div>
      <p className="quiet" style={{ paddingBottom: 8 }}>
        Checked <TimeText seconds={report.checkedAt} precise />
        {report.blockNumber === null ? "; the chain couldn't be reached" : `, block ${report.blockNumber}`}
      </p>
      <FactList facts={facts} names={issuerNames()} liveAction={liveAction} />
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
      {children}
    </section>
  );
}
