import type { ReactNode } from "react";
import styles from "./explore.module.css";
import { findLookalikeContracts } from "./findLookalikeContracts.ts";
import { ServiceRow } from "./ServiceRow.tsx";
import type { ServiceEntry } from "./searchServices.ts";

type ServiceListProps = {
  rows: ServiceEntry[];
  /** Title or count of the list. */
  caption?: ReactNode;
  /** False for services that are named only because they resemble another one. */
  hasFacts?: boolean;
};

/** A list of services. Its heading says once which texts of the rows are claims. */
export function ServiceList({ rows, caption, hasFacts = true }: ServiceListProps) {
  const alike = findLookalikeContracts(rows.map(({ result }) => result));
  return (
    <div className={styles.frame} data-list>
      <div className={styles.listHead}>
        {caption}
        <p className="quiet" data-claims-label>
          Claimed by publishers, not verified: texts in “quotes”
        </p>
      </div>
      <ol className={styles.list}>
        {rows.map((entry) => (
          <ServiceRow
            key={entry.result.tokenId}
            entry={entry}
            alike={alike.get(entry.result.tokenId)}
            hasFacts={hasFacts}
          />
        ))}
      </ol>
    </div>
  );
}
