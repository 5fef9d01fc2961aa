import type { ReactNode } from "react";
import styles from "./explore.module.css";
import { findLookalikeContracts } from "./findLookalikeContracts.ts";
import { ServiceRow } from "./ServiceRow.tsx";
import type { ServiceEntry } from "./searchServices.ts";

type ServiceListProps = {
  rows: ServiceEntry[];
  /** What the list is: a count, a title. */
  caption: ReactNode;
};

/** Services as dense rows. */
export function ServiceList({ rows, caption }: ServiceListProps) {
  const alike = findLookalikeContracts(rows.map(({ result }) => result));
  return (
    <div className={styles.frame}>
      <div className={styles.head}>
        {caption}
        <p className="quiet">Each row names the facts that fail or are unknown.</p>
      </div>
      <ol className={styles.list}>
        {rows.map((entry) => (
          <ServiceRow key={entry.result.tokenId} entry={entry} alike={alike.get(entry.result.tokenId)} />
        ))}
      </ol>
    </div>
  );
}
