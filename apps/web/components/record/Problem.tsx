import type { Outcome } from "@app-registry/sdk";
import type { ReactNode } from "react";
import { markShapes } from "../../lib/record/facts.ts";
import styles from "./record.module.css";

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

type StatusMarkProps = {
  outcome: Outcome;
  /** Alternative text, such as "Control: pass". Without it, the mark is decorative. */
  label?: string;
  /** Color instead of the outcome's. */
  color?: string | undefined;
};

/** Renders the mark of an outcome. */
export function StatusMark({ outcome, label, color = `var(--${outcome})` }: StatusMarkProps) {
  const { solid, line } = markShapes[outcome];
  const drawing = { className: styles.mark, viewBox: "0 0 16 16", width: 16, height: 16 };
  const shape = (
    <>
      {solid === undefined ? null : <path d={solid} fill={color} />}
      <path d={line} fill="none" stroke={solid === undefined ? color : "var(--paper)"} strokeWidth={1.7} />
    </>
  );
  if (label === undefined) {
    return (
      <svg {...drawing} aria-hidden="true">
        {shape}
      </svg>
    );
  }
  return (
    <svg {...drawing} role="img" aria-label={label}>
      <title>{label}</title>
      {shape}
    </svg>
  );
}
