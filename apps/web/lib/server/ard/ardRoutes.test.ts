import { getProvenSubject, type SearchPage, type SearchQuery, type SearchResult } from "@app-registry/sdk";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "../http/request.ts";
import type { Registry } from "../registry.ts";
import { unlimitedApi } from "../test/serve.ts";
import { ardRoutes } from "./ardRoutes.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const dataHash = `0x${"ab".repeat(32)}`;
const MCP_CARD = "application/mcp-server-card+json";

function toResult(did: string, more: Partial<SearchResult> = {}): SearchResult {
  return {
    ...{ did, proven: getProvenSubject(did), major: 1, version: "1.0.0", tokenId: "1" },
    ...{ status: 0, interfaces: 2 },
    ...{ owner: address, minter: address, dataUrl: "https://x.example/", dataHash, dataHashAlgorithm: 0 },
    ...{ traits: ["api:mcp"], traitHashes: [], name: did, updatedAt: 1_760_000_000 },
    endpoints: [{ name: "MCP", endpoint: "https://mcp.example/" }],
    facts: { control: "pass", content: "pass" },
    ...more,
  } as SearchResult;
}

/** Pages of the index by cursor, and the searches that it received. */
let pages: Record<string, { results: SearchResult[]; nextCursor?: string } & Partial<SearchPage>> = {};
let asked: SearchQuery[] = [];
let hidden: string[] = [];

async function searchIndex(query: SearchQuery): Promise<SearchPage> {
  asked.push(query);
  const { results, nextCursor = null, ...more } = pages[query.cursor ?? ""] ?? { results: [] };
  return { ...more, results: results.slice(0, query.limit), nextCursor, source: "index", block: 1 };
}
let api: ReturnType<typeof unlimitedApi>;

beforeAll(() => {
  const registry = {
    environment: { publicUrl: "https://registry.example" },
    ...{ searchIndex, readLag: async () => 0 },
    hidden: {
      dids: () => hidden,
      reasonOf: (did: string) => (hidden.includes(did) ? "It was taken down." : undefined),
    },
  } as unknown as Registry;
  api = unlimitedApi(ardRoutes(() => registry));
});
beforeEach(() => {
  pages = { "": { results: [toResult("did:web:a.example:one"), toResult("did:web:a.example:two")] } };
  [asked, hidden] = [[], []];
});

