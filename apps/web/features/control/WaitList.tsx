import type { ReactNode } from "react";
import { shortHex, TimeText } from "../../components/record/labels.tsx";
import { type ControlWait, controlWaits } from "../../lib/control/controlWaits.ts";
import type { AccountControl } from "../../lib/control/readAccountControl.ts";
import { durationText, relativeTime } from "./attestationState.ts";

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
