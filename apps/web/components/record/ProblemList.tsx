import styles from "./ProblemList.module.css";
import { visibleText } from "./visibleText.ts";

/** A rule that a document breaks, and where. */
export type DocumentProblem = { pointer: string; message: string };

/** More than this are in the evidence. */
const SHOWN = 4;

function isProblem(value: unknown): value is DocumentProblem {
  const { pointer, message } = (value ?? {}) as Record<string, unknown>;
  return typeof pointer === "string" && typeof message === "string";
}

/** Reads the problems out of a fact's evidence; empty when it holds none. */
export function documentProblems(evidence: Record<string, unknown> | undefined): DocumentProblem[] {
  const problems = evidence?.problems;
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
}

/** What a document lacks or breaks, place by place. */
export function ProblemList({ problems }: { problems: DocumentProblem[] }) {
  return (
    <ul className={styles.list}>
      {problems.slice(0, SHOWN).map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          {pointer === "" ? null : <code className={styles.pointer}>{visibleText(pointer)}</code>}{" "}
          <bdi>{visibleText(message)}</bdi>
        </li>
      ))}
      {problems.length > SHOWN ? <li>{problems.length - SHOWN} more are in the evidence.</li> : null}
    </ul>
  );
}
