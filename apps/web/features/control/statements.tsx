import type { Attestation, Block, IssuerState, Outcome, ResolverPolicy } from "@app-registry/sdk";
import { Fragment, type ReactNode } from "react";
import type { Address } from "viem";
import type { AccountNames } from "../../components/record/facts.tsx";
import {
  AddressedText,
  AddressText,
  shortHex,
  TimedText,
  TimeText,
} from "../../components/record/labels.tsx";
import { Problem, StatusMark } from "../../components/record/Problem.tsx";
import {
  type AccountControl,
  type ControlWait,
  controlSpan,
  controlWaits,
} from "../../lib/control/accountControl.ts";
import { attestationState, durationText, relativeTime } from "./attestationState.ts";
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
                <code className="anywhere">{issuer}</code>
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
      {attestations.length === 0 ? (
        <p>No issuer has attested this account.</p>
      ) : (
        <details className="fold" open={!controller.controls && waits.length === 0}>
          <summary>Attestations ({attestations.length})</summary>
          <AttestationList {...{ attestations, issuers, names }} />
        </details>
      )}
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

/** Shows why an account does not control a DID yet and until when. Renders nothing if the resolver gives no reason. */
export function WaitList({ control }: { control: AccountControl }) {
  const waits = controlWaits(control);
  if (waits.length === 0) return null;
  return (
    <ul className="stack2">
      {waits.map((wait) => {
        const [title, why] = waitTexts(wait, control);
        return (
          <li key={wait.kind}>
            <p>{title}</p>
            <p className="quiet">{why}</p>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the title and explanation of a wait. */
function waitTexts(wait: ControlWait, { now, policy }: AccountControl): [title: ReactNode, why: ReactNode] {
  const at = (seconds: number) => (
    <>
      <TimeText seconds={seconds} /> ({relativeTime(seconds, now)})
    </>
  );
  switch (wait.kind) {
    case "maturing":
      return [
        <>Control takes effect on {at(wait.until)}</>,
        <>
          Another account was attested for this DID first, so this one waits {durationText(policy.maturation)}{" "}
          (up to twice as long soon after the first attestation). A controller can block it until then.
        </>,
      ];
    case "expires-first":
      return [
        "The attestation is too short",
        <>
          The attestation expires on {at(wait.expiresAt)}, before it matures. A new attestation can begin
          after that.
        </>,
      ];
    case "overdue":
      return [
        "The attestation has expired",
        <>
          The attestation expired on {at(wait.expiredAt)}. Its account can have it renewed before{" "}
          {at(wait.until)}: control then takes effect immediately, and nobody can block this account until
          then.
        </>,
      ];
    case "revoked":
      return [
        "The attestation was ended",
        <>
          Issuer{" "}
          <code title={wait.issuer} translate="no">
            {shortHex(wait.issuer)}
          </code>{" "}
          can attest this account again by {at(wait.until)} at the latest.
        </>,
      ];
    case "blocked":
      return [
        <>Blocked until {at(wait.until)}</>,
        <>
          A controller of this DID has blocked this account, and can extend or end the block.{" "}
          {wait.controlsFrom === undefined ? (
            "The account's attestation expires before the block ends."
          ) : (
            <>If nobody acts, control takes effect on {at(wait.controlsFrom)}.</>
          )}
        </>,
      ];
  }
}

type WaitNoticeProps = { title: string; why: string; level?: 2 | 3; action?: ReactNode };

/** Renders a notice about a waiting account. */
export const WaitNotice = ({ title, why, ...notice }: WaitNoticeProps) => (
  <Problem tone="unknown" title={<TimedText text={title} />} why={<AddressedText text={why} />} {...notice} />
);
