import type { FactOutcomes } from "@app-registry/sdk/internal";
import { describe, expect, it } from "vitest";
import { getNextStep } from "./facts.ts";

const passing: FactOutcomes = {
  record: "pass",
  control: "pass",
  content: "pass",
  attested: "pass",
  origin: "pass",
};

describe("getNextStep", () => {
  it.each<[string, FactOutcomes, string]>([
    ["nothing fails", passing, "If example.com is the one you mean, use the service as shown below."],
    ["a fact is unknown", { ...passing, content: "unknown" }, "Check again in a moment."],
    [
      "several facts fail",
      { ...passing, control: "fail", origin: "fail", content: "unknown" },
      "Don't rely on this service until its control is proven again.",
    ],
    ["only the live check fails", { ...passing, live: "fail" }, "Check again before you rely on it."],
  ])("names one step if %s", (_, outcomes, step) => {
    expect(getNextStep(outcomes, "example.com", true)).toBe(step);
  });

  it("names no way to connect if the document has none", () => {
    expect(getNextStep(passing, "example.com", false)).toBe(
      "It names no address to connect to. If example.com is the one you mean, ask there.",
    );
  });
});
