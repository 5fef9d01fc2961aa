import type { Step, VerificationReport } from "@app-registry/sdk";
import { Group, Skeleton } from "@mantine/core";
import { FactLine, ReasonText } from "../../components/record/FactLine.tsx";
import { factNames, factTexts, outcomeWords, StatusMark } from "../../components/record/facts.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { CheckAgainButton } from "./CheckAgainButton.tsx";
import { checkAgain } from "./checkAgain.ts";
import styles from "./service.module.css";
import { verifyService } from "./verifyService.ts";

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
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <h2 id="facts" className="subtitle">
          What is verified
        </h2>
        {version === null ? null : (
          <form action={checkAgain.bind(null, did, version)}>
            <CheckAgainButton asking={asking} />
          </form>
        )}
      </Group>
      <p className={`quiet ${styles.time}`}>
        Checked <TimeText seconds={report.checkedAt} precise />
        {report.blockNumber === null ? "; the chain did not answer" : `, block ${report.blockNumber}`}
      </p>
      <ul>
        {factNames.map((name) => (
          <FactLine key={name} name={name} fact={report.facts[name]} />
        ))}
      </ul>
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
    </section>
  );
}

/** The shape of the facts while they are checked, with what is being asked of whom. */
export function FactsWaiting({ asking }: { asking: string }) {
  return (
    <section className={styles.sheet} aria-labelledby="facts" aria-busy="true">
      <h2 id="facts" className="subtitle">
        What is verified
      </h2>
      <p className={`quiet ${styles.time}`}>{asking}</p>
      <ul>
        {factNames.map((name) => (
          <li key={name} className={`marked ${styles.waiting}`}>
            <Skeleton circle height={16} animate={false} />
            <span className="strong">{factTexts[name].label}</span>
            <span />
            <Skeleton height={12} width="80%" animate={false} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type StreamedFactsProps = {
  did: string;
  /** major.minor.patch */
  version: string;
  /** What is said while an answer is awaited. */
  asking: string;
};

/** The facts of one version, as soon as they are known. */
export async function StreamedFacts({ did, version, asking }: StreamedFactsProps) {
  return <FactsSheet report={await verifyService({ did, version })} asking={asking} />;
}
