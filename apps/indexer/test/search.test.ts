import { didHash, traitHash } from "@app-registry/sdk";
import { eventually } from "@app-registry/test-kit/eventually";
import { found, get, search } from "@app-registry/test-kit/indexerRequests";
import {
  type Chain,
  type Indexer,
  startChain,
  startIndexer,
  stopAll,
} from "@app-registry/test-kit/startIndexer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localAccount } from "../../../scripts/stack/accounts.ts";
import { publication, register } from "./harness/registry.ts";
import { services } from "./services.ts";

const alice = localAccount(1);
const bob = localAccount(2);

describe("search over HTTP", () => {
  let chain: Chain;
  let indexer: Indexer;

  beforeAll(async () => {
    chain = await startChain();
    for (const [position, service] of services.entries()) {
      await register(chain, position % 2 ? bob : alice, service);
    }
    indexer = await startIndexer(chain);
  });

  afterAll(() => stopAll(chain));

  describe("for records minted before the indexer started", () => {
    it("lists every Active record, newest first, in the form of searchPageSchema, with the indexed block", async () => {
      const page = await search(indexer, { limit: 100 });
      expect(page.results.map(({ did }) => did)).toEqual(services.map(({ did }) => did).reverse());
      expect(page).toMatchObject({ source: "index", nextCursor: null });
      expect(page.block).toBeGreaterThan(chain.deployment.deployBlock);
    });

    it("shows a record with the labels of its on-chain JSON", async () => {
      const { results } = await search(indexer, { did: "did:web:rest.test" });
      expect(results).toEqual([
        {
          did: "did:web:rest.test",
          proven: { kind: "host", name: "rest.test" },
          major: 1,
          version: "1.0.0",
          tokenId: "1",
          owner: alice.address,
          minter: alice.address,
          status: 0,
          interfaces: 2,
          dataUrl: "https://registry.test/did:web:rest.test/v/1.0.0",
          dataHash: publication(services[0] as (typeof services)[0]).dataHash,
          dataHashAlgorithm: 0,
          traits: ["api:rest", "weather", "pay:x402", "pay:x402:eip155:8453"],
          traitHashes: ["api:rest", "weather", "pay:x402", "pay:x402:eip155:8453"].map(traitHash),
          name: "Weather Atlas",
          description: "Forecasts for every city",
          publisher: "Meteo Société",
          image: "https://rest.test/icon.png",
          endpoints: [{ name: "REST", endpoint: "https://rest.test/v1" }],
          latest: true,
          updatedAt: expect.any(Number),
          changedAt: expect.any(Number),
          changedBlock: expect.any(Number),
          document: { source: "chain" },
          facts: { control: "pass", content: "pass", attested: "fail", live: "unknown" },
        },
      ]);
    });

    it("matches all traits by default, any on request, regardless of case", async () => {
      expect(await found(indexer, { traits: "api:rest,weather" })).toEqual(["rest.test"]);
      expect(await found(indexer, { traits: "API:MCP, weather", match: "any" })).toEqual([
        "all.test",
        "mcp.test",
        "rest.test",
      ]);
      expect(await found(indexer, { traits: "no-such-trait" })).toEqual([]);
    });

    it("finds services that accept x402 on one chain", async () => {
      expect(await found(indexer, { traits: "pay:x402:eip155:8453" })).toEqual(["rest.test"]);
      expect(await found(indexer, { traits: "pay:x402:eip155:1" })).toEqual([]);
    });

    it("matches traits by on-chain hash, and ignores a string that is only in the JSON", async () => {
      expect(await found(indexer, { traits: "api:mcp" })).toEqual(["mcp.test"]);
      const { results } = await search(indexer, { did: "did:web:liar.test" });
      expect(results[0]?.traits).toEqual(["plain"]);
    });

    it("requires every bit of an interface bitmap", async () => {
      expect(await found(indexer, { interface: 4 })).toEqual([
        "all.test",
        "did:pkh:eip155:31337:0x00000000000000000000000000000000000000aa",
      ]);
      expect(await found(indexer, { interface: 3 })).toEqual(["all.test", "both.test"]);
      expect(await found(indexer, { interface: 7 })).toEqual(["all.test"]);
    });

    it("finds a record without labels whose JSON is only at its dataUrl", async () => {
      const { results } = await search(indexer, { traits: "hosted" });
      expect(results).toHaveLength(1);
      expect(results[0]).toMatchObject({ did: "did:web:offchain.test", traits: [] });
      expect(results[0]).not.toHaveProperty("name");
      // The worker may not have read that document yet.
      await eventually(async () => {
        const [result] = (await search(indexer, { traits: "hosted" })).results;
        expect(result?.document).toMatchObject({ source: null, state: expect.any(String) });
      });
      expect(await found(indexer, { q: "offchain" })).toEqual(["offchain.test"]);
    });

    it("lists records whose JSON is invalid, without labels", async () => {
      expect(await found(indexer, { traits: "broken" })).toEqual(["list.test", "notjson.test"]);
    });

    it("stores any text unchanged except for NUL", async () => {
      const { results } = await search(indexer, { did: "did:web:nasty.test" });
      expect(results[0]).toMatchObject({
        name: 'ab\'); drop table app; --\t\\N \\ \n {"x"}',
        description: "NULL \\. \r\n,{}",
        traits: ["nasty"],
      });
    });

    it("accepts a document with more words than an index entry can contain", async () => {
      expect(await found(indexer, { traits: "huge", q: "wind" })).toEqual(["huge.test"]);
      const { results } = await search(indexer, { did: "did:web:huge.test" });
      expect(results[0]?.name).toHaveLength(200);
    });

    it("filters by owner, DID and lowest version", async () => {
      expect(await found(indexer, { owner: bob.address.toLowerCase() })).toHaveLength(
        Math.floor(services.length / 2),
      );
      expect(await found(indexer, { did: "did:web:MCP.test" })).toEqual(["mcp.test"]);
      expect(await found(indexer, { minVersion: "1.0.0" })).toHaveLength(services.length);
      expect(await found(indexer, { minVersion: "1.0.1" })).toEqual([]);
    });
  });

  describe("by words", () => {
    it("ranks a name above a publisher, a trait or a tool, and these above a description", async () => {
      const dids = await found(indexer, { q: "weather" });
      expect(dids[0]).toBe("rest.test");
      expect(dids.at(-1)).toBe("human.test");
      expect([...dids].sort()).toEqual(["all.test", "human.test", "mcp.test", "rest.test"]);
    });

    it.each([
      ["the beginning of a word", "atl", ["rest.test"]],
      ["a word without its accent", "cafe", ["human.test"]],
      ["a publisher", "societe", ["both.test", "rest.test"]],
      ["a word of a camelCase tool name", "forecast", ["mcp.test", "rest.test"]],
      ["a word of a snake_case tool name", "stations", ["mcp.test"]],
      ["a tool's description", "rain", ["mcp.test"]],
      ["a trait", "api:a2a", ["a2a.test"]],
      ["the DID", "both.test", ["both.test"]],
      ["characters without spaces between them", "天気", ["all.test"]],
      ["no record for characters in another order", "気天", []],
      ["no record for tsquery operators", "' | & ! <-> :* \\", []],
    ])("finds %s", async (_name, q, expected) => {
      expect([...(await found(indexer, { q }))].sort()).toEqual(expected);
    });

    it("finds records with all words first, then those with some", async () => {
      expect((await found(indexer, { q: "wea atl" }))[0]).toBe("rest.test");
      const some = await found(indexer, { q: "weather journey" });
      expect([...some].sort()).toEqual(["a2a.test", "all.test", "human.test", "mcp.test", "rest.test"]);
    });

    it("corrects a typing error, and reports the correction", async () => {
      const { results, corrected, matchedWords } = await search(indexer, { q: "wether in an atlsa" });
      expect(results[0]?.did).toBe("did:web:rest.test");
      expect(matchedWords).toEqual(["weather", "atlas"]);
      expect(corrected).toEqual([
        { from: "wether", to: "weather" },
        { from: "atlsa", to: "atlas" },
      ]);
    });

    it("combines words with every other filter", async () => {
      expect(await found(indexer, { q: "weather", traits: "api:rest" })).toEqual(["rest.test"]);
      expect(await found(indexer, { q: "weather", interface: 1 })).toHaveLength(2);
    });
  });

  describe("page by page", () => {
    it.each([
      ["newest", {}],
      ["updated", { sort: "updated" }],
      ["changed", { sort: "changed" }],
      ["name", { sort: "name" }],
      ["relevance", { q: "test" }],
    ])("lists each record once by %s, in the order of one long page", async (_name, query) => {
      const whole = await found(indexer, query);
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await search(indexer, { ...query, limit: 3, ...(cursor && { cursor }) });
        expect(page.results.length).toBeLessThanOrEqual(3);
        paged.push(...page.results.map(({ did }) => did.replace("did:web:", "")));
        cursor = page.nextCursor;
      } while (cursor);
      expect(paged).toEqual(whole);
      expect(whole.length).toBeGreaterThan(6);
    });

    it("sorts names without regard to case and accents, and nameless records by their DID", async () => {
      const dids = await found(indexer, { sort: "name", interface: 1 });
      expect(dids).toEqual(["human.test", "bare.test", "both.test", "all.test"]);
    });

    it("refuses an invalid cursor and one of another search", async () => {
      const { nextCursor } = await search(indexer, { limit: 1 });
      for (const query of [
        { cursor: "no-cursor" },
        { cursor: Buffer.from("[1]").toString("base64url") },
        { cursor: String(nextCursor), sort: "name" },
        { cursor: String(nextCursor), q: "weather" },
      ]) {
        const { status, type, body } = await get(indexer, "/search", query);
        expect(status).toBe(400);
        expect(type).toContain("application/problem+json");
        expect(body).toMatchObject({ code: "invalid-cursor", problems: [{ parameter: "cursor" }] });
      }
    });
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1e1", "limit"],
    ["interface=8", "interface"],
    ["status=gone", "status"],
    ["owner=0x12", "owner"],
    ["did=example.com", "did"],
    ["minVersion=1.0", "minVersion"],
    ["sort=rank", "sort"],
    ["match=some", "match"],
    [`traits=${Array.from({ length: 21 }, (_, i) => `t${i}`).join(",")}`, "traits"],
    ["traits=a%20b", "traits"],
    [`q=${"x".repeat(201)}`, "q"],
    ["trait=api:rest", "trait"],
    ["q=a&q=b", "q"],
  ])("responds to %s with a problem that names the parameter", async (query, parameter) => {
    const { status, type, body } = await get(indexer, "/search", query);
    expect(status).toBe(400);
    expect(type).toContain("application/problem+json");
    expect(body).toMatchObject({ status: 400, code: "invalid-parameter", problems: [{ parameter }] });
  });

  it("responds with 400 to an invalid didHash or version, and with an empty list to an unknown DID", async () => {
    expect((await get(indexer, "/apps/0x12/versions")).status).toBe(400);
    expect((await get(indexer, `/apps/${didHash("did:web:nobody.test")}/versions`)).body).toMatchObject({
      versions: [],
    });
    for (const version of ["1", "1.0.999", "1.0.007"]) {
      const { status } = await get(indexer, `/apps/${didHash("did:web:rest.test")}/versions`, { version });
      expect(status, version).toBe(400);
    }
  });
});
