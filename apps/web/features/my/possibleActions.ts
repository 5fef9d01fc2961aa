import type { AppStatus } from "@app-registry/sdk";
import { getRenewalTime } from "@app-registry/sdk/internal";
import { type Address, isAddressEqual } from "viem";
import { type AccountControl, challengeWeights, controlWaits } from "../../lib/control/accountControl.ts";
import { isoTime } from "../../lib/record/times.ts";
import type { MyDid, MyRecord } from "./readMyDids.ts";

/** Action of a wallet with the reason it is not possible. Without a reason it is possible. */
export interface ActionAvailability<Id extends string> {
  id: Id;
  reason: string | undefined;
}

export type RecordAction =
  | "publish"
  | "activate"
  | "deprecate"
  | "replace"
  | "transfer"
  | "dismissReclaims"
  | "openReclaim"
  | "finishReclaim";

/**
 * Returns true if the wallet holds a record or has the minter's part in it, and so may publish its versions while it
 * controls the DID.
 */
export const isPublisher = ({ account }: AccountControl, { summary, hasMinterLost }: MyRecord): boolean =>
  isAddressEqual(summary.owner, account) || (isAddressEqual(summary.minter, account) && !hasMinterLost);

/** Lists the wallet's actions on a record. Omits the current status and reclaim actions that do not apply. */
export function recordActions(control: AccountControl, record: MyRecord): ActionAvailability<RecordAction>[] {
  const { summary, hasMinterLost, reclaim, otherReclaims } = record;
  const isHolder = isAddressEqual(summary.owner, control.account);
  const mayPublish = isPublisher(control, record);
  const isMinter = isAddressEqual(summary.minter, control.account);
  const stranger = mayPublish ? undefined : isMinter ? LOST : NEITHER;
  // A holder reclaims its own record to end the part of a minter that is another account.
  const hasNoClaim = isHolder && (isMinter || hasMinterLost);
  const uncontrolled = explainMissingControl(control);
  const status = (id: RecordAction, to: AppStatus, reason: string | undefined) =>
    summary.status === to ? [] : [{ id, reason }];
  return [
    // Publishing starts with a check of control by an issuer, so it is offered without control.
    { id: "publish", reason: stranger },
    ...status("activate", 0, stranger ?? uncontrolled),
    // Any current controller may deprecate or replace a record of its DID, but only a publisher can name a successor.
    ...status("deprecate", 1, uncontrolled),
    ...status("replace", 2, uncontrolled ?? (mayPublish ? undefined : NO_SUCCESSOR)),
    { id: "transfer", reason: isHolder ? undefined : "Only the token's holder can do this." },
    ...(otherReclaims.length === 0
      ? []
      : [{ id: "dismissReclaims" as const, reason: stranger ?? uncontrolled }]),
    ...(hasNoClaim && reclaim === undefined ? [] : [reclaimAction(control, record)]),
  ];
}

const NEITHER = "Only the record's minter or holder can do this. This wallet is neither.";
const LOST = "Another account reclaimed this record, which ended this wallet's part in it as the minter.";

/**
 * Reason that a controller without publishing rights is not offered "Replaced", which the chain allows: the record
 * would name no successor.
 */
export const NO_SUCCESSOR =
  "Naming a successor requires a new version, which only the record's minter or holder can publish. This wallet is neither.";

export type DidAction = "renew" | "challenge";

export type Action = DidAction | RecordAction;

const urgentActions: readonly Action[] = ["dismissReclaims", "finishReclaim", "renew"];

/** Returns the possible actions to offer first: the urgent ones, or else the next version. */
export function nextActions(actions: readonly ActionAvailability<Action>[]): Action[] {
  const possible = actions.filter(({ reason }) => reason === undefined).map(({ id }) => id);
  const urgent = possible.filter((id) => urgentActions.includes(id));
  return urgent.length > 0 ? urgent : possible.filter((id) => id === "publish");
}

/** Lists the wallet's actions on its control of a DID. */
export function didActions({ control, others, challenges }: MyDid): ActionAvailability<DidAction>[] {
  return [
    { id: "renew", reason: explainNoRenewal(control) },
    { id: "challenge", reason: explainNoChallenge(control, others, challenges) },
  ];
}

