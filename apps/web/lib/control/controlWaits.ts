import { type Attestation, RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import type { Address } from "viem";
import { z } from "zod";
import type { AccountControl } from "./readAccountControl.ts";

/** Reason an account does not control a DID yet, and its end. Times are in Unix seconds. */
export type ControlWait =
  /**
   * A controller blocked the account. `controlsFrom`: when control takes effect if nobody acts, or undefined if never.
   */
  | { kind: "blocked"; until: number; controlsFrom: number | undefined }
  /** The attestation expired, and can be renewed without a new waiting period before `until`. */
  | { kind: "overdue"; expiredAt: number; until: number }
  /** The account is attested, and controls the DID from `until` on if nobody acts. */
  | { kind: "maturing"; until: number }
  /** The attestation expires before it matures. */
  | { kind: "expires-first"; expiresAt: number }
  /** An issuer ended its attestation, and can attest the account again from `until`. */
  | { kind: "revoked"; issuer: Address; until: number };

/**
 * Returns the reasons an account has no control, in the order in which they can be resolved, or an empty list if there
 * is no known reason.
 */
export function controlWaits(control: AccountControl): ControlWait[] {
  const { controls, inCharge, attested, controlsFrom, blockedUntil } = control.controller;
  if (controls) return [];
  const overdue: ControlWait[] = inCharge ? [overdueWait(control)] : [];
  if (!attested) return inCharge ? overdue : revokedWaits(control);
  if (blockedUntil !== undefined) return [{ kind: "blocked", until: blockedUntil, controlsFrom }];
  if (controlsFrom !== undefined) return [...overdue, { kind: "maturing", until: controlsFrom }];
  const expiresAt = lastExpiry(control.attestations.filter(({ live }) => live));
  return [...overdue, { kind: "expires-first", expiresAt }];
}

/**
 * Returns when the first attestation that supports control matured and the last one expires, in Unix seconds, and their
 * issuers, or `undefined` without one.
 */
export function controlSpan({
  attestations,
}: Pick<AccountControl, "attestations">): { since: number; until: number; issuers: Address[] } | undefined {
  const giving = attestations.filter(({ matured, blocked }) => matured && !blocked);
  if (giving.length === 0) return undefined;
  return {
    since: Math.min(...giving.map(({ maturesAt }) => maturesAt)),
    until: lastExpiry(giving),
    issuers: giving.map(({ issuer }) => issuer),
  };
}

/** Returns the latest expiry among attestations, in Unix seconds. */
const lastExpiry = (attestations: readonly Attestation[]): number =>
  Math.max(...attestations.map(({ expiresAt }) => expiresAt));

function overdueWait({ attestations }: AccountControl): ControlWait {
  const expiredAt = lastExpiry(attestations.filter(({ overdue, blocked }) => overdue && !blocked));
  return { kind: "overdue", expiredAt, until: expiredAt + RENEWAL_GRACE_SECONDS };
}

/** Returns the issuer that can attest the account again first. */
function revokedWaits({ attestations, issuers, policy, now }: AccountControl): ControlWait[] {
  const active = new Set(issuers.filter(({ status }) => status === "active").map(({ issuer }) => issuer));
  const [first] = attestations
    .filter(({ issuer }) => active.has(issuer))
    .map(({ issuer, revokedAt = 0 }) => ({ issuer, until: revokedAt + policy.maturation }))
    .filter(({ until }) => until > now)
    .toSorted((a, b) => a.until - b.until);
  return first === undefined ? [] : [{ kind: "revoked", ...first }];
}

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<`0x${string}`>;
const time = z.int().nonnegative();

/** Account that issuers attest for a DID that it does not control yet. Times are in Unix seconds. */
export const newcomerSchema = z.object({
  did: z.string(),
  account: address,
  since: time.describe("When the earliest of the account's live attestations began."),
  changedAt: time.describe("When the account was last attested or blocked."),
  controlsFrom: time
    .nullable()
    .describe("When control takes effect if nobody acts, including any block; null if never."),
  blockedUntil: time.nullable().describe("When the block of the account ends; null without a block."),
  expiresAt: time.describe("When the account's last live attestation expires."),
});

export type Newcomer = z.output<typeof newcomerSchema>;

/** Converts an account's control to a newcomer, or returns `undefined` if the account is not waiting. */
export function toNewcomer(did: string, control: AccountControl): Newcomer | undefined {
  const { account, controller, attestations, block } = control;
  if (controller.controls || !controller.attested) return undefined;
  const live = attestations.filter((attestation) => attestation.live);
  return {
    did,
    account,
    since: Math.min(...live.map(({ startedAt }) => startedAt)),
    changedAt: Math.max(...live.map(({ statedAt }) => statedAt), block?.blockedAt ?? 0),
    controlsFrom: controller.controlsFrom ?? null,
    blockedUntil: controller.blockedUntil ?? null,
    expiresAt: lastExpiry(live),
  };
}

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();

type Waiting = Pick<Newcomer, "account" | "controlsFrom" | "blockedUntil">;

const effectText = ({ controlsFrom }: Waiting): string =>
  controlsFrom === null ? "" : ` Control takes effect on ${at(controlsFrom)}.`;

/** Returns the public notice about a waiting account. Times are in ISO 8601. */
export function newcomerTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  const title = "An account is requesting control of this DID";
  if (blockedUntil !== null) {
    return { title, why: `Account ${account} is blocked until ${at(blockedUntil)}.${effectText(newcomer)}` };
  }
  if (controlsFrom === null) {
    return { title, why: `The attestation of account ${account} expires before it matures.` };
  }
  const from = at(controlsFrom);
  return {
    title,
    why: `Control by account ${account} takes effect on ${from} unless a controller blocks it.`,
  };
}

/** Returns the warning to a controller about an account that waits or is blocked. */
export function warningTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  if (blockedUntil !== null) {
    const title = `An account is blocked from control of your DID until ${at(blockedUntil)}`;
    return { title, why: `Account ${account}.${effectText(newcomer)}` };
  }
  const waiting = "An account is waiting for control of your DID";
  if (controlsFrom === null) {
    return { title: waiting, why: `The attestation of account ${account} expires before it matures.` };
  }
  const title = `${waiting}: control takes effect on ${at(controlsFrom)} unless you block the account`;
  return { title, why: `An issuer attests account ${account}.` };
}
