import { CopyButton } from "./CopyButton.tsx";
import styles from "./RawJson.module.css";

type RawJsonProps = {
  /** Any JSON value; shown indented. */
  value: unknown;
  /** What it is: "input schema". Names the fold and its copy button. */
  label: string;
  open?: boolean;
};

/** JSON as it stands in the record, folded away until it is asked for. */
export function RawJson({ value, label, open = false }: RawJsonProps) {
  const text = JSON.stringify(value, null, 2);
  return (
    <details className={styles.raw} open={open}>
      <summary>{label} as JSON</summary>
      <div className={styles.frame}>
        <div className={styles.copy}>
          <CopyButton text={text} label={`Copy ${label} as JSON`} withWord />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <pre className={styles.pre} tabIndex={0}>
          {text}
        </pre>
      </div>
    </details>
  );
}
