import type { Outcome } from "@app-registry/sdk";
import { markShapes, outcomeWords } from "../../lib/record/facts.ts";
import styles from "./record.module.css";

type StatusMarkProps = {
  outcome: Outcome;
  /** Checked fact, such as "Control". Without it, the mark is decorative. */
  name?: string;
  /** Color instead of the outcome's. */
  color?: string | undefined;
};

/** Renders the mark of an outcome. With a name, its alternative text is "Control: pass". */
export function StatusMark({ outcome, name, color = `var(--${outcome})` }: StatusMarkProps) {
  const { solid, line } = markShapes[outcome];
  const drawing = { className: styles.mark, viewBox: "0 0 16 16", width: 16, height: 16 };
  const shape = (
    <>
      {solid === undefined ? null : <path d={solid} fill={color} />}
      <path d={line} fill="none" stroke={solid === undefined ? color : "var(--paper)"} strokeWidth={1.7} />
    </>
  );
  if (name === undefined) {
    return (
      <svg {...drawing} aria-hidden="true">
        {shape}
      </svg>
    );
  }
  const label = `${name}: ${outcomeWords[outcome].toLowerCase()}`;
  return (
    <svg {...drawing} role="img" aria-label={label}>
      <title>{label}</title>
      {shape}
    </svg>
  );
}
