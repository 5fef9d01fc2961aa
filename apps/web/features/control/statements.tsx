import type { Attestation, Block, IssuerState } from "@app-registry/sdk";
import type { ReactNode } from "react";
import type { Address } from "viem";
import type { AccountNames } from "../../components/record/FactLine.tsx";
import { AddressText } from "../../components/record/identifiers.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { controlSpan } from "../../lib/control/controlWaits.ts";
import type { AccountControl } from "../../lib/control/readAccountControl.ts";
import { attestationState } from "./attestationState.ts";
import styles from "./control.module.css";

interface StatementProps {
  /** State of the statement in one word. */
  word: string;
  account: Address;
  /** Text before the account: "by issuer". */
  by?: string;
  /** Operator's name for the account. */
  name?: string | undefined;
  /** True if the statement is still in effect. */
  live?: boolean;
  /** Dates of the statement. */
  children: ReactNode;
}

/** Renders one line of a list of statements. */
export function Statement({ word, account, by, name, live, children }: StatementProps) {
  return (
    <li data-live={live}>
      <span className="strong">{word}</span>
      <span className="row">
        {by} {name === undefined ? null : <bdi className="strong">{name}</bdi>}{" "}
        <AddressText address={account} />
      </span>
      <span className={styles.dates}>{children}</span>
    </li>
  );
}

/** Renders a list of statements, or nothing without any. */
export function Statements({ label, children }: { label: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <ul className={`ruled ${styles.list}`} aria-label={label}>
      {children}
    </ul>
  );
}

interface AttestationListProps {
  attestations: readonly Attestation[];
  issuers: readonly IssuerState[];
  /** Operator's names for issuers. */
  names: AccountNames;
}

/** Lists the issuers' attestations of an account, one per line. */
export function AttestationList({ attestations, issuers, names }: AttestationListProps) {
  if (attestations.length === 0) return <p>No issuer has attested this account.</p>;
  return (
    <Statements label="Attestations">
      {attestations.map((attestation) => {
        const { live, issuer: account } = attestation;
        const issuer = issuers.find((candidate) => candidate.issuer === account);
        const { word, note, dates } = attestationState(attestation, issuer);
        return (
          <Statement key={account} {...{ word, account, live }} by="by issuer" name={names[account]}>
            {note === undefined ? null : `${note} `}
            {dates.map(({ term, at }, index) => (
              <span key={term}>
                {index === 0 ? "" : ", "}
                {term} <TimeText seconds={at} />
              </span>
            ))}
            {issuer?.status === "retired" ? "; the issuer is retired" : ""}
            {issuer?.status === "distrusted" && note === undefined ? "; the issuer is distrusted" : ""}
          </Statement>
        );
      })}
    </Statements>
  );
}

/** Says since and until when an account controls a DID, and how many issuers another account needs to remove it. */
export function ControlTerms({ control }: { control: AccountControl }) {
  const { controls, inCharge, score, resistance } = control.controller;
  const span = controls ? controlSpan(control) : undefined;
  const backing = score === 0 ? "No issuer backs" : score === 1 ? "1 issuer backs" : `${score} issuers back`;
  return (
    <>
      {span === undefined ? null : (
        <p>
          Since <TimeText seconds={span.since} />, until <TimeText seconds={span.until} />.
        </p>
      )}
      {inCharge ? (
        <p>
          {backing} this account. To remove it, more than {resistance} must back another account.
        </p>
      ) : null}
    </>
  );
}

/** Describes a block: its end, its start and the condition that ends it early. */
export function BlockText({ block }: { block: Block }) {
  const { blockedAt, blockedUntil, weight } = block;
  return (
    <>
      Blocked until <TimeText seconds={blockedUntil} />, since <TimeText seconds={blockedAt} />. The block no
      longer applies once more than {weight} {weight === 1 ? "issuer has" : "issuers have"} attestations of
      this account that matured a challenge period ago.
    </>
  );
}
