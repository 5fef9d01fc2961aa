import { app } from "ponder:schema";
import type { SearchQueryInput, SearchResult } from "@app-registry/sdk";
import { testSeed } from "@app-registry/test-kit/testSeed";
import fc from "fast-check";
import { eq, sql } from "ponder";
import { describe, expect, it } from "vitest";
import { collectAllPages } from "./harness/collectAllPages.ts";
import { analyze, appRow, db, fill } from "./harness/database.ts";
import { listIds } from "./harness/searchPage.ts";

const byNumber = (a: string, b: string) => Number(a) - Number(b);
const toIds = async (found: Promise<SearchResult[]>) => (await found).map(({ tokenId }) => tokenId);

const mentions = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    appRow(BigInt(index + 10), { name: "Portal", text: "about weather" }),
  );

describe("a search by text over more records than are ranked", () => {
  it("lists the service with exactly that name before hundreds of newer ones whose names begin with it", async () => {
    const newer = Array.from({ length: 300 }, (_, index) =>
      appRow(BigInt(index + 10), { name: `Weather ${index}` }),
    );
    await fill([appRow(1n, { name: "Wéather" }), ...newer]);
    expect(await listIds({ q: "weather", limit: 1 })).toEqual(["1"]);
  });

  it("lists names before mentions regardless of age, then the others oldest first", async () => {
    await fill([appRow(2_000n, { name: "City weather" }), ...mentions(600)]);
    await analyze();
    const met = await toIds(collectAllPages({ q: "weather", limit: 100 }));
    expect(met[0]).toBe("2000");
    expect(met.slice(1).sort(byNumber)).toEqual(
      Array.from({ length: 600 }, (_, index) => String(index + 10)),
    );
    expect(met.slice(100)).toEqual(met.slice(100).sort(byNumber));
  });

  it("loses and repeats no unchanged record while others are minted, withdrawn and renamed between pages", async () => {
    const words = fc.constantFrom(
      { name: "Weather" },
      { name: "Weather map" },
      { name: "Portal", text: "weather weather" },
      { name: "Portal", text: "the weather of a city" },
      { name: "Portal", text: "of a city" },
    );
    const change = fc.record({
      at: fc.nat({ max: 899 }),
      to: fc.constantFrom(
        { status: 1 },
        { status: 0 },
        appRow(1n, { name: "Weather" }),
        appRow(1n, { name: "Gone" }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: 300, maxLength: 900, size: "max" }),
        fc.integer({ min: 20, max: 100 }),
        fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 12 }),
        fc.constantFrom<SearchQueryInput>(
          { q: "weather" },
          { q: "weath", interface: 2 },
          { q: "weather", sort: "newest" },
          { q: "weather", sort: "updated" },
          { q: "weather", sort: "name" },
          { q: "weather", sort: "changed" },
        ),
        fc.boolean(),
        async (services, limit, changes, query, hasStatistics) => {
          await fill(services.map((words, index) => appRow(BigInt(index + 1), words)));
          await db.execute(hasStatistics ? sql`analyze app` : sql`delete from pg_statistic`);
          const before = new Set(
            services.flatMap((words, index) =>
              JSON.stringify(words).includes("eather") ? [String(index + 1)] : [],
            ),
          );
          const touched = new Set<string>();
          const paged = collectAllPages({ ...query, limit }, async (page) => {
            const minted = BigInt(services.length + 1 + page);
            await db.insert(app).values(appRow(minted, { name: "Weather" }));
            touched.add(String(minted));
            for (const { at, to } of changes[page] ?? []) {
              const tokenId = BigInt((at % services.length) + 1);
              touched.add(String(tokenId));
              const {
                tokenId: _id,
                did: _did,
                didHash: _hash,
                ...set
              } = { tokenId, did: "", didHash: "", ...to };
              await db.update(app).set(set).where(eq(app.tokenId, tokenId));
            }
          });
          const met = await toIds(paged);
          expect(new Set(met).size).toBe(met.length - countAgain(met, touched));
          expect(met.filter((id) => !touched.has(id)).sort()).toEqual(
            [...before].filter((id) => !touched.has(id)).sort(),
          );
        },
      ),
      { seed: testSeed(6), numRuns: process.env.TEST_LONG ? 25 : 10 },
    );
  });
});

/** Counts repetitions of changed records, whose position may differ. */
function countAgain(met: readonly string[], touched: ReadonlySet<string>): number {
  const changed = met.filter((id) => touched.has(id));
  return changed.length - new Set(changed).size;
}
