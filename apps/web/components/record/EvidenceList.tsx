import styles from "./EvidenceList.module.css";
import { TimeText } from "./TimeText.tsx";
import { visibleText } from "./visibleText.ts";

/** Deeper evidence is shown as JSON. */
const MAX_DEPTH = 3;

type EvidenceListProps = {
  /** Names and values; times in Unix seconds under names that end in "At" or "From". */
  evidence: Record<string, unknown>;
  depth?: number;
};

/** `expectedHash` becomes "expected hash". */
function words(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

/** Whether a value takes lines of its own. */
function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : typeof value === "object" && value !== null;
}

function asJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === "bigint" ? item.toString() : item)) ?? "none";
}

function Value({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "number" && /(At|From)$/.test(name) && value > 0) return <TimeText seconds={value} />;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return <bdi className={styles.value}>{visibleText(String(value))}</bdi>;
  if (depth >= MAX_DEPTH) return <bdi className={styles.value}>{visibleText(asJson(value))}</bdi>;
  if (!Array.isArray(value))
    return <EvidenceList evidence={value as Record<string, unknown>} depth={depth + 1} />;
  if (value.length === 0) return "none";
  return (
    <ul className={styles.items}>
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no identity and never changes
        <li key={index}>
          <Value name="" value={item} depth={depth} />
        </li>
      ))}
    </ul>
  );
}

/** The values that an outcome rests on, as they were seen. */
export function EvidenceList({ evidence, depth = 0 }: EvidenceListProps) {
  return (
    <dl className={styles.list}>
      {Object.entries(evidence).map(([key, value]) => (
        <div key={key} className={isNested(value) ? styles.nested : undefined}>
          <dt>{words(key)}</dt>
          <dd>
            <Value name={key} value={value} depth={depth} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
