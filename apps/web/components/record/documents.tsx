import { escapeInvisible } from "@app-registry/sdk/internal";
import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./record.module.css";

export type DefinitionLine = { term: string; value: ReactNode };

/** Section of `docs/concepts.md` that explains a term. */
export const glossary: Readonly<Record<string, string>> = {
  ...{ DID: "did", Interfaces: "interfaces", Traits: "trait", dataHash: "datahash" },
  ...{ Holder: "holder", Minter: "minter", Publisher: "publisher", Version: "version" },
};

/** Renders terms and values in two columns. Renders nothing without lines. */
export function DefinitionLines({ lines }: { lines: DefinitionLine[] }) {
  if (lines.length === 0) return null;
  return (
    <dl className="terms">
      {/* biome-ignore-start lint/suspicious/noArrayIndexKey: terms may repeat, and the list never changes */}
      {lines.flatMap(({ term, value }, index) => [
        <dt key={`term ${index}`}>
          {glossary[term] === undefined ? term : <a href={`/docs/concepts#${glossary[term]}`}>{term}</a>}
        </dt>,
        <dd key={`value ${index}`}>{value}</dd>,
      ])}
      {/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */}
    </dl>
  );
}

type CopyBlockProps = {
  /** Text to copy, unchanged. */
  text: string;
  /** Caption above the text. */
  caption: string;
};

/** Renders a text to copy: a command, a configuration or a URL. */
export function CopyBlock({ text, caption }: CopyBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className="quiet">
        <span className="anywhere">{caption}</span>
        <CopyButton text={text} label={`Copy: ${caption}`} withWord />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

type RawJsonProps = {
  /** Any JSON value. */
  value: unknown;
  /** Name of the fold and its copy button: "Input schema". */
  label: string;
};

/** Renders indented JSON in a fold. */
export function RawJson({ value, label }: RawJsonProps) {
  return (
    <details className="fold">
      <summary>{label} as JSON</summary>
      <CopyBlock text={escapeInvisible(JSON.stringify(value, null, 2))} caption={`${label} as JSON`} />
    </details>
  );
}
