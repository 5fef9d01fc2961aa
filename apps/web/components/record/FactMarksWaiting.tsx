import marks from "./FactMarks.module.css";
import styles from "./FactMarksWaiting.module.css";
import { factNames } from "./facts.ts";

/** The places of the five marks while they are checked. */
export function FactMarksWaiting() {
  return (
    <span className={marks.marks}>
      <span className="visuallyHidden">Being checked</span>
      {factNames.map((name) => (
        <span key={name} className={styles.place} />
      ))}
    </span>
  );
}
