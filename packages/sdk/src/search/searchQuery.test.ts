import { codePoint, nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { InvalidSearchError, parseSearchParams, parseSearchQuery, searchQuerySchema } from "./searchQuery.ts";
import { searchPageSchema } from "./searchResult.ts";

describe("search query", () => {
  it("has defaults: Active records, all traits, 20 results", () => {
    expect(parseSearchQuery({})).toEqual({ match: "all", status: 0, facets: false, limit: 20 });
  });

  it("is parsed from a query string", () => {
    const query = Object.fromEntries(
      new URLSearchParams(
        "traits=API:mcp,, weather&match=any&interface=2&q= rain &status=deprecated&limit=5&minVersion=1.2.0" +
          "&owner=0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266&did=did:web:Example.com&sort=name&cursor=abc",
      ),
    );
    expect(parseSearchQuery(query)).toEqual({
      traits: ["api:mcp", "weather"],
      match: "any",
      interface: 2,
      q: "rain",
      status: 1,
      limit: 5,
      facets: false,
      minVersion: { major: 1, minor: 2, patch: 0 },
      owner: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      did: "did:web:example.com",
      sort: "name",
      cursor: "abc",
    });
  });

  it("is not changed by parsing it again", () => {
    const query = parseSearchQuery({
      traits: "a,b",
      interface: "3",
      status: "any",
      minVersion: "1.2.3",
      q: "x",
    });
    expect(parseSearchQuery(query)).toEqual(query);
  });

  it("is parsed from an options object", () => {
    const query = parseSearchQuery({ traits: ["api:rest"], interface: 7, status: "any", limit: 100 });
    expect(query).toMatchObject({ traits: ["api:rest"], interface: 7, status: "any", limit: 100 });
    expect(parseSearchQuery({ status: 2 }).status).toBe(2);
  });

  it("treats an empty text as absent", () => {
    expect(parseSearchQuery({ q: "  ", traits: "" })).toMatchObject({ q: undefined, traits: [] });
  });

  it.each([
    ["2026-01-02T03:04:05Z", 1767323045],
    ["2026-01-02T04:04:05.9+01:00", 1767323045],
    ["2026-01-02", 1767312000],
    ["1767323045", 1767323045],
    [1767323045, 1767323045],
  ])("accepts the time %s, and defaults to any status then", (updatedSince, seconds) => {
    expect(parseSearchQuery({ updatedSince })).toMatchObject({ updatedSince: seconds, status: "any" });
    expect(parseSearchQuery({ updatedSince, status: "active" }).status).toBe(0);
  });

  it.each([
    ["DID:Web:Example.com%3a8443:Team", "did:web:example.com%3A8443:Team"],
    ["did:web:MÜNCHEN.example:x", "did:web:xn--mnchen-3ya.example:x"],
  ])("normalizes the DID %s of under to %s", (under, expected) => {
    expect(parseSearchQuery({ under }).under).toBe(expected);
  });

  it("is parsed from the query of a URL, and names every invalid parameter", () => {
    expect(parseSearchParams(new URLSearchParams("q=rain&facets=true"))).toMatchObject({
      q: "rain",
      facets: true,
    });
    const wrong = new URLSearchParams(
      "limit=0&q=a&q=b&trait=x&interfaces=2&status=gone&did=x&facets=yes&q=c",
    );
    const findProblems = () => {
      try {
        return parseSearchParams(wrong);
      } catch (error) {
        return (error as InvalidSearchError).problems.map(({ parameter }) => parameter);
      }
    };
    expect(findProblems()).toEqual(
      expect.arrayContaining(["q", "limit", "trait", "interfaces", "status", "did", "facets"]),
    );
    expect(findProblems()).toHaveLength(7);
  });

  it.each([
    ["interface", { interface: "8" }],
    ["updatedSince", { updatedSince: "2026-01-02T03:04:05" }],
    ["updatedSince", { updatedSince: 1767323045000 }],
    ["updatedSince", { updatedSince: -1 }],
    ["under", { under: "example.com" }],
    ["under", { under: "did:web:example.com:" }],
    ["under", { under: "did:web:example.com", did: "did:web:example.com" }],
    ["sort", { sort: "relevance" }],
    ["sort", { sort: "newest", updatedSince: 1 }],
    ["facets", { facets: "1" }],
    ["interface", { interface: 0 }],
    ["interface", { interface: "two" }],
    ["limit", { limit: 101 }],
    ["owner", { owner: "0x12" }],
    ["did", { did: "example" }],
    ["minVersion", { minVersion: "1.0" }],
    ["traits", { traits: "a b" }],
    ["traits", { traits: Array.from({ length: 21 }, (_, index) => `t${index}`).join(",") }],
    ["match", { match: "none" }],
    ["attested", { attested: "true" }],
    ["q", { q: "x".repeat(201) }],
    ["trait", { trait: "api:mcp" }],
  ])("names the invalid parameter %s of %o", (parameter, query) => {
    expect(() => parseSearchQuery(query)).toThrow(InvalidSearchError);
    try {
      parseSearchQuery(query);
    } catch (error) {
      expect((error as InvalidSearchError).problems.map((problem) => problem.parameter)).toEqual([parameter]);
    }
  });

  it.each([
    [{ status: "gone" }, 'status: expected "0", "1", "2", "active", "deprecated", "replaced", "any"'],
    [{ sort: "size" }, 'sort: expected "relevance", "newest"'],
    [{ limit: 1_000 }, "limit: at most 100."],
    [{ limit: 0 }, "limit: at least 1."],
    [{ traits: 5 }, "traits: expected a list."],
    [{ updatedSince: "soon" }, "updatedSince: expected a time, such as 2026-01-31T00:00:00Z."],
  ])("describes the expected value of %j", (query, text) => {
    expect(() => parseSearchQuery(query)).toThrow(`The search is not valid: ${text}`);
  });

  it("has a JSON Schema, as has its result page", () => {
    expect(z.toJSONSchema(searchQuerySchema, { io: "input" })).toMatchObject({ type: "object" });
    const { properties } = z.toJSONSchema(searchPageSchema);
    expect(properties).toMatchObject({ source: { enum: ["index", "chain"] } });
  });

  it("throws only InvalidSearchError, and is not changed by parsing it again", () => {
    const traits = nearly(fc.constantFrom("api:mcp", "API:rest, maps", "a,,b"), [",", " ", ":", "İ"]);
    const number = fc.oneof(
      fc.integer({ min: -1, max: 101 }),
      fc.constantFrom("1", "7", "100", "1e1", "0x5", " 5", "5.0"),
    );
    const version = nearly(fc.constantFrom("1.2.3", "255.255.255"), [".", "0"]);
    const part = fc.integer({ min: -1, max: 256 });
    const fields: Record<string, fc.Arbitrary<unknown>> = {
      traits: fc.oneof(traits, fc.array(traits)),
      match: fc.constantFrom("all", "any", "ALL"),
      interface: number,
      q: fc.string({ unit: codePoint, maxLength: 210 }),
      status: fc.constantFrom("active", "0", 0, 3, "any", "Active"),
      owner: nearly(
        fc.constantFrom(
          "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        ),
        ["0", "F", "x"],
      ),
      did: nearly(
        fc.constantFrom(
          "did:web:Example.com%3a8443",
          "did:pkh:eip155:1:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
        ),
        ["%", ":"],
      ),
      minVersion: fc.oneof(version, fc.record({ major: part, minor: part, patch: part })),
      under: nearly(fc.constantFrom("did:web:Example.com%3a8443:a", "did:web:example.com"), ["%", ":"]),
      updatedSince: fc.oneof(number, fc.constantFrom("2026-01-02", "2026-01-02T03:04:05+01:00", "2026")),
      facets: fc.constantFrom(true, "true", "false", "1"),
      sort: fc.constantFrom("relevance", "newest", "size"),
      limit: number,
      cursor: fc.string(),
    };
    const query = fc.record(
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
          name,
          fc.oneof({ weight: 9, arbitrary: field }, fc.anything()),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: query }, fc.dictionary(fc.string(), fc.anything())),
        (given) => {
          const parsed = unlessRefused(() => parseSearchQuery(given), InvalidSearchError);
          if (parsed !== undefined) expect(parseSearchQuery(parsed)).toEqual(parsed);
        },
      ),
    );
  });
});
