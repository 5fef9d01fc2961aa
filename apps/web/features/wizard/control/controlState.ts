import type { OperationProblem } from "@app-registry/sdk";
import { controlSpan } from "../../../lib/control/controlWaits.ts";
import type { AccountControl } from "../../../lib/control/readAccountControl.ts";

/** State of a wallet's control of a DID. */
export type ControlState =
  /** The chain has not responded. */
  | { kind: "unread" }
  | { kind: "unchecked" }
  /** `until`: expiry of the last supporting attestation in Unix seconds, or undefined without one. */
  | { kind: "holds"; until: number | undefined }
  /** The wallet is attested. Only time or another controller can give it control. */
  | { kind: "waits"; control: AccountControl }
  | { kind: "failed"; problem: OperationProblem };

/** Merges the chain's state with the problem of the last check. The chain takes precedence. */
export function toControlState(
  control: AccountControl | undefined,
  problem: OperationProblem | undefined,
): ControlState {
  if (control?.controller.controls) return { kind: "holds", until: controlSpan(control)?.until };
  if (problem !== undefined) return { kind: "failed", problem };
  if (control === undefined) return { kind: "unread" };
  return control.controller.attested ? { kind: "waits", control } : { kind: "unchecked" };
}
