import { type Attestation, GRACE, OBJECTION_TIME, type Objection } from "@app-registry/sdk";
import type { Address } from "viem";
import type { AccountControl } from "./readAccountControl.ts";

/** Why an account does not count as a controller yet, and when that ends. Times are Unix seconds. */
export type ControlWait =
  /** It is attested, and counts once the attestation settles. */
  | { kind: "settling"; until: number }
  /** It is attested, but would expire before it settles. */
  | { kind: "never-settles"; expiresAt: number }
  /** It was attested, and can be renewed without loss before `until`; an objection may bar it all the same. */
  | { kind: "late"; expiredAt: number; until: number; barred: boolean }
  /** An issuer ended its attestation, and attests it again from `until`. */
  | { kind: "revoked"; issuer: Address; endedAt: number; until: number }
  | ({ kind: "objected" } & ObjectionEnd);

/** An objection in force, and what ends it. */
interface ObjectionEnd {
  author: Address;
  /** It bars the attestations that had not settled by then. */
  objectedAt: number;
  /** Number of issuers behind the author; more than these overrule it, and it is over once there are none. */
  standing: number;
  /** Earliest time at which it can be overruled; undefined when there are not enough issuers. */
  until: number | undefined;
  /** Number of issuers that must still attest the account for that. */
  missing: number;
}

/** What keeps an account from counting, in the order in which it can be dealt with; empty when nothing is known. */
export function controlWaits(control: AccountControl): ControlWait[] {
  if (control.controller.counts) return [];
  const objected = control.objections
    .filter(({ inForce }) => inForce)
    .map((objection): ControlWait => ({ kind: "objected", ...objectionEnd(control, objection) }));
  return [...attestationWaits(control), ...objected];
}

function attestationWaits(control: AccountControl): ControlWait[] {
  const { controller, attestations, now } = control;
  const waits = controller.late ? [lateWait(control)] : [];
  if (!controller.attested) return controller.late ? waits : revokedWaits(control);
  const live = attestations.filter((attestation) => attestation.live);
  if (live.some(({ settled, vouched }) => settled || vouched)) return waits;
  const { settlesAt } = controller;
  if (settlesAt !== undefined && settlesAt > now) return [...waits, { kind: "settling", until: settlesAt }];
  const expiresAt = Math.max(...live.map((attestation) => attestation.expiresAt));
  return [...waits, { kind: "never-settles", expiresAt }];
}

/** Whether it had settled, expired, and can be renewed without loss. */
export const isLate = ({ held, live }: Attestation): boolean => held && !live;

/** Of the attestations that are late, those that no objection bars, if there are any. */
function lateWait({ attestations, objections }: AccountControl): ControlWait {
  const objectedAt = objections.flatMap((objection) => (objection.inForce ? [objection.objectedAt] : []));
  const late = attestations.filter(isLate);
  const free = late.filter(({ settlesAt = 0 }) => objectedAt.every((at) => settlesAt <= at));
  const barred = free.length === 0;
  const expiredAt = Math.max(...(barred ? late : free).map(({ expiresAt }) => expiresAt));
  return { kind: "late", expiredAt, until: expiredAt + GRACE, barred };
}

/** Of the issuers that could attest it, the first that may do so again. */
function revokedWaits({ attestations, issuers, policy, now }: AccountControl): ControlWait[] {
  const active = activeIssuers(issuers);
  const [first] = attestations
    .filter(
      ({ issuer, live, endedAt = 0 }) => active.has(issuer) && !live && endedAt + policy.maturation > now,
    )
    .map(({ issuer, endedAt = 0 }) => ({ issuer, endedAt, until: endedAt + policy.maturation }))
    .toSorted((a, b) => a.until - b.until);
  return first === undefined ? [] : [{ kind: "revoked", ...first }];
}

/** When more issuers than stand behind its author may have attested the account for a week since settling. */
function objectionEnd(control: AccountControl, objection: Objection): ObjectionEnd {
  const { author, objectedAt, standing } = objection;
  const { attestations, issuers, policy, now } = control;
  const settling = attestations.filter(
    ({ held, settlesAt, expiresAt }) => held && settlesAt !== undefined && settlesAt < expiresAt,
  );
  const times = settling.map(({ settlesAt = 0 }) => settlesAt + OBJECTION_TIME).toSorted((a, b) => a - b);
  const missing = Math.max(0, standing + 1 - times.length);
  if (missing === 0) return { author, objectedAt, standing, missing, until: times[standing] };
  const attesting = new Set(settling.map(({ issuer }) => issuer));
  const others = [...activeIssuers(issuers)].filter((issuer) => !attesting.has(issuer));
  const until = Math.max(now + policy.maturation + OBJECTION_TIME, times.at(-1) ?? 0);
  return { author, objectedAt, standing, missing, until: others.length >= missing ? until : undefined };
}

const activeIssuers = (issuers: AccountControl["issuers"]): Set<Address> =>
  new Set(issuers.filter(({ status }) => status === "active").map(({ issuer }) => issuer));
