import { describe, expect, it } from "vitest";
import { type FactOutcomes, factSummary, reportSummary } from "./factSummary.ts";

const allPass: FactOutcomes = {
  record: "pass",
  control: "pass",
  content: "pass",
  attested: "pass",
  origin: "pass",
  live: "pass",
};

describe("factSummary", () => {
  it.each([
    [{}, "All 6 facts pass"],
    [{ live: "unknown" }, "5 of 6 facts pass; live not checked"],
    [{ control: "unknown" }, "5 of 6 facts pass; control unknown"],
    [{ attested: "fail", live: "fail" }, "4 of 6 facts pass; attested fails; live fails"],
    [
      { control: "fail", content: "unknown", live: "unknown" },
      "3 of 6 facts pass; control fails; content unknown; live not checked",
    ],
  ] as const)("with %j returns: %s", (changed, text) => {
    expect(factSummary({ ...allPass, ...changed })).toBe(text);
  });

  it("reports that no fact is checked if all are unknown", () => {
    const unknown = Object.fromEntries(Object.keys(allPass).map((name) => [name, "unknown"]));
    expect(factSummary(unknown as FactOutcomes)).toMatch(
      /^No fact checked; record unknown;.*live not checked$/,
    );
  });
});

describe("reportSummary", () => {
  it("counts the fact live as not checked if the report has none", () => {
    const { live: _, ...chain } = allPass;
    const facts = Object.fromEntries(
      Object.entries(chain).map(([name, outcome]) => [name, { outcome, reason: "" }]),
    );
    expect(reportSummary(facts as never)).toBe("5 of 6 facts pass; live not checked");
  });
});
