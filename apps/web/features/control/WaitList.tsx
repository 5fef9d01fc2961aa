"use client";

import type { Address } from "viem";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import { type ControlWait, controlWaits } from "./controlWaits.ts";
import { LocalTime } from "./LocalTime.tsx";
import type { AccountControl } from "./readAccountControl.ts";
import styles from "./WaitList.module.css";

/** Why an account does not count as a controller yet, and until when; nothing when the resolver knows no reason. */
export function WaitList({ control }: { control: AccountControl }) {
  const waits = controlWaits(control);
  if (waits.length === 0) return null;
  return (
    <ul className={styles.list}>
      {waits.map((wait) => (
        <li key={wait.kind === "objected" ? wait.author : wait.kind}>
          <StatusMark outcome={wait.kind === "objected" ? "fail" : "unknown"} />
          <div>
            <Wait wait={wait} now={control.now} />
          </div>
        </li>
      ))}
    </ul>
  );
}

const short = (address: Address): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

const issuers = (count: number): string => (count === 1 ? "1 issuer" : `${count} issuers`);

function Account({ address }: { address: Address }) {
  return (
    <code title={address} translate="no">
      {short(address)}
    </code>
  );
}

function Wait({ wait, now }: { wait: ControlWait; now: number }) {
  switch (wait.kind) {
    case "settling":
      return (
        <>
          <p className={styles.title}>Your attestation has not settled yet</p>
          <p>
            It settles on <LocalTime seconds={wait.until} now={now} />. Somebody was attested for this DID
            before you, so its controllers have until then to object.
          </p>
        </>
      );
    case "never-settles":
      return (
        <>
          <p className={styles.title}>Your attestation expires before it settles</p>
          <p>
            It expires on <LocalTime seconds={wait.expiresAt} now={now} />. Ask for a new one after that, or
            have a controller vouch for you now.
          </p>
        </>
      );
    case "late":
      return (
        <>
          <p className={styles.title}>Your attestation has expired</p>
          <p>
            It expired on <LocalTime seconds={wait.expiredAt} now={now} />. Renew it before{" "}
            <LocalTime seconds={wait.until} now={now} />, and you lose nothing: you count again at once, and
            nobody can object until then.
          </p>
        </>
      );
    case "revoked":
      return (
        <>
          <p className={styles.title}>Your attestation was ended</p>
          <p>
            Issuer <Account address={wait.issuer} /> attests you again from{" "}
            <LocalTime seconds={wait.until} now={now} /> at the latest. It ended its attestation{" "}
            <LocalTime seconds={wait.endedAt} now={now} />.
          </p>
        </>
      );
    case "objected":
      return (
        <>
          <p className={styles.title}>
            <Account address={wait.author} /> objects to you
          </p>
          <p>
            <ObjectionEnd {...wait} now={now} /> Until then only its author can end it, by withdrawing it or
            by vouching for you.
          </p>
        </>
      );
  }
}

type ObjectionEndProps = Extract<ControlWait, { kind: "objected" }> & { now: number };

function ObjectionEnd({ standing, until, missing, now }: ObjectionEndProps) {
  const needed =
    standing === 0
      ? "Its author has lost its attestations, so it falls once 1 issuer"
      : `${issuers(standing)} ${standing === 1 ? "attests" : "attest"} its author, so it falls once ${issuers(standing + 1)}`;
  return (
    <>
      {needed} {standing === 0 ? "has" : "have"} attested you for 7 days after settling
      {missing === 0 ? "" : `; ${missing} more ${missing === 1 ? "has" : "have"} to`}.{" "}
      {until === undefined ? (
        "There are not enough issuers for that now."
      ) : (
        <>
          That is on <LocalTime seconds={until} now={now} /> at the earliest.
        </>
      )}
    </>
  );
}
