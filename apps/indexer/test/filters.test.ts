import { trait } from "ponder:schema";
import { encodeCursor, InvalidCursorError } from "@app-registry/index/search/search";
import { parseSearchQuery, type SearchQueryInput, traitHash } from "@app-registry/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { appRow, db, fill } from "./harness/database.ts";
import { listIds, searchPage } from "./harness/searchPage.ts";

describe("a search under a DID", () => {
  const dids = [
    "did:web:partner.example",
    "did:web:partner.example:Team",
    "did:web:partner.example.attacker.net",
    "did:web:partner.example%3A8443",
    "did:web:partner.example%3A8443:a",
    "did:web:partner.example-b.net",
    `did:pkh:eip155:1:0xab${"0".repeat(38)}`,
  ];
  beforeEach(() => fill(dids.map((did, index) => appRow(BigInt(index + 1), { did }))));

  it.each([
    ["did:web:Partner.example", ["2", "1"]],
    ["did:web:partner.example%3A8443", ["5", "4"]],
    ["did:web:partner.example:Team", ["2"]],
    ["did:web:partner.example:Tea", []],
    [`DID:PKH:eip155:1:0xab${"0".repeat(38)}`, ["7"]],
  ])("finds the records of %s and of paths below it, newest first", async (under, expected) => {
    expect(await listIds({ under })).toEqual(expected);
  });
});

describe("a search by updatedSince", () => {
  beforeEach(() =>
    fill([
      appRow(1n, { changedAt: 50, changedBlock: 5 }),
      appRow(2n, { changedAt: 30, changedBlock: 3, status: 1 }),
      appRow(3n, { changedAt: 30, changedBlock: 3, status: 2 }),
      appRow(4n, { changedAt: 29, changedBlock: 2 }),
    ]),
  );

  it("lists records of any status, oldest change first, with the block of the change", async () => {
    const { results } = await searchPage({ updatedSince: 30 });
    expect(
      results.map(({ tokenId, status, changedAt, changedBlock }) => [
        tokenId,
        status,
        changedAt,
        changedBlock,
      ]),
    ).toEqual([
      ["2", 1, 30, 3],
      ["3", 2, 30, 3],
      ["1", 0, 50, 5],
    ]);
    expect(await listIds({ updatedSince: "1970-01-01T00:00:31Z" })).toEqual(["1"]);
    expect(await listIds({ updatedSince: 30, status: "active" })).toEqual(["1"]);
    expect(await listIds({ updatedSince: 51 })).toEqual([]);
  });
});

describe("facets", () => {
  const [mcp, maps, secret] = [traitHash("api:mcp"), traitHash("maps"), traitHash("secret")];

  beforeEach(async () => {
    await db.delete(trait);
    await db.insert(trait).values([
      { hash: mcp, label: "api:mcp" },
      { hash: maps, label: "maps" },
    ]);
    await fill([
      appRow(1n, { name: "One", interfaces: 3, traitHashes: [mcp, maps] }),
      appRow(2n, { name: "Two", interfaces: 2, traitHashes: [mcp, secret] }),
      appRow(3n, { name: "Three", interfaces: 4, traitHashes: [mcp] }),
      appRow(4n, { name: "Four", interfaces: 7, status: 1, traitHashes: [maps] }),
    ]);
  });

  it("are returned only on request", async () => {
    expect(await searchPage({})).not.toHaveProperty("total");
    expect(await searchPage({})).not.toHaveProperty("facets");
  });

  it("list traits by hash, with the string if it is indexed, and API types separately", async () => {
    const { total, facets } = await searchPage({ facets: true });
    expect(total).toEqual({ count: 3, exact: true });
    expect(facets).toEqual({
      traits: [
        { hash: maps, trait: "maps", count: 1 },
        { hash: secret, count: 1 },
      ],
      apiTypes: [{ hash: mcp, trait: "api:mcp", count: 3 }],
      interfaces: [
        { interface: 1, count: 1 },
        { interface: 2, count: 2 },
        { interface: 4, count: 1 },
      ],
    });
  });

  it("apply every filter and the words, and are the same on each page", async () => {
    expect((await searchPage({ facets: true, interface: 2, status: "any" })).total).toEqual({
      count: 3,
      exact: true,
    });
    expect((await searchPage({ facets: true, q: "two" })).facets?.traits).toEqual([
      { hash: secret, count: 1 },
    ]);
    const first = await searchPage({ facets: true, limit: 1 });
    const second = await searchPage({ facets: true, limit: 1, cursor: first.nextCursor as string });
    expect(second.results).not.toEqual(first.results);
    expect({ ...second, results: [], nextCursor: null }).toEqual({ ...first, results: [], nextCursor: null });
  });

  it("count the 10,000 newest matches, and mark the count as incomplete", async () => {
    await fill(
      Array.from({ length: 10_001 }, (_, index) =>
        appRow(BigInt(index + 1), { traitHashes: index ? [] : [maps] }),
      ),
    );
    const { total, facets } = await searchPage({ facets: true, limit: 1 });
    expect(total).toEqual({ count: 10_000, exact: false });
    expect(facets?.traits).toEqual([]);
  });
});

