import type { LiveStatus } from "@app-registry/sdk";
import type { FactOutcomes } from "@app-registry/sdk/internal";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RowFacts } from "./facts.tsx";

const allPass: FactOutcomes = {
  record: "pass",
  control: "pass",
  content: "pass",
  attested: "pass",
  origin: "pass",
  live: "pass",
};

const render = (outcomes: FactOutcomes, status: 0 | 1 | 2 = 0, live?: LiveStatus): string =>
  renderToStaticMarkup(<RowFacts outcomes={outcomes} result={{ status, live }} />);
const toText = (html: string): string => html.replace(/<title>.*?<\/title>/g, "").replace(/<[^>]*>/g, "");

describe("RowFacts", () => {
  it("shows six marks in the order of the facts, each with its name and outcome", () => {
    const html = render({ ...allPass, control: "fail", origin: undefined, live: "unknown" });
    expect([...html.matchAll(/aria-label="(\w+: [\w ]+)"/g)].map(([, label]) => label)).toEqual([
      "Record: pass",
      "Control: fail",
      "Content: pass",
      "Attested: pass",
      "Origin: unknown",
      "Live: not checked",
    ]);
    expect(toText(html)).toBe(
      "Control fails: not currently proven. 3 pass, origin couldn&#x27;t be checked, live isn&#x27;t checked",
    );
  });

  it.each([
    [1, "Record fails: Deprecated. 5 pass"],
    [2, "Record fails: Replaced. 5 pass"],
  ] as const)("names the status of a record with status %i", (status, text) => {
    expect(toText(render({ ...allPass, record: "fail" }, status))).toBe(text);
  });

  it.each([
    [{ outcome: "unreachable", drift: "not-comparable" }, "unreachable since 24 Nov 2026"],
    [{ outcome: "unreachable", drift: "same", answeredAt: null }, "unreachable, never responded"],
    [{ outcome: "other-protocol", drift: "not-comparable" }, "unexpected response since 24 Nov 2026"],
    [{ outcome: "failing", drift: "same", answeredAt: null }, "responds with an error"],
    [{ outcome: "gated", drift: "changed" }, "differs from the registered version"],
  ] as const)("names the result of a failed live check: %j", (found, text) => {
    const mark = { probedAt: 1_795_600_000, answeredAt: 1_795_526_000, ...found };
    expect(toText(render({ ...allPass, live: "fail" }, 0, mark))).toBe(`Live fails: ${text}. 5 pass`);
  });
});
