import type { LiveMark } from "@app-registry/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RowFacts } from "./RowFacts.tsx";
import type { Outcomes } from "./searchServices.ts";

const allPass: Outcomes = {
  record: "pass",
  control: "pass",
  content: "pass",
  attested: "pass",
  origin: "pass",
};

const textOf = (outcomes: Outcomes, status: 0 | 1 | 2 = 0, dead?: LiveMark): string =>
  renderToStaticMarkup(<RowFacts outcomes={outcomes} status={status} dead={dead} />)
    .replace(/ ?<\/li>/g, ";")
    .replace(/<[^>]*>/g, "")
    .trim();

describe("the facts of a row", () => {
  it("are one quiet line while all pass", () => {
    expect(textOf(allPass)).toBe("All facts pass");
  });

  it("are those that do not pass, each in words that say what is wrong", () => {
    expect(textOf({ ...allPass, control: "fail", content: "unknown", origin: "fail" })).toBe(
      "Control: not proven now; Content: not known now; Origin: leads elsewhere;",
    );
  });

  it.each([
    [1, "Record: Deprecated;"],
    [2, "Record: Replaced;"],
  ] as const)("say so of a record with the status %i", (status, text) => {
    expect(textOf({ ...allPass, record: "fail" }, status)).toBe(text);
  });

  it.each([
    [{ outcome: "unreachable", drift: "not-comparable" }, "Live: unreachable since 24 Nov 2026;"],
    [
      { outcome: "other-protocol", drift: "not-comparable" },
      "Live: something else is there since 24 Nov 2026;",
    ],
    [{ outcome: "failing", drift: "same", answeredAt: null }, "Live: fails, never answered;"],
    [{ outcome: "gated", drift: "changed" }, "Live: offer changed;"],
  ] as const)("say of one that is not live what was found: %j", (found, text) => {
    const mark = { probedAt: 1_795_600_000, answeredAt: 1_795_526_000, ...found };
    expect(textOf(allPass, 0, mark)).toBe(text);
  });
});
