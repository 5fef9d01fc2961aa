import type { ReactNode } from "react";
import { StatusMark } from "./facts.tsx";
import styles from "./record.module.css";

type ProblemProps = {
  /** What happened, in one sentence. */
  title: string;
  /** Why, as far as it is known. */
  why?: ReactNode;
  /** What the person can do now: a sentence, links or buttons. */
  action?: ReactNode;
  /** Technical detail, folded away. */
  detail?: string | undefined;
  /** `fail`: a check failed; `unknown`: something did not answer; `neutral`: there is nothing to judge. */
  tone?: "fail" | "unknown" | "neutral";
  /** Heading level in the page's outline. */
  level?: 1 | 2 | 3;
};

/** Something that went wrong: what happened, why, what to do, and the technical detail one click away. */
export function Problem({ title, why, action, detail, tone = "fail", level = 2 }: ProblemProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.problem} data-tone={tone}>
      {tone === "neutral" ? null : (
        <div>
          <StatusMark outcome={tone} />
        </div>
      )}
      <div className="stack prose">
        <Heading className="subtitle anywhere">{title}</Heading>
        {why === undefined ? null : <div>{why}</div>}
        {action === undefined ? null : <div>{action}</div>}
        {detail === undefined || detail === "" ? null : (
          <details className="fold">
            <summary>Technical detail</summary>
            <pre>{detail}</pre>
          </details>
        )}
      </div>
    </section>
  );
}
