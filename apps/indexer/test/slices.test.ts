import { parseSearchQuery, type SearchQueryInput, traitHash } from "@app-registry/sdk";
import { sql } from "ponder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COST } from "../src/api/search/lookup.ts";
import { appRow, db, explain, fill } from "./harness/database.ts";
import { follow } from "./harness/follow.ts";
import { searchPage } from "./harness/searchPage.ts";

/** Of 9,000 records: words of every frequency, in the name or in the prose, and traits of three. */
const services = Array.from({ length: 9_000 }, (_, index) => ({
  tokenId: BigInt(index + 1),
  name: `Service${index % 40 === 0 ? " forty" : ""}${index % 900 === 0 ? " rare" : ""}`,
  text: `${index % 2 ? "even" : "odd"}${index % 25 === 0 ? " quarter" : index % 75 === 8 ? " quarterly" : ""}${index < 300 ? " ancient" : ""}`,
  traits: index % 3 === 0 ? ["third"] : index % 500 === 1 ? ["seldom"] : index % 12 === 5 ? ["twelfth"] : [],
  // Every other record has a contract, but those of one trait only among the oldest.
  interfaces: index % 12 === 5 && index > 1_200 ? 2 : 2 + 4 * (index % 2),
}));

const holding = (words: readonly string[], trait?: string, bits = 2): string[] =>
  services
    .filter(({ name, text, traits, interfaces }) => {
      const all = `${name} ${text}`.toLowerCase().split(" ");
      const holds = words.every((word) => all.some((one) => one.startsWith(word)));
      return holds && (trait === undefined || traits.includes(trait)) && (interfaces & bits) === bits;
    })
    .map(({ tokenId }) => tokenId.toString());

beforeAll(async () => {
  await fill(
    services.map(({ traits, ...service }) =>
      appRow(service.tokenId, { ...service, traitHashes: traits.map(traitHash) }),
    ),
  );
  await db.execute(sql`analyze app`);
});

describe("a search by text among records of which most are not looked at", () => {
  it.each<[SearchQueryInput, string[]]>([
    [{ q: "service" }, holding(["service"])],
    [{ q: "forty" }, holding(["forty"])],
    [{ q: "quarter" }, holding(["quarter"])],
    [{ q: "quarter", traits: "third" }, holding(["quarter"], "third")],
    [{ q: "odd", traits: "seldom" }, holding(["odd"], "seldom")],
    [{ q: "ancient" }, holding(["ancient"])],
    [{ q: "rare" }, holding(["rare"])],
    [{ q: "forty quarter" }, holding(["forty", "quarter"])],
    [{ q: "serv od qua" }, holding(["serv", "od", "qua"])],
    [{ q: "absent" }, []],
  ])("finds each record that holds the words once: %j", async (query, expected) => {
    const found = await follow({ ...query, limit: 100 });
    expect(found.map(({ tokenId }) => tokenId).sort()).toEqual([...expected].sort());
  });

  it.each(["quarter", "even", "ancient"])(
    "shows the newest of those with %s in their prose first",
    async (q) => {
      const { results } = await searchPage(parseSearchQuery({ q, limit: 20 }));
      const newest = holding([q]).reverse();
      expect(results.map(({ tokenId }) => tokenId)).toEqual(newest.slice(0, 20));
    },
  );

  it("finds them behind the empty temporary table that a change of many rows leaves on PGlite", async () => {
    await db.execute(sql`create temporary table app (like public.app)`);
    const found = await follow({ q: "quarter", limit: 50 }).finally(() =>
      db.execute(sql`drop table pg_temp.app`),
    );
    expect(found).toHaveLength(holding(["quarter"]).length);
  });

  it("reads of a frequent word's records the newest alone", async () => {
    const [plan] = (await explain(() => searchPage(parseSearchQuery({ q: "quarter", limit: 1 })))).filter(
      (text) => text.includes("sliced"),
    );
    expect(plan).toMatch(/Bitmap Index Scan[\s\S]*#8\./);
    expect(plan).toMatch(/One-Time Filter[\s\S]*never executed/);
  });
});

describe("a search by traits that are neither frequent nor rare", () => {
  const withTrait = (bits?: number) => holding([], "twelfth", bits).reverse();

  // As in a larger registry, where planning is little beside reading.
  assume({ plan: 0 });

  it("looks through the newest records alone when these are enough", async () => {
    const [plan] = (
      await explain(() => searchPage(parseSearchQuery({ traits: "twelfth", limit: 100 })))
    ).filter((text) => text.includes("band"));
    expect(plan).toMatch(/One-Time Filter[\s\S]*never executed/);
  });

  it.each<[SearchQueryInput, string[]]>([
    [{ traits: "twelfth" }, withTrait()],
    [{ traits: "twelfth,third", match: "any" }, [...withTrait(), ...holding([], "third")]],
    [{ traits: "twelfth", interface: 6 }, withTrait(6)],
    [{ traits: "third" }, holding([], "third")],
    [{ traits: "seldom" }, holding([], "seldom")],
  ])("finds each of them once, newest first: %j", async (query, expected) => {
    const found = await follow({ ...query, limit: 100 });
    const newestFirst = [...expected].sort((a, b) => Number(b) - Number(a));
    expect(found.map(({ tokenId }) => tokenId)).toEqual(newestFirst);
  });
});

describe("a search by words that most records hold whole", () => {
  // As in a larger registry, where the index gives a hundred thousand records for the beginning of a word.
  assume({ beginningEntry: 1_000, statement: 0 });

  it("ranks the whole words, and has the others behind them", async () => {
    const { results, nextCursor } = await searchPage(parseSearchQuery({ q: "quarter", limit: 20 }));
    expect(results.length).toBe(20);
    const [, place] = JSON.parse(Buffer.from(nextCursor ?? "", "base64url").toString()) as [string, unknown];
    expect(place).toMatchObject({ whole: [0] });
  });

  it.each<[SearchQueryInput, string[]]>([
    [{ q: "quarter" }, holding(["quarter"])],
    [{ q: "quarter odd" }, holding(["quarter", "odd"])],
    [{ q: "forty quarter" }, holding(["forty", "quarter"])],
    [{ q: "service quarter", traits: "third" }, holding(["service", "quarter"], "third")],
    [{ q: "serv quarter" }, holding(["serv", "quarter"])],
  ])("finds each record that holds the words or their beginnings once: %j", async (query, expected) => {
    for (const limit of [7, 100]) {
      const found = await follow({ ...query, limit });
      expect(found.map(({ tokenId }) => tokenId).sort()).toEqual([...expected].sort());
    }
  });
});

/** Has the tests of a suite take other costs for granted. */
function assume(costs: Partial<typeof COST>): void {
  const known = { ...COST };
  beforeAll(() => void Object.assign(COST, costs));
  afterAll(() => void Object.assign(COST, known));
}
