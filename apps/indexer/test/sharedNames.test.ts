import { getNameKeys } from "@app-registry/index/document/keys";
import { sharedNames } from "@app-registry/index/lookup";
import { beforeAll, describe, expect, it } from "vitest";
import { appRow, documentLabels, fill, label, session } from "./harness/database.ts";

/** Returns true if two names are equal or look alike. */
function isShared(one: string, other: string): boolean {
  const [first, second] = [getNameKeys(one), getNameKeys(other)];
  return (
    (first.nameFolded !== null && first.nameFolded === second.nameFolded) ||
    (first.nameSkeleton !== null && first.nameSkeleton === second.nameSkeleton)
  );
}

describe("getNameKeys", () => {
  it.each([
    ["unchanged", "Stripe Payments"],
    ["in capitals", "STRIPE PAYMENTS"],
    ["with a Cyrillic і and а", "Strіpe Pаyments"],
    ["with a capital I for an l", "StrIpe Payments"],
    ["with 1 for i", "Str1pe Payments"],
    ["with rn for m", "Stripe Payrnents"],
    ["in full-width letters", "Ｓｔｒｉｐｅ Payments"],
    ["in mathematical letters", "𝐒𝐭𝐫𝐢𝐩𝐞 Payments"],
    ["in circled letters", "Ⓢtripe Payments"],
    ["with zero-width characters", "Str\u200bi\u2060pe\u00ad Pay\ufeffments"],
    ["with a variation selector", "Stripe\ufe0f Payments"],
    ["with tag characters", "Stripe Payments\u{e0041}"],
    ["with a hyphen and dots", "Stripe-Payments..."],
    ["with other spaces", "Stripe\u2003\u00a0Payments"],
    ["with accents", "Strípé Pàyments"],
    ["with a stroke", "Stripe Pa\u0337yments"],
    ["with a tick", "Stripe Payments ✅"],
    ["with a bidirectional override", "\u202dStripe Payments"],
  ])("equates with “Stripe Payments” the same name %s", (_how, name) => {
    expect(isShared(name, "Stripe Payments")).toBe(true);
  });

  it.each([
    ["Stripe", "Stripe Payments"],
    ["C", "C#"],
    ["C", "C++"],
    ["कि", "की"],
    ["天気", "天文"],
    ["🦊", "🐼"],
    ["", ""],
    ["\u200b", "\u2060"],
  ])("distinguishes %j and %j", (one, other) => expect(isShared(one, other)).toBe(false));

  it("equates a name in upper and lower case of its script", () => {
    expect(isShared("вера", "ВЕРА")).toBe(true);
    expect(isShared("ΩΜΕΓΑ", "ωμεγα")).toBe(true);
  });

  it("returns keys that fit into an index for any text", () => {
    for (const name of [
      "\ufdfa".repeat(5_000),
      "m".repeat(5_000),
      "\ud800",
      "a\ud800",
      "\u0301".repeat(5_000),
    ]) {
      for (const key of Object.values(getNameKeys(name))) {
        expect(Buffer.byteLength(key ?? "")).toBeLessThan(1_000);
        expect(key?.isWellFormed()).not.toBe(false);
      }
    }
  });
});

describe("sharedNames", () => {
  const offchain = { ...appRow(8n), pointer: null };
  const twin = "0x00000000000000000000000000000000000000000000000000000000000000ff";

  beforeAll(async () => {
    await fill([
      appRow(1n, { name: "Weather" }),
      appRow(2n, { name: "WEATHER" }),
      appRow(3n, { name: "Alone", didHash: twin }),
      appRow(4n, { name: "Alone", didHash: twin, major: 2 }),
      appRow(5n, { name: "Retired" }),
      appRow(6n, { name: "Retired", status: 1 }),
      appRow(7n, { name: "Atlas" }),
      offchain,
      appRow(9n),
      appRow(10n),
    ]);
    await label(offchain, documentLabels({ name: "Аtlаs" }));
  });

  const asked = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "99"];

  it("lists both records of a pair, but no other major of a DID and no name of a deprecated record", async () => {
    expect((await sharedNames(session, asked)).map(Number).toSorted((a, b) => a - b)).toEqual([
      1, 2, 6, 7, 8,
    ]);
  });

  it("lists a record even if the other one is not among the given records", async () => {
    expect(await sharedNames(session, ["1"])).toEqual(["1"]);
    expect(await sharedNames(session, ["8"])).toEqual(["8"]);
  });
});
