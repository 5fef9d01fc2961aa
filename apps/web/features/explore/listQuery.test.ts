import { describe, expect, it } from "vitest";
import { isFiltered, listHref, readListQuery } from "./listQuery.ts";

describe("readListQuery", () => {
  it("adds up interface bits that a form sends one by one", () => {
    expect(readListQuery({ interface: ["1", "2"] }).interfaces).toBe(3);
    expect(readListQuery({ interface: "6" }).interfaces).toBe(6);
  });

  it("takes traits repeated, in a list, or both, and leaves out what a form sends empty", () => {
    expect(readListQuery({ traits: ["api:mcp", "", "maps, outdoor"] }).traits).toEqual([
      "api:mcp",
      "maps",
      "outdoor",
    ]);
    expect(readListQuery({ q: "", status: "", traits: "" })).toEqual(readListQuery({}));
  });
});

describe("listHref", () => {
  it("leaves defaults out of the address", () => {
    expect(listHref(readListQuery({}))).toBe("/apps");
    expect(listHref({ traits: ["api:rest", "maps"], status: "active", interfaces: 2 })).toBe(
      "/apps?traits=api:rest,maps&interface=2",
    );
  });

  it("survives a round trip through an address", () => {
    const query = readListQuery({ q: "a&b=c d", status: "any", sort: "name", cursor: "x+/=" });
    const params = Object.fromEntries(new URL(listHref(query), "http://localhost").searchParams);
    expect(readListQuery(params)).toEqual(query);
  });

  it("knows a narrowed list from a sorted one", () => {
    expect(isFiltered(readListQuery({ sort: "name" }))).toBe(false);
    expect(isFiltered(readListQuery({ q: "tide" }))).toBe(true);
  });
});
