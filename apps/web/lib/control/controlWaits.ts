import { type Attestation, RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import type { Address } from "viem";
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
export const lastExpiry = (attestations: readonly Attestation[]): number =>
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
