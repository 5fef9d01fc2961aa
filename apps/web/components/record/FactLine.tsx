import type { ReactNode } from "react";
import { EvidenceList } from "./EvidenceList.tsx";
import styles from "./FactLine.module.css";
import { type FactName, type FactView, factTexts, outcomeWords } from "./facts.ts";
import { documentProblems, ProblemList } from "./ProblemList.tsx";
import { ReasonText } from "./ReasonText.tsx";
import { StatusMark } from "./StatusMark.tsx";

type FactLineProps = {
  name: FactName;
  fact: FactView;
  /** "Check again", or nothing. */
  action?: ReactNode;
};

/** One fact: its name, the outcome as mark and word, the reason, and the evidence one click away. */
export function FactLine({ name, fact, action }: FactLineProps) {
  const { label, question } = factTexts[name];
  const problems = documentProblems(fact.evidence);
  const evidence = Object.entries(fact.evidence ?? {}).filter(([, value]) => value !== undefined);
  return (
    <li className={styles.line} data-fact={name} data-outcome={fact.outcome}>
      <p className={styles.head}>
        <StatusMark outcome={fact.outcome} />
        <span className={styles.name}>{label}</span>
        <span className={styles.word} data-outcome={fact.outcome}>
          {outcomeWords[fact.outcome]}
        </span>
      </p>
      <div className={styles.reason}>
        {problems.length > 0 ? <ProblemList problems={problems} /> : <ReasonText text={fact.reason} />}
      </div>
      <details className={styles.details}>
        <summary>Evidence</summary>
        <p className={styles.question}>{question}</p>
        {evidence.length > 0 ? <EvidenceList evidence={Object.fromEntries(evidence)} /> : null}
        {action}
      </details>
    </li>
  );
}
