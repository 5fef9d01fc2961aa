import { describe, expect, it } from "vitest";
import { isFiltered, listHref, readListQuery } from "./listQuery.ts";

describe("readListQuery", () => {
  it("combines interface bits that a form sends one by one", () => {
    expect(readListQuery({ interface: ["1", "2"] }).interfaces).toBe(3);
    expect(readListQuery({ interface: "6" }).interfaces).toBe(6);
  });

  it("reads repeated traits and lists of traits, and ignores empty values", () => {
    expect(readListQuery({ traits: ["api:mcp", "", "maps, outdoor"] }).traits).toEqual([
      "api:mcp",
      "maps",
      "outdoor",
    ]);
    expect(readListQuery({ q: "", status: "", traits: "" })).toEqual(readListQuery({}));
  });
});

describe("listHref", () => {
  it("omits defaults from the path", () => {
    expect(listHref(readListQuery({}))).toBe("/apps");
    expect(listHref({ traits: ["api:rest", "maps"], status: "active", interfaces: 2 })).toBe(
      "/apps?traits=api:rest,maps&interface=2",
    );
  });

  it("returns a path that parses to the same query", () => {
    const query = readListQuery({ q: "a&b=c d", status: "any", sort: "name", cursor: "x+/=" });
    const params = Object.fromEntries(new URL(listHref(query), "http://localhost").searchParams);
    expect(readListQuery(params)).toEqual(query);
  });

  it("treats a sorted list as unfiltered", () => {
    expect(isFiltered(readListQuery({ sort: "name" }))).toBe(false);
    expect(isFiltered(readListQuery({ q: "tide" }))).toBe(true);
  });
});
