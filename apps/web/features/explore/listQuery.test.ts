import { describe, expect, it } from "vitest";
import { isFiltered, listHref, readListQuery, replacePublisherPath } from "./listQuery.ts";

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

const contract = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

it.each([
  ["/by/example.com", "did:web:example.com"],
  ["/by/example.com:8443", "did:web:example.com%253A8443"],
  ["/by/example.com:8443/team/a/", "did:web:example.com%253A8443:team:a"],
  ["/by/example.com/a%2520b", "did:web:example.com:a%2520b"],
  ["/by/m%C3%BCnchen.de", "did:web:m%C3%BCnchen.de"],
  [`/by/eip155:31337:${contract}`, `did:pkh:eip155:31337:${contract}`],
])("%s leads to the list under %s", (path, under) => {
  expect(replacePublisherPath(path)).toBe(`/apps?status=any&under=${under}`);
});

it("leads to the list of all services if the old path is not percent-encoded text", () => {
  expect(replacePublisherPath("/by/%E0%A4%A")).toBe("/apps");
});
