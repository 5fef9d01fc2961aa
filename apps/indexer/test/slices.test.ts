import { parseSearchQuery, type SearchQueryInput, traitHash } from "@app-registry/sdk";
import { sql } from "ponder";
import { beforeAll, describe, expect, it } from "vitest";
import { appRow, db, explain, fill } from "./harness/database.ts";
import { follow } from "./harness/follow.ts";
import { searchPage } from "./harness/searchPage.ts";

/** Of 3,000 records: words of every frequency, in the name or in the prose, and traits of two. */
const services = Array.from({ length: 3_000 }, (_, index) => ({
  tokenId: BigInt(index + 1),
  name: `Service${index % 40 === 0 ? " forty" : ""}${index % 900 === 0 ? " rare" : ""}`,
  text: `${index % 2 ? "even" : "odd"}${index % 25 === 0 ? " quarter" : ""}${index < 300 ? " ancient" : ""}`,
  traits: index % 3 === 0 ? ["third"] : index % 500 === 1 ? ["seldom"] : [],
}));

const holding = (words: readonly string[], trait?: string): string[] =>
  services
    .filter(({ name, text, traits }) => {
      const all = `${name} ${text}`.toLowerCase().split(" ");
      const holds = words.every((word) => all.some((one) => one.startsWith(word)));
      return holds && (trait === undefined || traits.includes(trait));
    })
    .map(({ tokenId }) => tokenId.toString());

beforeAll(async () => {
  await fill(
    services.map(({ tokenId, name, text, traits }) =>
      appRow(tokenId, { name, text, traitHashes: traits.map(traitHash) }),
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
