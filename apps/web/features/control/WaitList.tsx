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
        "Attested, and not settled yet",
        <>
          The attestation settles on {at(wait.until)}. Another account was attested for this DID before, so
          its controllers have until then to object.
        </>,
      ];
    case "never-settles":
      return [
        "Attested for too short a time",
        <>
          The attestation expires on {at(wait.expiresAt)}, before it settles. A new one can begin after that,
          or a controller can vouch now.
        </>,
      ];
    case "late":
      return [
        "The attestation has expired, and renewing it now loses nothing",
        <>
          It expired on {at(wait.expiredAt)}. Renewed before {at(wait.until)},{" "}
          {wait.barred
            ? "it keeps its age, and counts again once no objection bars it."
            : "it counts again at once, whoever objects meanwhile."}
        </>,
      ];
    case "revoked":
      return [
        "The attestation was ended",
        <>
          Its issuer <Account address={wait.issuer} /> can attest this account again on {at(wait.until)} at
          the latest.
        </>,
      ];
    case "objected":
      return [
        <>
          <Account address={wait.author} /> objects
        </>,
        <>
          Made on {at(wait.objectedAt)}, the objection bars the attestations that had not settled by then.{" "}
          <ObjectionEnd {...wait} now={now} />
        </>,
      ];
  }
}

type ObjectionEndProps = Extract<ControlWait, { kind: "objected" }> & { now: number };

function ObjectionEnd({ standing, until, missing, now }: ObjectionEndProps) {
  const needed = missing === 0 ? "" : ` (${missing} more than now)`;
  return (
    <>
      {standing} {standing === 1 ? "issuer stands" : "issuers stand"} behind it: it ends when none does any
      more, or once {standing + 1} have attested this account for 7 days after settling{needed}.{" "}
      {until === undefined ? (
        "There are not enough issuers for that."
      ) : (
        <>
          That is on <LocalTime seconds={until} now={now} /> at the earliest.
        </>
      )}{" "}
      Its author can end it at any time, by withdrawing it or by vouching.
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
