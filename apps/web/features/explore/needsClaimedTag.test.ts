import { describe, expect, it } from "vitest";
import { needsClaimedTag } from "./needsClaimedTag.ts";

const plain = {
  name: "Harbour Weather",
  publisher: "Harbour Office",
  description: "Forecasts for ports.",
  sharesName: false,
  control: "pass",
} as const;

describe("needsClaimedTag", () => {
  it("returns false for a unique name without a dot whose control passes", () => {
    expect(needsClaimedTag(plain)).toBe(false);
  });

  it("returns false for a publisher whose only dot ends an abbreviation", () => {
    expect(needsClaimedTag({ ...plain, publisher: "Harbour, Inc." })).toBe(false);
  });

  it.each([
    ["the name is shared", { sharesName: true }],
    ["control fails", { control: "fail" }],
    ["control is unknown", { control: "unknown" }],
    ["control is being checked", { control: undefined }],
    ["the name has a dot", { name: "stripe.com" }],
    ["the name has a dot of another script", { name: "stripe\u3002com" }],
    ["the name has a full-width dot", { name: "stripe\uff0ecom" }],
    ["the publisher has a dot between words", { publisher: "stripe.com" }],
    ["the name sounds official", { name: "Stripe (verified)" }],
    ["the description sounds official", { description: "Verified by App Registry" }],
    // @threat services: A brand's name under an unrelated host
  ] as const)("returns true if %s", (_condition, claims) => {
    expect(needsClaimedTag({ ...plain, ...claims })).toBe(true);
  });
});
