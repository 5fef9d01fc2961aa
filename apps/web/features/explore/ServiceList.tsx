import { factNames, factTexts } from "@app-registry/sdk/internal";
import Link from "next/link";
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
  /** The chain doesn't respond, so that the facts were not checked now. */
  isLastKnown?: boolean;
};

type OrderLinksProps = {
  label?: string;
  orders: readonly { label: string; href: string; isCurrent: boolean }[];
};

/** Links to a list in each of its orders. */
export const OrderLinks = ({ label, orders }: OrderLinksProps) => (
  <nav className="bar" aria-label="Order">
    {label === undefined ? null : <span className="quiet">{label}</span>}
    {orders.map(({ label, href, isCurrent }) => (
      <Link
        key={label}
        className={isCurrent ? "strong" : undefined}
        href={href}
        aria-current={isCurrent ? "true" : undefined}
        prefetch={false}
        scroll={false}
      >
        {label}
      </Link>
    ))}
  </nav>
);

/** A list of services. Its heading says once which texts of the rows are claims, and names the six marks. */
export function ServiceList({ rows, caption, hasFacts = true, isLastKnown = false }: ServiceListProps) {
  const alike = findLookalikeContracts(rows.map(({ result }) => result));
  return (
    <div className={styles.frame} data-list>
      <div className={styles.listHead}>
        <div className="row">{caption}</div>
        <p className="quiet" data-claims-label>
          Claimed by publishers, not verified: texts in “quotes”
        </p>
        {hasFacts ? (
          <p className={`small soft ${styles.six}`} aria-hidden="true">
            {factNames.map((name) => (
              <span key={name}>{factTexts[name].label}</span>
            ))}
          </p>
        ) : null}
      </div>
      <ol>
        {rows.map((entry) => (
          <ServiceRow
            key={entry.result.tokenId}
            entry={entry}
            alike={alike.get(entry.result.tokenId)}
            hasFacts={hasFacts}
            isLastKnown={isLastKnown}
          />
        ))}
      </ol>
    </div>
  );
}
