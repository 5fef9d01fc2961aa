import type { Attestation, IssuerState } from "@app-registry/sdk";
import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { controlWaits } from "./controlWaits.ts";
import type { AccountControl } from "./readAccountControl.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const now = 1_800_000_000;
const author = `0x${"b".repeat(40)}` as Address;
const issuerOf = (number: number) => `0x${String(number).padStart(40, "0")}` as Address;

const issuer = (number: number, status: IssuerState["status"] = "active"): IssuerState => ({
  issuer: issuerOf(number),
  status,
  addedAt: now - 400 * DAY,
  distrustedSince: undefined,
  seatFreeAt: undefined,
});

/** An attestation that began `age` ago, and settles two days after that. */
const attestation = (number: number, age: number, changes: Partial<Attestation> = {}): Attestation => ({
  issuer: issuerOf(number),
  startedAt: now - age,
  statedAt: now - age,
  settlesAt: now - age + 2 * DAY,
  expiresAt: now - age + 365 * DAY,
  endedAt: undefined,
  vouched: false,
  live: true,
  settled: age >= 2 * DAY,
  held: true,
  ...changes,
});

function control(
  attestations: Attestation[],
  {
    objections = [],
    issuers = [issuer(1)],
    ...changes
  }: Partial<AccountControl & AccountControl["controller"]> = {},
): AccountControl {
  const live = attestations.filter((entry) => entry.live);
  const settling = live.flatMap(({ settlesAt }) => settlesAt ?? []);
  const objected = objections.some(({ inForce }) => inForce);
  return {
    account: `0x${"a".repeat(40)}`,
    now,
    attestations,
    objections,
    issuers,
    policy: { maxTtl: 365 * DAY, maturation: 2 * DAY, challengePeriod: 7 * DAY },
    controller: {
      counts: !objected && live.some(({ settled, vouched }) => settled || vouched),
      attested: live.length > 0,
      objected,
      late: false,
      settlesAt: settling.length > 0 ? Math.min(...settling) : undefined,
      score: 0,
      standing: 0,
      ...changes,
    },
  };
}

describe("an account without objections", () => {
  it("waits for nothing once it counts", () => {
    expect(controlWaits(control([attestation(1, 3 * DAY)]))).toEqual([]);
  });

  it("waits for nothing that is known, while nobody attested it", () => {
    expect(controlWaits(control([]))).toEqual([]);
  });

  it("waits until the first of its attestations settles", () => {
    const attestations = [attestation(1, HOUR), attestation(2, 5 * HOUR)];
    expect(controlWaits(control(attestations))).toEqual([
      { kind: "settling", until: now + 2 * DAY - 5 * HOUR },
    ]);
  });

  it("is told when its attestation expires before it settles", () => {
    const attestations = [attestation(1, HOUR, { settlesAt: undefined, expiresAt: now + DAY })];
    expect(controlWaits(control(attestations))).toEqual([{ kind: "never-settles", expiresAt: now + DAY }]);
  });

  it("loses nothing for a week after its attestation expired", () => {
    const late = attestation(1, 366 * DAY, { live: false, settled: false });
    const expiredAt = now - DAY;
    expect(controlWaits(control([late], { late: true }))).toEqual([
      { kind: "late", expiredAt, until: expiredAt + 7 * DAY, barred: false },
    ]);
  });

  it("is late beside another issuer's attestation that has not settled", () => {
    const late = attestation(1, 366 * DAY, { live: false, settled: false });
    const kinds = controlWaits(control([late, attestation(2, HOUR)], { late: true })).map(({ kind }) => kind);
    expect(kinds).toEqual(["late", "settling"]);
  });

  it("is attested again two days after an issuer ended its attestation", () => {
    const ended = { endedAt: now - HOUR, live: false, settled: false, held: false };
    expect(controlWaits(control([attestation(1, 9 * DAY, ended)]))).toEqual([
      { kind: "revoked", issuer: issuerOf(1), endedAt: now - HOUR, until: now - HOUR + 2 * DAY },
    ]);
    const longAgo = { ...ended, endedAt: now - 2 * DAY };
    expect(controlWaits(control([attestation(1, 9 * DAY, longAgo)]))).toEqual([]);
  });

  it("does not wait for an issuer that can attest no more", () => {
    const ended = { endedAt: now - HOUR, live: false, settled: false, held: false };
    const issuers = [issuer(1, "retired"), issuer(2)];
    expect(controlWaits(control([attestation(1, 9 * DAY, ended)], { issuers }))).toEqual([]);
  });
});

describe("an account that is objected to", () => {
  const objectedAt = now - 3 * DAY;
  const by = (standing: number, inForce = true) => ({
    objections: [{ author, objectedAt, standing, inForce }],
  });

  it("does not wait for an objection that is not in force", () => {
    expect(controlWaits(control([attestation(1, 20 * DAY)], by(0, false)))).toEqual([]);
  });

  it("waits for one issuer more than those behind the author", () => {
    const attestations = [attestation(1, 3 * DAY), attestation(2, HOUR)];
    const issuers = [issuer(1), issuer(2)];
    expect(controlWaits(control(attestations, { ...by(1), issuers }))).toEqual([
      { kind: "objected", author, objectedAt, standing: 1, missing: 0, until: now + 9 * DAY - HOUR },
    ]);
  });

  it("has a late attestation overrule the objection too, which bars it while it is in force", () => {
    const over = { live: false, settled: false, settlesAt: now - DAY, expiresAt: now - HOUR };
    const attestations = [attestation(1, 3 * DAY, over), attestation(2, HOUR)];
    const issuers = [issuer(1), issuer(2)];
    expect(controlWaits(control(attestations, { ...by(1), issuers, late: true }))).toEqual([
      { kind: "late", expiredAt: now - HOUR, until: now - HOUR + 7 * DAY, barred: true },
      { kind: "settling", until: now - HOUR + 2 * DAY },
      { kind: "objected", author, objectedAt, standing: 1, missing: 0, until: now + 9 * DAY - HOUR },
    ]);
  });

  it("counts at once when it renews what had settled before the objection", () => {
    const late = attestation(1, 366 * DAY, { live: false, settled: false });
    const expiredAt = now - DAY;
    expect(controlWaits(control([late], { ...by(1), late: true }))).toMatchObject([
      { kind: "late", expiredAt, until: expiredAt + 7 * DAY, barred: false },
      { kind: "objected", missing: 1 },
    ]);
  });

  it("counts an issuer that has yet to attest it from now on", () => {
    const [wait] = controlWaits(
      control([attestation(1, 3 * DAY)], { ...by(1), issuers: [issuer(1), issuer(2)] }),
    );
    expect(wait).toMatchObject({ missing: 1, until: now + 9 * DAY });
  });

  it("knows no time while there are too few issuers", () => {
    const issuers = [issuer(1), issuer(2, "retired")];
    const [wait] = controlWaits(control([attestation(1, 3 * DAY)], { ...by(1), issuers }));
    expect(wait).toMatchObject({ missing: 1, until: undefined });
  });
});
