import { describe, expect, it } from "vitest";
import { readListQuery } from "./listQuery.ts";
import { parseListQuery } from "./parseListQuery.ts";

describe("parseListQuery", () => {
  it("names the invalid parameters", () => {
    const parsed = parseListQuery(readListQuery({ interface: "9", owner: "bob" }));
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.parameter)).toEqual([
      "interface",
      "owner",
    ]);
  });

  it("normalizes valid parameters", () => {
    const parsed = parseListQuery(readListQuery({ traits: "API:Rest", q: " tide " }));
    expect(parsed.ok && parsed.search).toMatchObject({
      traits: ["api:rest"],
      q: "tide",
      status: 0,
      match: "all",
    });
  });
});
