import type { AttestationWay, Did, Fact, OperationProblem, Outcome } from "@app-registry/sdk";
import { getDidContract } from "@app-registry/sdk/internal";
import { type Address, getAddress, type Hex } from "viem";
import { concat, pad, toFunctionSelector } from "viem/utils";
import { type AccountControl, controlSpan } from "../../../lib/control/accountControl.ts";

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

interface ControlTexts {
  outcome: Outcome;
  text: string;
  /** Text in the list of steps. */
  short: string;
  /** Reason of the fact *control* before publishing, if it differs from the text. */
  reason?: (wallet: Address) => string;
}

/** Texts of each state. */
export const controlTexts: Record<ControlState["kind"], ControlTexts> = {
  unread: { outcome: "unknown", text: "Checking the chain…", short: "checking the chain…" },
  unchecked: {
    outcome: "unknown",
    text: "Not checked yet.",
    short: "control not checked",
    reason: () => "Not checked yet. We check control before you publish.",
  },
  holds: {
    outcome: "pass",
    text: "Your wallet controls this DID.",
    short: "",
    reason: (wallet) => `Your wallet ${wallet} controls the DID.`,
  },
  waits: {
    outcome: "unknown",
    text: "Your wallet is attested, but its control is not in effect yet.",
    short: "control not in effect yet",
  },
  failed: {
    outcome: "fail",
    text: "Control not proven. See the reason below.",
    short: "control not proven",
    reason: (wallet) => `Your wallet ${wallet} does not control the DID.`,
  },
};

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

/** Returns the fact *control* as the page would show it if the wallet published now. */
export function toControlFact(state: ControlState, wallet: Address | undefined): Fact {
  if (wallet === undefined)
    return { outcome: "unknown", reason: "Connect the wallet you'll publish with.", evidence: {} };
  const { outcome, text, reason = () => text } = controlTexts[state.kind];
  const until = state.kind === "holds" ? state.until : undefined;
  const accounts = [{ address: wallet, controls: outcome === "pass" }];
  const evidence = { accounts, ...(until !== undefined && { expiresAt: until }) };
  return { outcome, reason: reason(wallet), evidence: outcome === "unknown" ? {} : evidence };
}

/** Time after which automatic checks end, in milliseconds. */
export const WATCH_TIME = 30 * 60_000;

/**
 * Returns the delay before the next automatic check, in milliseconds. It grows with each check to stay within the
 * issuer's limits.
 */
export const getPollingDelay = (looks: number): number => Math.min(60_000, 12_000 * 1.4 ** looks);

/** Call with which a contract's owner makes a wallet its owner. */
export interface OwnershipTransfer {
  /** Owner that the contract reports, or undefined if it reports no account that could make the call. */
  owner: Address | undefined;
  chainId: number;
  contract: Address;
  /** Readable form of the call: `transferOwnership(0x…)`. */
  call: string;
  data: Hex;
}

/** Encodes a call of a function whose parameters all have a fixed size. */
function encodeCall(
  name: string,
  types: string,
  values: readonly Hex[],
): Pick<OwnershipTransfer, "call" | "data"> {
  const data = concat([toFunctionSelector(`${name}(${types})`), ...values.map((value) => pad(value))]);
  return { call: `${name}(${values.join(", ")})`, data: data.toLowerCase() as Hex };
}

/**
 * Returns the call that would give a wallet control of a did:pkh, based on the last check that was tried. Returns
 * `undefined` if no single call does, for example for a proxy's admin.
 */
export function createOwnershipTransfer(
  did: string | Did,
  wallet: Address,
  ways: readonly AttestationWay[],
): OwnershipTransfer | undefined {
  const named = getDidContract(did);
  const { way, owner, missingRole } = ways.at(-1) ?? {};
  if (named === undefined) return undefined;
  const place = { chainId: named.chainId, contract: getAddress(named.address) };
  if (owner !== undefined && (way === "owner()" || way === "getOwner()"))
    return { owner, ...place, ...encodeCall("transferOwnership", "address", [wallet]) };
  return missingRole === undefined
    ? undefined
    : { owner: undefined, ...place, ...encodeCall("grantRole", "bytes32,address", [missingRole, wallet]) };
}
