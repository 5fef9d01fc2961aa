import { apiTypes, type SearchFacets } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { facetGroups } from "./facets.tsx";
import { readListQuery } from "./listQuery.ts";

const hash = `0x${"1".repeat(64)}` as const;
const facets: SearchFacets = {
  interfaces: [
    { interface: 1, count: 0 },
    { interface: 2, count: 30 },
    { interface: 4, count: 2 },
  ],
  apiTypes: [
    { hash, trait: "api:mcp", count: 20 },
    { hash, trait: "api:soap", count: 1 },
  ],
  traits: [
    { hash, trait: "maps", count: 9 },
    { hash, count: 8 },
    { hash, trait: "food", count: 7 },
  ],
};
const getGroups = (params: Record<string, string>, given?: SearchFacets) => {
  const { kinds, traits } = facetGroups(readListQuery(params), { facets: given });
  return [...kinds, ...traits];
};
const getGroup = (name: string, params: Record<string, string>, given = facets) =>
  getGroups(params, given).find((group) => group.name === name)?.choices ?? [];

describe("facetGroups", () => {
  it("adds one filter, keeps the others, and resets the cursor", () => {
    const address = { q: "sea", traits: "food", sort: "name", cursor: "x" };
    expect(getGroup("Interface", address)).toEqual([
      { label: "API", count: 30, chosen: false, href: "/apps?q=sea&traits=food&interface=2&sort=name" },
      { label: "Contract", count: 2, chosen: false, href: "/apps?q=sea&traits=food&interface=4&sort=name" },
    ]);
    expect(getGroup("Trait", address)).toEqual([
      { label: "food", count: 7, chosen: true, href: "/apps?q=sea&sort=name" },
      { label: "maps", count: 9, chosen: false, href: "/apps?q=sea&traits=food,maps&sort=name" },
    ]);
  });

  it("labels API types with their common names", () => {
    expect(getGroup("API type", {}).map(({ label, count }) => [label, count])).toEqual([
      ["MCP server", 20],
      ["api:soap", 1],
    ]);
  });

  it("offers to remove a chosen filter without matches", () => {
    const nothing: SearchFacets = { interfaces: [], apiTypes: [], traits: [] };
    const address = { interface: "1", traits: "api:rest,maps" };
    expect(getGroups(address, nothing).flatMap(({ choices }) => choices)).toEqual([
      { label: "Website or app", count: undefined, chosen: true, href: "/apps?traits=api:rest,maps" },
      { label: "REST", count: undefined, chosen: true, href: "/apps?traits=maps&interface=1" },
      { label: "maps", count: undefined, chosen: true, href: "/apps?traits=api:rest&interface=1" },
    ]);
    expect(getGroups({}, nothing)).toEqual([]);
  });

  it("offers every interface and API type, without counts, if the index doesn't answer", () => {
    const groups = getGroups({ interface: "2", traits: "maps" });
    expect(groups.map(({ name, choices }) => [name, choices.map(({ label }) => label)])).toEqual([
      ["Interface", ["Website or app", "API", "Contract"]],
      ["API type", apiTypes.map(({ label }) => label)],
      ["Trait", ["maps"]],
    ]);
  });

  it("limits the number of traits", () => {
    const traits = Array.from({ length: 50 }, (_, index) => ({
      hash,
      trait: `t${index}`,
      count: 50 - index,
    }));
    expect(getGroup("Trait", {}, { ...facets, traits })).toHaveLength(12);
  });
});
