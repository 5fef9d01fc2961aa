import type { Attestation, IssuerState } from "@app-registry/sdk";
import { AddressText } from "../../components/record/AddressText.tsx";
import { TimeText } from "../../components/record/TimeText.tsx";
import { attestationState } from "./attestationState.ts";
import styles from "./StatementList.module.css";

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
            <span className={styles.word}>{word}</span>
            <span className={styles.who}>
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