const send = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await api.fetch(
    new Request(`https://registry.example${path}`, {
      ...init,
      headers: { "content-type": "application/json", ...headers },
    }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
};
const search = (query: object, more: object = {}) => send("/api/ard/search", { query, ...more });
const listIds = (entries: { identifier: string }[]) => entries.map(({ identifier }) => identifier);

describe("POST /api/ard/search", () => {
  it("answers the requests of ARD 0.9 and 0.91 with ranked entries of this registry", async () => {
    const text = "weather forecast tools";
    const type = [MCP_CARD];
    const old = await search({ text, filter: { type } }, { federation: "none", pageSize: 2 });
    const current = await search(
      { "@context": { x: "https://x.example/ns#" }, text, filter: { type: type[0] } },
      { federation: "referrals" },
    );
    expect(old.status).toBe(200);
    expect(listIds(old.body.results)).toEqual(["urn:air:a.example:mcp:one", "urn:air:a.example:mcp:two"]);
    expect(old.body.results[0]).toMatchObject({ score: 100, source: "https://registry.example/api/ard/" });
    expect(old.body.results[1].score).toBeLessThan(100);
    expect(current.body).toEqual({ ...old.body, referrals: [] });
    expect(asked[0]).toMatchObject({
      ...{ q: text, traits: ["api:mcp"], match: "any", status: 0, control: "pass" },
      limit: 2,
    });
  });

  it.each([
    [{ tags: ["Weather", "maps"] }, { traits: ["weather", "maps"], match: "any" }],
    [
      { type: "application/a2a-agent-card+json", tags: ["weather"] },
      { traits: ["api:a2a", "weather"], match: "all" },
    ],
    [{ "trustManifest.identity": ["did:web:a.example:one"] }, { did: "did:web:a.example:one" }],
    [{ "trustManifest.attestations.type": "app-registry/content" }, { content: "pass" }],
  ])("asks the index for the filter %j", async (filter, expected) => {
    expect((await search({ text: "x", filter })).status).toBe(200);
    expect(asked[0]).toMatchObject({ control: "pass", ...expected });
  });

  it("finds nothing of a type or tag that no entry can have", async () => {
    for (const filter of [{ type: ["application/agent-skills+zip"] }, { tags: ["no tag"] }]) {
      expect((await search({ text: "x", filter })).body).toEqual({ results: [] });
    }
    expect(asked).toEqual([]);
  });

  // @threat services: A catalog entry under a domain that its publisher does not control
  it("finds only services of the publisher's own host", async () => {
    await search({ text: "x", filter: { publisher: ["A.example"] } });
    await search({ text: "x", filter: { publisher: "a.example:8443" } });
    expect(asked.map(({ under }) => under)).toEqual(["did:web:a.example", "did:web:a.example%3A8443"]);
  });

  it("fills a page from several of the index, and continues after it", async () => {
    const unproven = { facts: { control: "fail" as const } };
    pages = {
      "": {
        results: [toResult("did:web:b.example", unproven), toResult("did:web:c.example")],
        nextCursor: "ab",
      },
      ab: { results: [toResult("did:web:d.example")], nextCursor: "cd" },
      cd: { results: [toResult("did:web:e.example")] },
    };
    const first = await search({ text: "x" }, { pageSize: 2 });
    expect(listIds(first.body.results)).toEqual(["urn:air:c.example:mcp:_", "urn:air:d.example:mcp:_"]);
    expect(asked.map(({ limit }) => limit)).toEqual([2, 1]);
    const next = await search({ text: "x" }, { pageSize: 2, pageToken: first.body.pageToken });
    expect(listIds(next.body.results)).toEqual(["urn:air:e.example:mcp:_"]);
    expect(next.body.results[0].score).toBeLessThan(first.body.results[1].score);
    expect(next.body).not.toHaveProperty("pageToken");
  });

  it("reads at most five pages of the index for one of its own", async () => {
    pages = { "": { results: [], nextCursor: "ab" }, ab: { results: [], nextCursor: "ab" } };
    expect((await search({ text: "x" })).body).toEqual({ results: [], pageToken: "0.ab" });
    expect(asked).toHaveLength(5);
  });

  it("leaves out services that the operator hides", async () => {
    hidden = ["did:web:a.example:one"];
    expect(listIds((await search({ text: "x" })).body.results)).toEqual(["urn:air:a.example:mcp:two"]);
  });

  it.each<[what: string, query: object, reason: RegExp, more?: object]>([
    ["an unknown filter", { filter: { complianse: ["SOC2"] } }, /complianse|Filter by type, tags/],
    ["a nested filter", { filter: { type: { a: { b: [1] } } } }, /filter\/type/],
    ["a list in a list", { filter: { tags: [["a"]] } }, /filter\/tags/],
    ["too many values", { filter: { tags: Array(21).fill("a") } }, /filter\/tags/],
    ["several publishers", { filter: { publisher: ["a.example", "b.example"] } }, /publisher/],
    ["a publisher that is no host", { filter: { publisher: "a:b%3A" } }, /publisher/],
    ["an identity that is no DID", { filter: { "trustManifest.identity": "spiffe://a" } }, /identity/],
    ["several types and tags", { filter: { type: [MCP_CARD], tags: ["a", "b"] } }, /one value of each/],
    ["the type of documents", { filter: { type: "application/json" } }, /application\/json/],
    ["no text", { text: undefined }, /query\/text/],
    ["a long text", { text: "x".repeat(201) }, /query\/text/],
    ["an unknown member", { filters: {} }, /query/],
    ["an unknown federation", {}, /federation/, { federation: "all" }],
    ["a large page", {}, /pageSize/, { pageSize: 101 }],
    ["a token of the chain", {}, /pageToken/, { pageToken: "0.5" }],
    ["a token without a place", {}, /pageToken/, { pageToken: "ab" }],
    ["a token with a query", {}, /pageToken/, { pageToken: "0.ab&did=did:web:x" }],
    ["a long token", {}, /pageToken/, { pageToken: `0.${"a".repeat(4_001)}` }],
    // @threat services: Filters, cursors and tokens made to confuse or overload a search
  ])("refuses %s as ARD does, and says why", async (_, query, reason, more = {}) => {
    const { status, body } = await search({ text: "x", ...query }, more);
    expect([status, body.errorCode]).toEqual([400, "INVALID_ARGUMENT"]);
    expect(`${body.message}`).toMatch(reason);
    expect(asked).toEqual([]);
  });

  it("refuses a large or deep body", async () => {
    expect((await search({ text: "x".repeat(MAX_BODY_BYTES) })).body).toMatchObject({
      ...{ status: 413, errorCode: "INVALID_ARGUMENT" },
    });
    const deep = `${'{"query":'.repeat(1_000)}1${"}".repeat(1_000)}`;
    const init = { method: "POST", body: deep, headers: { "content-type": "application/json" } };
    expect((await api.fetch(new Request("https://registry.example/api/ard/search", init))).status).toBe(400);
  });

  it("may be sent by pages of every site", async () => {
    const init = { method: "OPTIONS", headers: { "access-control-request-method": "POST" } };
    const preflight = await api.fetch(new Request("https://registry.example/api/ard/search", init));
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
    const other = await send("/api/ard/search", { query: { text: "x" } }, { "sec-fetch-site": "cross-site" });
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });
});

it("serves this registry's own catalog at both well-known paths", async () => {
  const [ard, catalog] = await Promise.all(
    ["ard", "ai-catalog"].map((name) => send(`/.well-known/${name}.json`)),
  );
  expect(ard?.headers.get("content-type")).toBe("application/ai-catalog+json");
  expect(ard?.body).toEqual(catalog?.body);
  expect(ard?.body.entries[0].url).toBe("https://registry.example/api/ard/");
});
