import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./record.module.css";

export type DefinitionLine = { term: string; value: ReactNode };

/** Terms and values in two columns; nothing when there are none. */
export function DefinitionLines({ lines }: { lines: DefinitionLine[] }) {
  if (lines.length === 0) return null;
  return (
    <dl className="terms">
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

type CopyBlockProps = {
  /** The text, exactly as it is to be pasted. */
  text: string;
  /** Caption above it: where it belongs. */
  caption: string;
};

/** A block to copy: a command, a configuration, a URL. */
export function CopyBlock({ text, caption }: CopyBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className="quiet">
        <span>{caption}</span>
        <CopyButton text={text} label={`Copy: ${caption}`} withWord />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

type RawJsonProps = {
  /** Any JSON value; shown indented. */
  value: unknown;
  /** What it is: "Input schema". Names the fold and its copy button. */
  label: string;
};

/** JSON as it stands in the record, folded away until a person asks for it. */
export function RawJson({ value, label }: RawJsonProps) {
  return (
    <details className="fold">
      <summary>{label} as JSON</summary>
      <CopyBlock text={JSON.stringify(value, null, 2)} caption={`${label} as JSON`} />
    </details>
  );
}