describe("hostile texts", () => {
  const nasty = [
    "'; drop table app; --",
    "' or 1=1 --",
    '") union select null --',
    "\\'; select pg_sleep(9); --",
    "$1 $2 ?::int",
    "a' & 'b':* | !'c' <-> 'd'",
    "'':A",
    "\0",
    "a\0b",
    "\ud800",
    "%_\\%",
    "*".repeat(200),
    "{a,b}",
    "😀 天気 ا",
  ];
  beforeEach(() => fill([appRow(3n, { name: "Only" }), appRow(2n, { name: "' or 1=1 --" })]));

  it.each(nasty)("are searched as words in q: %j", async (q) => {
    for (const sort of ["relevance", "newest", "name"] as const) {
      const { results } = await searchPage({ q, sort, facets: true }).catch((error) => {
        if (error.name === "InvalidSearchError") return { results: [] };
        throw error;
      });
      expect(results.map(({ name }) => name)).not.toContain("Only");
    }
    expect(await listIds({})).toEqual(["3", "2"]);
  });

  it.each(nasty)("are refused or match no record in other parameters: %j", async (text) => {
    for (const input of [
      { traits: [text] },
      { did: text },
      { under: `did:web:${text}` },
      { owner: text },
      { updatedSince: text },
      { minVersion: text },
      { cursor: text },
    ]) {
      const ids = await Promise.resolve()
        .then(() => listIds(input as SearchQueryInput))
        .catch((error) => {
          if (error instanceof InvalidCursorError || error.name === "InvalidSearchError") return [];
          throw error;
        });
      expect(ids).toEqual([]);
    }
  });

  it("are refused or decoded as a position in a forged cursor", async () => {
    for (const sort of ["relevance", "newest", "updated", "name"] as const) {
      const query = parseSearchQuery({ q: "only", sort });
      const real = await searchPage({ ...query, limit: 1 });
      expect(real.nextCursor).toBeNull();
      for (const place of [
        ...nasty.map((text) => ({ ranked: [], shown: 0, after: [text, "1"] })),
        ...[1e308, -1, 1.5, null].map((value) => ({ ranked: [], shown: 0, after: [value, "9".repeat(78)] })),
        { ranked: ["9"], shown: 1e308 },
        { ranked: ["9"], shown: -1 },
        { ranked: Array(100).fill("9".repeat(20)), shown: 100, after: [1e308, "1"] },
        { ranked: Array(100).fill("9"), shown: 100, after: [0, "'"] },
        ["1", "1"],
      ]) {
        const understood = { words: ["only"], least: 1, rarest: [], corrected: [] };
        const isHarmless = await searchPage({
          ...query,
          cursor: encodeCursor(query, { place, understood }),
        }).then(
          ({ results }) => results.every(({ name }) => name === "Only"),
          (error) => error instanceof InvalidCursorError,
        );
        expect(isHarmless).toBe(true);
      }
    }
  });
});
