import type { Attestation, IssuerState } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { attestationState, relativeTime } from "./attestationState.ts";

const attestation: Attestation = {
  issuer: `0x${"1".repeat(40)}`,
  startedAt: 1_000,
  statedAt: 1_000,
  maturesAt: 2_000,
  expiresAt: 9_000,
  endedAt: undefined,
  revokedAt: undefined,
  live: true,
  matured: true,
  overdue: false,
  blocked: false,
};
const over = { live: false, matured: false };
const distrusted: IssuerState = {
  issuer: attestation.issuer,
  status: "distrusted",
  addedAt: 10,
  distrustedSince: 900,
  seatFreeAt: 99_999,
};

describe("attestationState", () => {
  it.each<[string, Partial<Attestation>, string]>([
    ["a matured attestation", {}, "Matured: began 1000, expires 9000"],
    [
      "an attestation that has not matured",
      { matured: false },
      "Waiting: began 1000, matures 2000, expires 9000",
    ],
    [
      "an attestation that expires before it matures because of distrust",
      { matured: false, expiresAt: 1_500 },
      "Expires before maturing: began 1000, expires 1500",
    ],
    [
      "an attestation in its renewal grace",
      { ...over, overdue: true },
      "Renewal overdue: began 1000, expired 9000, renew by 613800",
    ],
    ["an expired attestation", over, "Expired: began 1000, expired 9000"],
    [
      "an attestation that expired before it was revoked",
      { ...over, endedAt: 9_500 },
      "Expired: began 1000, expired 9000",
    ],
    ["an ended attestation", { ...over, endedAt: 3_000 }, "Ended: began 1000, ended 3000"],
    ["an account that was revoked without an attestation", { ...over, startedAt: 0 }, "Revoked: on 1000"],
  ])("describes %s", (_, changes, text) => {
    const { word, dates } = attestationState({ ...attestation, ...changes }, undefined);
    expect(`${word}: ${dates.map(({ term, at }) => `${term} ${at}`).join(", ")}`).toBe(text);
  });

  it("returns Void with a note if the issuer is distrusted", () => {
    const voided = {
      ...attestation,
      ...over,
      startedAt: 0,
      maturesAt: 0,
      expiresAt: 0,
    };
    expect(attestationState(voided, { ...distrusted, distrustedSince: 0 }).dates).toEqual([]);
    expect(attestationState(voided, distrusted)).toEqual({
      word: "Void",
      note: "the issuer is distrusted",
      dates: [{ term: "since", at: 900 }],
    });
  });
});

it.each([
  [30, "in less than a minute"],
  [60, "in 1 minute"],
  [172_800, "in 2 days"],
  [172_799, "in 1 day 23 hours"],
  [90_061, "in 1 day 1 hour"],
  [3_600 + 119, "in 1 hour 1 minute"],
  [-7_200, "2 hours ago"],
  [0, "less than a minute ago"],
])("relativeTime describes a time %d seconds away as %s", (away, text) => {
  expect(relativeTime(1_800_000_000 + away, 1_800_000_000)).toBe(text);
});
