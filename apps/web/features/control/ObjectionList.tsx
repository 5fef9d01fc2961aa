import type { Objection } from "@app-registry/sdk";
import { AddressText } from "../../components/record/AddressText.tsx";
import { TimeText } from "../../components/record/TimeText.tsx";
import styles from "./StatementList.module.css";

const behind = (standing: number): string =>
  standing === 0
    ? "No issuer stands behind its author any more."
    : `${standing} ${standing === 1 ? "issuer stands" : "issuers stand"} behind its author.`;

/** Who objects to an account, since when, and how much that weighs. */
export function ObjectionList({ objections }: { objections: readonly Objection[] }) {
  if (objections.length === 0) return <p>Nobody objects to it.</p>;
  return (
    <ul className={styles.list} aria-label="Objections">
      {objections.map(({ author, objectedAt, standing, inForce }) => (
        <li key={author} data-live={inForce}>
          <span className={styles.word}>{inForce ? "Objects" : standing === 0 ? "Over" : "Overruled"}</span>
          <AddressText address={author} />
          <span className={styles.dates}>
            since <TimeText seconds={objectedAt} />. {behind(standing)}
          </span>
        </li>
      ))}
    </ul>
  );
}
