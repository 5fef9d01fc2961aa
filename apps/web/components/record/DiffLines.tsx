import { visibleText } from "@app-registry/sdk";
import styles from "./record.module.css";

/** Lines of a diff: `-` for what is registered, `+` for what is served, as text of a stranger. */
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
