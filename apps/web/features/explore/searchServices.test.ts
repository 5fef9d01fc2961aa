import type { SearchResult } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { readListQuery } from "./listQuery.ts";
import { groupMajors, parseListQuery } from "./searchServices.ts";

const record = (did: string, major: number, status: 0 | 1 | 2 = 0) =>
  ({ did, major, status }) as SearchResult;

const listGroups = (...results: SearchResult[]) =>
  groupMajors(results).map(({ result, others }) => [
    `${result.did} ${result.major}`,
    ...others.map(({ major }) => major),
  ]);

describe("groupMajors", () => {
  it("groups major versions under the highest Active one, at the position of the first", () => {
    const groups = listGroups(record("a", 3, 2), record("b", 1), record("a", 1), record("a", 2));
    expect(groups).toEqual([["a 2", 3, 1], ["b 1"]]);
  });

  it("groups major versions under the highest if none is Active", () => {
    expect(listGroups(record("a", 1, 1), record("a", 4, 2))).toEqual([["a 4", 1]]);
  });
});

describe("parseListQuery", () => {
  it("names the invalid parameters", () => {
    const parsed = parseListQuery(readListQuery({ interface: "9", owner: "bob" }));
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.parameter)).toEqual([
      "interface",
      "owner",
    ]);
  });
});
