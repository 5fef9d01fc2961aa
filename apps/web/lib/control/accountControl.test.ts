import type { Attestation, IssuerState } from "@app-registry/sdk";
import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { type AccountControl, controlSpan, controlWaits } from "./accountControl.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const now = 1_800_000_000;
const getIssuer = (number: number) => `0x${String(number).padStart(40, "0")}` as Address;

const issuer = (number: number, status: IssuerState["status"] = "active"): IssuerState => ({
  issuer: getIssuer(number),
  status,
  addedAt: now - 400 * DAY,
  distrustedSince: undefined,
  seatFreeAt: undefined,
});

/** Creates an attestation that began `age` ago and matures after two days. */
const attestation = (number: number, age: number, changes: Partial<Attestation> = {}): Attestation => ({
  issuer: getIssuer(number),
  startedAt: now - age,
  statedAt: now - age,
  maturesAt: now - age + 2 * DAY,
  expiresAt: now - age + 365 * DAY,
  endedAt: undefined,
  revokedAt: undefined,
  live: true,
  matured: age >= 2 * DAY,
  overdue: false,
  blocked: false,
  ...changes,
});
const revoked = { endedAt: now - HOUR, revokedAt: now - HOUR, live: false, matured: false };
const overdue = attestation(1, 366 * DAY, { live: false, matured: false, overdue: true });

function control(
  attestations: Attestation[],
  { issuers = [issuer(1)], ...changes }: Partial<AccountControl & AccountControl["controller"]> = {},
): AccountControl {
  const giving = attestations.filter(({ blocked }) => !blocked);
  const controls = giving.some(({ matured }) => matured);
  const live = attestations.filter((one) => one.live);
  return {
    account: `0x${"a".repeat(40)}`,
    now,
    attestations,
    block: undefined,
    issuers,
    policy: { maxTtl: 365 * DAY, maturation: 2 * DAY, challengePeriod: 7 * DAY },
    controller: {
      controls,
      inCharge: controls || giving.some((one) => one.overdue),
      attested: live.length > 0,
      controlsFrom: live.length > 0 ? Math.min(...live.map(({ maturesAt }) => maturesAt)) : undefined,
      blockedUntil: undefined,
      score: 0,
      resistance: 0,
      ...changes,
    },
  };
}

describe("controlWaits", () => {
  it("returns nothing for an account that controls the DID", () => {
    expect(controlWaits(control([attestation(1, 3 * DAY)]))).toEqual([]);
  });

  it("returns nothing for an account without attestations, blocked or not", () => {
    expect(controlWaits(control([]))).toEqual([]);
    expect(controlWaits(control([], { blockedUntil: now + DAY }))).toEqual([]);
  });

  it("returns when control takes effect", () => {
    const attestations = [attestation(1, HOUR), attestation(2, 5 * HOUR)];
    expect(controlWaits(control(attestations))).toEqual([
      { kind: "maturing", until: now + 2 * DAY - 5 * HOUR },
    ]);
  });

  it("returns the expiry of an attestation that distrust of its issuer shortened too much to mature", () => {
    const attestations = [attestation(1, HOUR, { expiresAt: now + DAY })];
    expect(controlWaits(control(attestations, { controlsFrom: undefined }))).toEqual([
      { kind: "expires-first", expiresAt: now + DAY },
    ]);
  });

  it("returns the renewal deadline of an overdue attestation beside another issuer's maturing one", () => {
    const wait = { kind: "overdue", expiredAt: now - DAY, until: now + 6 * DAY };
    expect(controlWaits(control([overdue]))).toEqual([wait]);
    expect(controlWaits(control([overdue, attestation(2, HOUR)]))).toEqual([
      wait,
      { kind: "maturing", until: now + 2 * DAY - HOUR },
    ]);
  });

  it("returns when an issuer that revoked the account can attest it again", () => {
    expect(controlWaits(control([attestation(1, 9 * DAY, revoked)]))).toEqual([
      { kind: "revoked", issuer: getIssuer(1), until: now - HOUR + 2 * DAY },
    ]);
    const longAgo = { ...revoked, revokedAt: now - 2 * DAY };
    expect(controlWaits(control([attestation(1, 9 * DAY, longAgo)]))).toEqual([]);
  });

  it("ignores retired issuers", () => {
    const issuers = [issuer(1, "retired"), issuer(2)];
    expect(controlWaits(control([attestation(1, 9 * DAY, revoked)], { issuers }))).toEqual([]);
  });

  it("returns only the end of a block, with the time at which control takes effect after it", () => {
    const blocked = attestation(1, 3 * DAY, { blocked: true });
    const until = now + 20 * DAY;
    expect(controlWaits(control([blocked], { blockedUntil: until, controlsFrom: until }))).toEqual([
      { kind: "blocked", until, controlsFrom: until },
    ]);
  });
});

describe("controlSpan", () => {
  it("spans the matured attestations without a block", () => {
    const attestations = [
      attestation(1, 100 * DAY),
      attestation(2, 50 * DAY),
      attestation(3, HOUR),
      attestation(4, 3 * DAY, { blocked: true }),
    ];
    expect(controlSpan({ attestations })).toEqual({
      since: now - 98 * DAY,
      until: now + 315 * DAY,
      issuers: attestations.slice(0, 2).map(({ issuer }) => issuer),
    });
    expect(controlSpan({ attestations: attestations.slice(2) })).toBeUndefined();
  });
});
