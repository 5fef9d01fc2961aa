import type { ReactNode } from "react";
import { StatusMark } from "./StatusMark.tsx";

type ProblemProps = {
  /** Statement of the problem, in one sentence. */
  title: ReactNode;
  /** Cause, if it is known. */
  why?: ReactNode;
  /** Next step: a sentence, links or buttons. */
  action?: ReactNode;
  /** Technical detail, in a fold. */
  detail?: string | undefined;
  /** `fail`: a check failed; `unknown`: something did not respond; `neutral`: neither. */
  tone?: "fail" | "unknown" | "neutral";
  /** Heading level. */
  level?: 1 | 2 | 3;
};

/** Renders a problem: what happened, why, what to do, and the technical detail in a fold. */
export function Problem({ title, why, action, detail, tone = "fail", level = 2 }: ProblemProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={tone === "neutral" ? "notice" : "notice marked"} data-tone={tone}>
      {tone === "neutral" ? null : <StatusMark outcome={tone} />}
      <div className="stack">
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
