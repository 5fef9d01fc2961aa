import type { ReactNode } from "react";
import styles from "./explore.module.css";
import { findLookalikeContracts } from "./findLookalikeContracts.ts";
import { ServiceRow } from "./ServiceRow.tsx";
import type { ServiceEntry } from "./searchServices.ts";

type ServiceListProps = {
  rows: ServiceEntry[];
  /** Title or count of the list. */
  caption: ReactNode;
};

/** A list of services under three column headings, which stay in sight while the list scrolls. */
export function ServiceList({ rows, caption }: ServiceListProps) {
  const alike = findLookalikeContracts(rows.map(({ result }) => result));
  return (
    <div className={styles.frame} data-list>
      <div className={styles.head}>{caption}</div>
      <div className={styles.columns}>
        <p>Proven</p>
        <p data-claims-label>Claimed by the publisher (not verified)</p>
        <p>Checks</p>
      </div>
      <ol className={styles.list}>
        {rows.map((entry) => (
          <ServiceRow key={entry.result.tokenId} entry={entry} alike={alike.get(entry.result.tokenId)} />
        ))}
      </ol>
    </div>
  );
}
