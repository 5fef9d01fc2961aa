import { type Attestation, RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import type { Address } from "viem";
import type { AccountControl } from "./readAccountControl.ts";

/** Reason why an account does not control a DID yet, and when that ends. Times are Unix seconds. */
export type ControlWait =
  /** A controller blocked it. `controlsFrom`: when it controls the DID if nobody acts; undefined if it never will. */
  | { kind: "blocked"; until: number; controlsFrom: number | undefined }
  /** It was attested, and can be renewed without loss before `until`. */
  | { kind: "overdue"; expiredAt: number; until: number }
  /** It is attested, and controls the DID from `until` on if nobody acts. */
  | { kind: "maturing"; until: number }
  /** It is attested, but would expire before it matures. */
  | { kind: "expires-first"; expiresAt: number }
  /** An issuer ended its attestation, and attests it again from `until`. */
  | { kind: "revoked"; issuer: Address; until: number };

/** Returns what keeps an account from control, in the order in which it can be dealt with; empty if nothing is known. */
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

/** Returns when the last attestation that gives control expires, Unix seconds; `undefined` without one. */
export function controlEnd({ attestations }: Pick<AccountControl, "attestations">): number | undefined {
  const giving = attestations.filter(({ matured, blocked }) => matured && !blocked);
  return giving.length === 0 ? undefined : lastExpiry(giving);
}

/** Returns when the last of some attestations expires, Unix seconds. */
export const lastExpiry = (attestations: readonly Attestation[]): number =>
  Math.max(...attestations.map(({ expiresAt }) => expiresAt));

function overdueWait({ attestations }: AccountControl): ControlWait {
  const expiredAt = lastExpiry(attestations.filter(({ overdue, blocked }) => overdue && !blocked));
  return { kind: "overdue", expiredAt, until: expiredAt + RENEWAL_GRACE_SECONDS };
}

/** Returns the first of the issuers that could attest the account again. */
function revokedWaits({ attestations, issuers, policy, now }: AccountControl): ControlWait[] {
  const active = new Set(issuers.filter(({ status }) => status === "active").map(({ issuer }) => issuer));
  const [first] = attestations
    .filter(({ issuer }) => active.has(issuer))
    .map(({ issuer, revokedAt = 0 }) => ({ issuer, until: revokedAt + policy.maturation }))
    .filter(({ until }) => until > now)
    .toSorted((a, b) => a.until - b.until);
  return first === undefined ? [] : [{ kind: "revoked", ...first }];
}
