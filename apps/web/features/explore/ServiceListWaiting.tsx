import styles from "./ServiceListWaiting.module.css";

const rows = ["first", "second", "third", "fourth", "fifth"];

/** The shape of a list while it is read. */
export function ServiceListWaiting({ asking }: { asking: string }) {
  return (
    <div aria-busy="true">
      <p className={styles.asking} role="status">
        {asking}
      </p>
      <ol className={styles.list}>
        {rows.map((row) => (
          <li key={row} className={styles.row}>
            <span className={styles.square} />
            <span className={styles.lines}>
              <span className={styles.name} />
              <span className={styles.text} />
              <span className={styles.text} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
