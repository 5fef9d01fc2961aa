import styles from "./AppStatusText.module.css";

const words = { 0: "Active", 1: "Deprecated", 2: "Replaced" } as const;

/** A record's status. Its colours are ink only: green, amber and red belong to the facts. */
export function AppStatusText({ status }: { status: 0 | 1 | 2 }) {
  return (
    <span className={styles.status} data-status={status}>
      {words[status]}
    </span>
  );
}
