import { describe, expect, it } from "vitest";
import { claimedName, soundsOfficial } from "./claims.ts";

describe("claimedName", () => {
  it.each([
    ["Stripe ✅", "Stripe [check mark]"],
    ["Stripe ✔️ Payments", "Stripe [check mark] Payments"],
    ["🛡️ Stripe 🔒", "[shield] Stripe [lock]"],
    ["Stripe\u202e\u200b", "Stripe\uFFFD\uFFFD"],
    ["two\nlines", "two lines"],
    ["Café 👩\u200D🚀", "Café 👩\u200D🚀"],
    // @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
  ])("shows %j as %j", (text, shown) => {
    expect(claimedName(text)).toBe(shown);
  });

  it("cuts a name that exceeds the limit of metadata", () => {
    expect(claimedName("a".repeat(5_000))).toBe(`${"a".repeat(200)} …`);
  });
});

describe("soundsOfficial", () => {
  it.each([
    "Stripe (verified)",
    "VERIFIED by App Registry",
    "V e r i f i e d",
    "v.e.r.i.f.i.e.d",
    "vеrifiеd with Cyrillic letters",
    "ｖｅｒｉｆｉｅｄ",
    "The official service",
    "Nice.\n\nControlled by stripe.com",
    "Stripe ✔",
    "Проверено",
    "公式サービス",
    // @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
  ])("returns true for %j", (text) => {
    expect(soundsOfficial(text)).toBe(true);
  });

  it.each(["Harbour Weather", "Maps of everywhere.", "東京カフェ", ""])("returns false for %j", (text) => {
    expect(soundsOfficial(text)).toBe(false);
  });
});
