import type { Attestation, Block, IssuerState, Outcome, ResolverPolicy } from "@app-registry/sdk";
import { Fragment, type ReactNode } from "react";
import type { Address } from "viem";
import type { AccountNames } from "../../components/record/facts.tsx";
import { AddressText, shortHex, TimeText } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";
import { controlSpan, controlWaits } from "../../lib/control/controlWaits.ts";
import type { AccountControl } from "../../lib/control/readAccountControl.ts";
import { attestationState, durationText } from "./attestationState.ts";
import styles from "./control.module.css";
import { WaitList } from "./WaitList.tsx";

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
      <span className="soft">{children}</span>
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

type TermsProps = { control: AccountControl; names: AccountNames };

/** Says since and until when an account controls a DID, who attests it, and what another account needs to remove it. */
export function ControlTerms({ control, names }: TermsProps) {
  const { controls, inCharge, score, resistance } = control.controller;
  const span = controls ? controlSpan(control) : undefined;
  // The statements of a retired issuer still count until they expire.
  const issuers = control.issuers.filter(({ status }) => status === "active" || status === "retired").length;
  const needed = resistance + 1;
  const backing = score === 0 ? "No issuer backs" : score === 1 ? "1 issuer backs" : `${score} issuers back`;
  return (
    <>
      {span === undefined ? null : (
        <p>
          Since <TimeText seconds={span.since} />, until <TimeText seconds={span.until} />, attested by{" "}
          {span.issuers.map((issuer, index) => (
            <Fragment key={issuer}>
              {index === 0 ? "" : ", "}
              {names[issuer] === undefined ? (
                <code title={issuer}>{shortHex(issuer)}</code>
              ) : (
                <bdi>{names[issuer]}</bdi>
              )}
            </Fragment>
          ))}
          .
        </p>
      )}
      {inCharge ? (
        <p>
          {backing} this account{controls ? "" : " now"}.{" "}
          {needed > issuers
            ? `No other account can ${controls ? "remove" : "replace"} it now: that takes ${needed} issuers, and this registry has ${issuers}.`
            : `To ${controls ? "remove" : "replace"} it, at least ${needed} must back another account.`}
        </p>
      ) : null}
    </>
  );
}

/** State of an account in words, with the color of its mark if that isn't the outcome's. */
function controlState({ controller, block }: AccountControl): {
  word: string;
  outcome: Outcome;
  color?: string;
} {
  if (controller.controls) return { word: "Controls the DID", outcome: "pass" };
  // A block is what controllers do about others. It is no fault of the service.
  if (block !== undefined) {
    return { word: "Blocked from control of the DID", outcome: "unknown", color: "var(--ink-3)" };
  }
  if (controller.attested) return { word: "Waiting for control of the DID", outcome: "unknown" };
  return { word: "Does not control the DID", outcome: "fail" };
}

/** Shows whether an account controls a DID, on what terms or why not, and its attestations in a fold. */
export function ControlAnswer({ control, names, children }: TermsProps & { children?: ReactNode }) {
  const { attestations, issuers, block, controller, policy } = control;
  const { word, outcome, color } = controlState(control);
  const waits = controlWaits(control);
  return (
    <>
      <p className="bar" role="status">
        <StatusMark outcome={outcome} color={color} />
        <span className="strong">{word}</span>
        {children}
      </p>
      <ControlTerms control={control} names={names} />
      <WaitList control={control} />
      {/* The list of waits says until when a waiting account is blocked. */}
      {block === undefined || (controller.attested && controller.blockedUntil !== undefined) ? null : (
        <p>
          <BlockText block={block} policy={policy} />
        </p>
      )}
      <details className="fold" open={!controller.controls && waits.length === 0}>
        <summary>Attestations ({attestations.length})</summary>
        <AttestationList {...{ attestations, issuers, names }} />
      </details>
    </>
  );
}

/** Describes a block: its start, its end and the condition that ends it early. */
function BlockText({ block, policy }: { block: Block; policy: ResolverPolicy }) {
  const { blockedAt, blockedUntil, weight } = block;
  return (
    <>
      A controller blocked this account on <TimeText seconds={blockedAt} />, until{" "}
      <TimeText seconds={blockedUntil} />. The block ends early if at least {weight + 1} issuers attest the
      account and their attestations have been matured for {durationText(policy.challengePeriod)}.
    </>
  );
}
