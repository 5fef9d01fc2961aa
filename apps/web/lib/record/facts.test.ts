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
    [
      "a fact is unknown",
      { ...passing, content: "unknown" },
      "Don't rely on it until everything could be checked. Check again later.",
    ],
    [
      "several facts fail",
      { ...passing, control: "fail", origin: "fail", content: "unknown" },
      "Don't rely on this service until its control is proven again.",
    ],
    [
      "a live check fails besides",
      { ...passing, record: "fail", live: "fail" },
      "Use another service. What the publisher advises is below. It also failed the last live check.",
    ],
    ["only the live check fails", { ...passing, live: "fail" }, "Check again before you rely on it."],
  ])("names one step if %s", (_, outcomes, step) => {
    expect(getNextStep(outcomes, "example.com", true)).toBe(step);
  });

  it("names no way to connect if the document has none", () => {
    expect(getNextStep(passing, "example.com", false)).toBe(
      "There is nothing to connect to: its document names no address.",
    );
  });
});
