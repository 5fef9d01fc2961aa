import type { ReactNode } from "react";
import { factNames, factTexts } from "../../components/record/facts.ts";
import styles from "./ServiceList.module.css";
import { ServiceRow } from "./ServiceRow.tsx";
import type { ServiceEntry } from "./searchServices.ts";

type ServiceListProps = {
  rows: ServiceEntry[];
  /** What the list is: a count, a title. */
  caption: ReactNode;
};

/** Records as dense rows, with the order of the marks said once. */
export function ServiceList({ rows, caption }: ServiceListProps) {
  return (
    <div className={styles.frame}>
      <div className={styles.head}>
        {caption}
        <p className={styles.legend} aria-hidden="true">
          Marks: {factNames.map((name) => factTexts[name].label.toLowerCase()).join(", ")}
        </p>
      </div>
      <ol className={styles.list}>
        {rows.map((entry) => (
          <ServiceRow key={entry.result.tokenId} entry={entry} />
        ))}
      </ol>
    </div>
  );
}
