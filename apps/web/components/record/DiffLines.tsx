import { visibleText } from "@app-registry/sdk";
import styles from "./record.module.css";

/** Renders the lines of a diff as untrusted text: `-` is the registered version, `+` the served one. */
export function DiffLines({ lines }: { lines: readonly string[] }) {
  return (
    <div className="stack small">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity and never change
        <DiffLine key={index} line={line} />
      ))}
    </div>
  );
}

function DiffLine({ line }: { line: string }) {
  const text = visibleText(line);
  if (line.startsWith("-")) return <del className={styles.before}>{text}</del>;
  if (line.startsWith("+")) return <ins className={styles.after}>{text}</ins>;
  return <p>{text}</p>;
}
