import type { ReactNode } from "react";
import { type Outcome, outcomeWords } from "../../lib/record/facts.ts";
import styles from "./record.module.css";

type StatusMarkProps = {
  outcome: Outcome;
  /** Checked fact, such as "Control". Without it, the mark is decorative. */
  name?: string;
  /** Uses the text color. */
  quiet?: boolean;
};

/** Shape of each outcome, so that color is not the only difference: a disc, a diamond and a broken ring. */
const shapes: Record<Outcome, ReactNode> = {
  pass: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M4.8 8.3l2.2 2.2 4.3-4.8" fill="none" stroke="var(--paper)" strokeWidth={1.8} />
    </>
  ),
  fail: (
    <>
      <path d="M8 .6L15.4 8 8 15.4.6 8z" fill="currentColor" />
      <path d="M5.8 5.8l4.4 4.4m0-4.4l-4.4 4.4" fill="none" stroke="var(--paper)" strokeWidth={1.8} />
    </>
  ),
  unknown: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.4"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.3}
        strokeDasharray="3.2 1.827"
      />
      <path
        d="M6.2 6.5c.1-1.1.8-1.8 1.9-1.8s1.8.7 1.8 1.6c0 1.3-1.8 1.4-1.8 2.7"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.4}
        strokeLinecap="round"
      />
      <circle cx="8.1" cy="11.2" r=".9" fill="currentColor" />
    </>
  ),
};

/** Renders the mark of an outcome. With a name, its alternative text is "Control: pass". */
export function StatusMark({ outcome, name, quiet = false }: StatusMarkProps) {
  const drawing = {
    className: styles.mark,
    style: { color: quiet ? "var(--ink-3)" : `var(--${outcome})` },
    viewBox: "0 0 16 16",
    width: 16,
    height: 16,
  };
  if (name === undefined) {
    return (
      <svg {...drawing} aria-hidden="true">
        {shapes[outcome]}
      </svg>
    );
  }
  const label = `${name}: ${outcomeWords[outcome].toLowerCase()}`;
  return (
    <svg {...drawing} role="img" aria-label={label}>
      <title>{label}</title>
      {shapes[outcome]}
    </svg>
  );
}
