import type { OperationProblem } from "@app-registry/sdk";
import type { AccountControl } from "../../control/readAccountControl.ts";

/** What is known of a wallet's control of a DID. */
export type ControlState =
  /** The chain has not answered. */
  | { kind: "unread" }
  | { kind: "unchecked" }
  /** `until`: when the last attestation that it rests on expires, Unix seconds; undefined where it rests on none. */
  | { kind: "holds"; until: number | undefined }
  /** It is attested, and only time or another controller lets it count. */
  | { kind: "waits"; control: AccountControl }
  | { kind: "failed"; problem: OperationProblem };

/** What the chain says, and what the last check found, as one state. What the chain says comes first. */
export function controlStateOf(
  control: AccountControl | undefined,
  problem: OperationProblem | undefined,
): ControlState {
  if (control?.controller.counts) {
    const ends = control.attestations
      .filter(({ live, settled, vouched }) => live && (settled || vouched))
      .map(({ expiresAt }) => expiresAt);
    return { kind: "holds", until: ends.length === 0 ? undefined : Math.max(...ends) };
  }
  if (problem !== undefined) return { kind: "failed", problem };
  if (control === undefined) return { kind: "unread" };
  return control.controller.attested ? { kind: "waits", control } : { kind: "unchecked" };
}
