import type { SearchResult } from "@app-registry/sdk";
import { expect, it } from "vitest";
import { matchesAddress, orderDids } from "./dids.tsx";

const url = "https://api.example.com/notes/mcp";
const host = "did:web:api.example.com";
const site = "did:web:example.com";
const path = "did:web:api.example.com:notes";

const recordAt = (endpoint: string) => ({ endpoints: [{ name: "MCP", endpoint }] }) as SearchResult;
const order = (records: Record<string, SearchResult | undefined>) => {
  const choices = [host, site, path].map((did) => ({ did, record: did in records ? records[did] : null }));
  return orderDids(choices, [url]).map(({ did }) => did);
};

it("keeps the order while no DID is registered, or it is unknown", () => {
  expect(order({})).toEqual([host, site, path]);
  expect(order({ [host]: undefined })).toEqual([host, site, path]);
});

it("offers a second service of a host the path's DID first", () => {
  expect(order({ [host]: recordAt("https://api.example.com/mcp") })).toEqual([path, site, host]);
  expect(order({ [site]: recordAt("https://example.com/mcp") })).toEqual([path, host, site]);
});

it("offers a registered service its own DID first", () => {
  expect(order({ [host]: recordAt(url) })[0]).toBe(host);
  expect(order({ [path]: recordAt(url), [host]: recordAt("https://api.example.com/mcp") })[0]).toBe(path);
});

it("warns of a DID that names another path or host than the address", () => {
  const matches = (did: string) => matchesAddress(did, [{ did: site }], [url]);
  expect([site, host, path].map(matches)).toEqual([true, true, true]);
  expect(["did:web:api.example.com:library", "did:web:other.example"].map(matches)).toEqual([false, false]);
  expect(matchesAddress(host, [{ did: site }], [])).toBe(false);
});
