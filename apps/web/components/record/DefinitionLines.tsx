import type { ReactNode } from "react";
import styles from "./DefinitionLines.module.css";

export type DefinitionLine = { term: string; value: ReactNode };

/** Terms and values in two columns; nothing when there are none. */
export function DefinitionLines({ lines }: { lines: DefinitionLine[] }) {
  if (lines.length === 0) return null;
  return (
    <dl className={styles.lines}>
      {lines.map(({ term, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: terms may repeat, and the list never changes
        <div key={index}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
