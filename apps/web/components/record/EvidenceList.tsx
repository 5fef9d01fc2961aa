import styles from "./EvidenceList.module.css";
import { visibleText } from "./visibleText.ts";

/** `expectedHash` becomes "expected hash". */
function words(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

function valueText(value: unknown): string {
  if (typeof value === "string") return visibleText(value);
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value === null) return "none";
  return visibleText(
    JSON.stringify(value, (_, item) => (typeof item === "bigint" ? item.toString() : item)) ?? "none",
  );
}

/** The values that an outcome rests on, as they were seen. */
export function EvidenceList({ evidence }: { evidence: Record<string, unknown> }) {
  return (
    <dl className={styles.list}>
      {Object.entries(evidence).map(([key, value]) => (
        <div key={key}>
          <dt>{words(key)}</dt>
          <dd>
            <bdi>{valueText(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
