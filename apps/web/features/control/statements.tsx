import type { Attestation, IssuerState, Objection } from "@app-registry/sdk";
import { AddressText } from "../../components/record/identifiers.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { attestationState } from "./attestationState.ts";
import styles from "./control.module.css";

interface AttestationListProps {
  attestations: readonly Attestation[];
  issuers: readonly IssuerState[];
}

/** What each issuer stated of an account, one line each. */
export function AttestationList({ attestations, issuers }: AttestationListProps) {
  if (attestations.length === 0) return <p>No issuer has attested it.</p>;
  return (
    <ul className={styles.list} aria-label="Attestations">
      {attestations.map((attestation) => {
        const issuer = issuers.find((candidate) => candidate.issuer === attestation.issuer);
        const { word, note, dates } = attestationState(attestation, issuer);
        return (
          <li key={attestation.issuer} data-live={attestation.live}>
            <span className="strong">{word}</span>
            <span className="row">
              <span>by issuer</span> <AddressText address={attestation.issuer} />
            </span>
            <span className={styles.dates}>
              {note === undefined ? null : `${note} `}
              {dates.map(({ term, at }, index) => (
                <span key={term}>
                  {index === 0 ? "" : ", "}
                  {term} <TimeText seconds={at} />
                </span>
              ))}
              {attestation.live && attestation.vouched ? ", vouched for" : ""}
              {issuer?.status === "retired" ? "; the issuer is retired" : ""}
              {issuer?.status === "distrusted" && note === undefined ? "; the issuer is distrusted" : ""}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

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
          <span className="strong">{inForce ? "Objects" : standing === 0 ? "Over" : "Overruled"}</span>
          <AddressText address={author} />
          <span className={styles.dates}>
            since <TimeText seconds={objectedAt} />. {behind(standing)}
          </span>
        </li>
      ))}
    </ul>
  );
}
