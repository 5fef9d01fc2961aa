import type { OperationProblem } from "@app-registry/sdk";
import { controlEnd } from "../../control/controlWaits.ts";
import type { AccountControl } from "../../control/readAccountControl.ts";

/** What is known of a wallet's control of a DID. */
export type ControlState =
  /** The chain has not answered. */
  | { kind: "unread" }
  | { kind: "unchecked" }
  /** `until`: when the last attestation that it rests on expires, Unix seconds; undefined where it rests on none. */
  | { kind: "holds"; until: number | undefined }
  /** It is attested, and only time or another controller gives it control. */
  | { kind: "waits"; control: AccountControl }
  | { kind: "failed"; problem: OperationProblem };

/** What the chain says, and what the last check found, as one state. What the chain says comes first. */
export function toControlState(
  control: AccountControl | undefined,
  problem: OperationProblem | undefined,
): ControlState {
  if (control?.controller.controls) return { kind: "holds", until: controlEnd(control) };
  if (problem !== undefined) return { kind: "failed", problem };
  if (control === undefined) return { kind: "unread" };
  return control.controller.attested ? { kind: "waits", control } : { kind: "unchecked" };
}
