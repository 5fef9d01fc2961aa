import type { Step, VerificationReport } from "@app-registry/sdk";
import { FactLine } from "../../components/record/FactLine.tsx";
import { factNames, outcomeWords } from "../../components/record/facts.ts";
import { ReasonText } from "../../components/record/ReasonText.tsx";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import { TimeText } from "../../components/record/TimeText.tsx";

import { CheckAgainButton } from "./CheckAgainButton.tsx";
import { checkAgain } from "./checkAgain.ts";
import styles from "./FactsSheet.module.css";

const stepLabels: Record<Step["step"], string> = {
  fetch: "Fetch",
  canonicalize: "Canonicalise",
  hash: "Hash",
  compare: "Compare",
  attestation: "Attestation",
};

type FactsSheetProps = {
  report: VerificationReport;
  /** What is said while a new check is awaited. */
  asking: string;
};

/** The five facts of a service, when they were checked, and how. */
export function FactsSheet({ report, asking }: FactsSheetProps) {
  const { did, version } = report;
  return (
    <section className={styles.sheet} aria-labelledby="facts">
      <div className={styles.head}>
        <h2 id="facts" className={styles.title}>
          What is verified
        </h2>
        {version === null ? null : (
          <form action={checkAgain.bind(null, did, version)}>
            <CheckAgainButton asking={asking} />
          </form>
        )}
      </div>
      <p className={styles.time}>
        Checked <TimeText seconds={report.checkedAt} precise />
        {report.blockNumber === null ? "; the chain did not answer" : `, block ${report.blockNumber}`}
      </p>
      <ul>
        {factNames.map((name) => (
          <FactLine key={name} name={name} fact={report.facts[name]} />
        ))}
      </ul>
      <details className={styles.steps}>
        <summary>How the content was checked</summary>
        <ol>
          {report.steps.map((step) => (
            <li key={step.step} className={styles.step}>
              <StatusMark outcome={step.outcome} />
              <span>
                <span className={styles.stepName}>{stepLabels[step.step]}</span>{" "}
                <span className="visuallyHidden">{outcomeWords[step.outcome]}. </span>
                <ReasonText text={step.reason} />
              </span>
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}
