"use client";

import type { ReactNode } from "react";
import type { Address } from "viem";
import { StatusMark } from "../../components/record/facts.tsx";
import { shortHex } from "../../components/record/labels.tsx";
import { relativeTime } from "./attestationState.ts";
import { type ControlWait, controlWaits } from "./controlWaits.ts";
import type { AccountControl } from "./readAccountControl.ts";

/** Why an account does not count as a controller yet, and until when; nothing when the resolver knows no reason. */
export function WaitList({ control }: { control: AccountControl }) {
  const waits = controlWaits(control);
  if (waits.length === 0) return null;
  return (
    <ul className="stack2">
      {waits.map((wait) => {
        const [title, why] = waitTexts(wait, control.now);
        return (
          <li key={wait.kind === "objected" ? wait.author : wait.kind} className="marked">
            <StatusMark outcome={wait.kind === "objected" ? "fail" : "unknown"} />
            <div>
              <p className="strong">{title}</p>
              <p>{why}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Account({ address }: { address: Address }) {
  return (
    <code title={address} translate="no">
      {shortHex(address)}
    </code>
  );
}

/** What an account waits for, and why. `now` is the chain's time, in Unix seconds. */
function waitTexts(wait: ControlWait, now: number): [title: ReactNode, why: ReactNode] {
  const at = (seconds: number) => <LocalTime seconds={seconds} now={now} />;
  switch (wait.kind) {
    case "settling":
      return [
        "In the waiting period",
        <>
          The attestation matures on {at(wait.until)}. Another account was attested for this DID before, so
          its controllers have until then to object.
        </>,
      ];
    case "never-settles":
      return [
        "The attestation is too short",
        <>
          The attestation expires on {at(wait.expiresAt)}, before it matures. A new one can begin after that,
          or a controller can vouch now.
        </>,
      ];
    case "late":
      return [
        "The attestation has expired: renew it now",
        <>
          It expired on {at(wait.expiredAt)}. If renewed before {at(wait.until)},{" "}
          {wait.barred
            ? "it keeps its original start date and takes effect again once no objection blocks it."
            : "it takes effect again immediately, even if someone objects in the meantime."}
        </>,
      ];
    case "revoked":
      return [
        "The attestation was ended",
        <>
          Issuer <Account address={wait.issuer} /> can attest this account again by {at(wait.until)} at the
          latest.
        </>,
      ];
    case "objected":
      return [
        <>
          <Account address={wait.author} /> objects
        </>,
        <>
          This objection, made on {at(wait.objectedAt)}, blocks attestations that had not matured by then.{" "}
          <ObjectionEnd {...wait} now={now} />
        </>,
      ];
  }
}

type ObjectionEndProps = Extract<ControlWait, { kind: "objected" }> & { now: number };

function ObjectionEnd({ standing, until, missing, now }: ObjectionEndProps) {
  const needed = missing === 0 ? "" : ` (${missing} more than today)`;
  return (
    <>
      {standing} {standing === 1 ? "issuer backs" : "issuers back"} the objector. The objection ends when none
      does, or when {standing + 1} issuers have attestations of this account that matured at least 7 days ago
      {needed}.{" "}
      {until === undefined ? (
        "There are not enough issuers to overrule it."
      ) : (
        <>
          Earliest possible date: <LocalTime seconds={until} now={now} />.
        </>
      )}{" "}
      The objector can end it at any time by withdrawing it or vouching.
    </>
  );
}

const format = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

type LocalTimeProps = {
  /** Unix seconds. */
  seconds: number;
  /** The chain's time, Unix seconds: how far away it is from then. */
  now: number;
};

/** A moment that a person waits for, by their own clock, and how far away it is. Only for parts drawn in the browser. */
export function LocalTime({ seconds, now }: LocalTimeProps) {
  const date = new Date(seconds * 1_000);
  return (
    <>
      <time dateTime={date.toISOString()}>{format.format(date)}</time> ({relativeTime(seconds, now)})
    </>
  );
}
