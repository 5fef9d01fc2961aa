import type { ReactNode } from "react";
import styles from "./LedgerSection.module.css";

type LedgerSectionProps = {
  /** Stands in the margin. */
  title: string;
  /** Anchor, so that the section can be linked. */
  id?: string;
  /** A line under the title: a count, an explanation. */
  note?: ReactNode;
  children: ReactNode;
};

/** A section of a record: a hairline, its name in the margin, its content beside it. */
export function LedgerSection({ title, id, note, children }: LedgerSectionProps) {
  return (
    <section className={styles.section} id={id}>
      <div className={styles.margin}>
        <h2 className={styles.title}>{title}</h2>
        {note === undefined ? null : <div className={styles.note}>{note}</div>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  );
}
