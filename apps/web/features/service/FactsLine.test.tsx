import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { type FactViews, factNames, type Outcome } from "../../lib/record/facts.ts";
import { FactsLine } from "./FactsLine.tsx";

const render = (outcomes: Partial<Record<keyof FactViews, Outcome>>): string => {
  const facts = factNames.map((name) => [name, { outcome: outcomes[name] ?? "pass", reason: "" }]);
  return renderToStaticMarkup(<FactsLine facts={Object.fromEntries(facts)} />);
};
const toText = (html: string) => html.replace(/<[^>]*>/g, "");

describe("FactsLine", () => {
  it.each([
    [{}, "All 6 facts pass (record, control, content, attested, origin, live)"],
    [{ live: "unknown" }, "5 of 6 facts pass (record, control, content, attested, origin); live not checked"],
    [
      { content: "fail", live: "unknown" },
      /^4 of 6 facts pass \(record, control, attested, origin\); content fails; live not checked$/,
    ],
    [{ control: "unknown" }, /^5 of 6 facts pass \(record, .*\); control unknown$/],
  ] as const)("counts the facts and names each: %j", (outcomes, text) => {
    expect(toText(render(outcomes))).toMatch(text);
  });

  it("links to every fact once", () => {
    for (const outcomes of [{}, { control: "unknown", content: "fail", live: "unknown" }] as const) {
      const links = [...render(outcomes).matchAll(/href="#fact-(\w+)"/g)].map(([, name]) => name);
      expect(links.toSorted()).toEqual(factNames.toSorted());
    }
  });

  it("has no mark that stands for all facts, and none at a missing live check", () => {
    expect(render({ live: "unknown" })).not.toContain("<svg");
    const failing = render({ origin: "fail", live: "unknown" });
    expect(failing).not.toContain("--pass");
    expect(failing.match(/<svg/g)).toHaveLength(1);
  });
});
