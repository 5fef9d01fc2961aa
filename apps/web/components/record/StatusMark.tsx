import type { Outcome } from "@app-registry/sdk";
import { markShapes } from "../../lib/record/facts.ts";
import styles from "./record.module.css";

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