/** Returns the reason a challenge can't be won now, or `undefined` if it can. */
export function explainUnresolvable(
  challenge: MyDid["challenges"][number],
  { control, others }: Pick<MyDid, "control" | "others">,
): string | undefined {
  const { resolvableFrom } = challenge;
  if (control.now < resolvableFrom) return `The challenge can be resolved from ${isoTime(resolvableFrom)}.`;
  const { score, resistance } = challengeWeights(challenge, [control, ...others]);
  return score > resistance
    ? undefined
    : `To win, more issuers must back the challenger than the challenged controller. Currently ${score} to ${resistance}.`;
}

/** Returns the reason a wallet does not control a DID and when that changes, or `undefined` if it does. */
export function explainMissingControl(control: AccountControl): string | undefined {
  if (control.controller.controls) return undefined;
  const [wait] = controlWaits(control);
  switch (wait?.kind) {
    case "blocked":
      return `A controller of this DID has blocked this wallet until ${isoTime(wait.until)}.`;
    case "maturing":
      return `This wallet's control takes effect on ${isoTime(wait.until)} unless a controller blocks it.`;
    case "overdue":
      return `This wallet's attestation expired on ${isoTime(wait.expiredAt)}. Renew the attestation by ${isoTime(wait.until)}.`;
    case "expires-first":
      return `This wallet's attestation expires on ${isoTime(wait.expiresAt)}, before it matures.`;
    case "revoked":
      return `This wallet's attestation was ended. The issuer can attest this wallet again from ${isoTime(wait.until)}.`;
    default:
      return "No issuer attests that this wallet controls the DID.";
  }
}

function explainNoRenewal(control: AccountControl): string | undefined {
  const { issuers, attestations, policy, now } = control;
  const active = new Set(issuers.filter(({ status }) => status === "active").map(({ issuer }) => issuer));
  if (active.size === 0) return "There is no active issuer.";
  const starts = attestations
    .filter(({ live, issuer }) => live && active.has(issuer))
    .map(({ expiresAt }) => getRenewalTime(expiresAt, policy.maxTtl));
  const from = starts.length === 0 ? 0 : Math.max(...starts);
  if (now < from) return `No renewal needed yet. Issuers renew this attestation from ${isoTime(from)}.`;
  const revoked = controlWaits(control).find((wait) => wait.kind === "revoked");
  return revoked && explainMissingControl(control);
}

function explainNoChallenge(
  { account, controller }: AccountControl,
  others: readonly AccountControl[],
  challenges: MyDid["challenges"],
): string | undefined {
  if (controller.score === 0) return "Only a wallet with a matured attestation can challenge a controller.";
  if (!others.some((other) => other.controller.resistance > 0))
    return "No other account is attested for this DID.";
  return challengeable(account, others, challenges).length > 0
    ? undefined
    : "This wallet has already challenged every other account.";
}

/** Returns the accounts that the wallet can challenge. */
export const challengeable = (
  wallet: Address,
  others: readonly AccountControl[],
  challenges: MyDid["challenges"],
): AccountControl[] =>
  others.filter(
    ({ account, controller }) =>
      controller.resistance > 0 &&
      !challenges.some(
        ({ challenger, incumbent }) =>
          isAddressEqual(challenger, wallet) && isAddressEqual(incumbent, account),
      ),
  );

function reclaimAction(
  control: AccountControl,
  { reclaim, resistedBy }: MyRecord,
): ActionAvailability<"openReclaim" | "finishReclaim"> {
  const reason =
    resistedBy === undefined
      ? explainMissingControl(control)
      : `${resistedBy} holds or minted the record, and controls the DID or did in the last 7 days.`;
  if (reclaim === undefined) return { id: "openReclaim", reason };
  const { finishableFrom, expiresAt } = reclaim;
  const wait = `Your reclaim can be finished from ${isoTime(finishableFrom)} until ${isoTime(expiresAt)}.`;
  return { id: "finishReclaim", reason: control.now < finishableFrom ? wait : reason };
}
