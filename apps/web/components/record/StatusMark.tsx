import type { ReactNode } from "react";
import { type Outcome, outcomeWords } from "./facts.ts";
import styles from "./StatusMark.module.css";

type StatusMarkProps = {
  outcome: Outcome;
  /** Names what was checked, e.g. "Control"; without it the mark is decoration beside a word. */
  name?: string;
};

/** Each outcome has a shape of its own: a disc, a diamond and a broken ring, so that colour is never alone. */
const shapes: Record<Outcome, ReactNode> = {
  pass: (
    <>
      <circle cx="8" cy="8" r="7" className={styles.solid} />
      <path d="M4.8 8.3l2.2 2.2 4.3-4.8" className={styles.cut} />
    </>
  ),
  fail: (
    <>
      <path d="M8 .6L15.4 8 8 15.4.6 8z" className={styles.solid} />
      <path d="M5.8 5.8l4.4 4.4m0-4.4l-4.4 4.4" className={styles.cut} />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.4" className={styles.ring} />
      <path d="M6.2 6.5c.1-1.1.8-1.8 1.9-1.8s1.8.7 1.8 1.6c0 1.3-1.8 1.4-1.8 2.7" className={styles.stroke} />
      <circle cx="8.1" cy="11.2" r=".9" className={styles.solid} />
    </>
  ),
};

/** The mark of one outcome. With a name it is an image that says "Control: pass". */
export function StatusMark({ outcome, name }: StatusMarkProps) {
  const drawing = {
    className: styles.mark,
    "data-outcome": outcome,
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
