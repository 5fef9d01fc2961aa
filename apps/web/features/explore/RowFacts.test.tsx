import type { LiveStatus } from "@app-registry/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { FactOutcomes } from "../../lib/record/factSummary.ts";
import { RowFacts } from "./RowFacts.tsx";

const allPass: FactOutcomes = {
  record: "pass",
  control: "pass",
  content: "pass",
  attested: "pass",
  origin: "pass",
  live: "pass",
};

const toText = (outcomes: FactOutcomes, status: 0 | 1 | 2 = 0, live?: LiveStatus): string =>
  renderToStaticMarkup(<RowFacts outcomes={outcomes} status={status} live={live} />)
    .replace(/ ?<\/(?:li|p)>/g, ";")
    .replace(/<[^>]*>/g, "")
    .replace(/; (?=[A-Z])/g, ";")
    .trim();

describe("RowFacts", () => {
  it("shows one line if all facts pass", () => {
    expect(toText(allPass)).toBe("All 6 facts pass;");
  });

  it("counts live as not checked without a live check", () => {
    expect(toText({ ...allPass, live: "unknown" })).toBe("5 of 6 facts pass; live not checked;");
  });

  it("shows the number of passing facts and names each other fact with its problem", () => {
    const outcomes = {
      ...allPass,
      control: "fail",
      content: "unknown",
      origin: "fail",
      live: "unknown",
    } as const;
    expect(toText(outcomes)).toBe(
      [
        "2 of 6 facts pass;Control: not currently proven;Origin: address not proven;Content: unknown;",
        "Live: not checked;",
      ].join(""),
    );
  });

  it.each([
    [1, "Record: Deprecated;"],
    [2, "Record: Replaced;"],
  ] as const)("names the status of a record with status %i", (status, text) => {
    expect(toText({ ...allPass, record: "fail" }, status)).toBe(`5 of 6 facts pass;${text}`);
  });

  it.each([
    [{ outcome: "unreachable", drift: "not-comparable" }, "Live: unreachable since 24 Nov 2026;"],
    [{ outcome: "other-protocol", drift: "not-comparable" }, "Live: unexpected response since 24 Nov 2026;"],
    [{ outcome: "failing", drift: "same", answeredAt: null }, "Live: fails, never responded;"],
    [{ outcome: "gated", drift: "changed" }, "Live: differs from the registered version;"],
  ] as const)("names the result of a failed live check: %j", (found, text) => {
    const mark = { probedAt: 1_795_600_000, answeredAt: 1_795_526_000, ...found };
    expect(toText({ ...allPass, live: "fail" }, 0, mark)).toBe(`5 of 6 facts pass;${text}`);
  });
});
