import { app, head } from "ponder:schema";
import { getOrder, selectOrderedPage } from "@app-registry/index/search/search";
import { parseSearchQuery, type SearchQueryInput, type SearchResult } from "@app-registry/sdk";
import { testSeed } from "@app-registry/test-kit/testSeed";
import fc from "fast-check";
import { eq } from "ponder";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { collectAllPages } from "./harness/collectAllPages.ts";
import {
  appRow,
  db,
  documentLabels,
  explain,
  fill,
  label,
  session,
  workerDatabase,
  workerSchemas,
} from "./harness/database.ts";
import { searchPage } from "./harness/searchPage.ts";

const { offchain } = workerSchemas;

/** Sets the time of the last block. */
const mine = (timestamp: number) => db.update(head).set({ timestamp });

const changeOnChain = (tokenId: number, changedAt: number) =>
  db
    .update(app)
    .set({ changedAt })
    .where(eq(app.tokenId, BigInt(tokenId)));

const labelRecord = (tokenId: number, name: string) =>
  label(appRow(BigInt(tokenId)), documentLabels({ name, text: name, description: name }));

const unlabelled = (tokenId: number, changedAt: number) =>
  appRow(BigInt(tokenId), { changedAt, pointer: null });
const shown = ({ tokenId, changedAt, name }: SearchResult) => `${tokenId} ${changedAt} ${name ?? "-"}`;
const find = async (input: SearchQueryInput) =>
  (await searchPage({ limit: 100, ...input })).results.map(shown);

beforeEach(async () => {
  await db.delete(head);
  await db.insert(head).values({ chainId: 31337, number: 1, hash: "0x01", timestamp: 1 });
  await workerDatabase.run(`truncate ${offchain}.label, ${offchain}.record, ${offchain}.change`);
  await fill([1, 2, 3, 4].map((tokenId) => unlabelled(tokenId, tokenId * 10)));
  await mine(100);
  await labelRecord(2, "Weather");
});

describe("a record whose document is found after its last change on the chain", () => {
  it("is listed at the time when the document was found", async () => {
    expect(await find({ updatedSince: 0 })).toEqual(["1 10 -", "3 30 -", "4 40 -", "2 100 Weather"]);
    expect(await find({ updatedSince: 41 })).toEqual(["2 100 Weather"]);
    expect(await find({ updatedSince: 101 })).toEqual([]);
    expect(await find({ sort: "changed" })).toEqual(["2 100 Weather", "4 40 -", "3 30 -", "1 10 -"]);
    expect(await find({ updatedSince: 20, q: "weather" })).toEqual(["2 100 Weather"]);
    expect(await find({ updatedSince: 101, q: "weather" })).toEqual([]);
    expect(await find({ sort: "changed", q: "service" })).toHaveLength(4);
    for (const [since, count] of [
      [0, 4],
      [35, 2],
      [100, 1],
    ] as const) {
      const { total } = await searchPage({ updatedSince: since, facets: true });
      expect(total).toEqual({ count, exact: true });
    }
  });
});

describe("pages of changes, while documents are found", () => {
  const change = fc.record({
    at: fc.nat({ max: 299 }),
    what: fc.constantFrom("label", "version"),
  });

  it("repeat a record that changes at the end, and contain the others once, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ changedAt: fc.integer({ min: 1, max: 60 }), labelled: fc.boolean() }), {
          minLength: 60,
          maxLength: 120,
          size: "max",
        }),
        fc.integer({ min: 7, max: 60 }),
        fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 10 }),
        fc.constantFrom<SearchQueryInput>({ updatedSince: 0 }, { updatedSince: 0, q: "service" }),
        async (records, limit, changes, query) => {
          await workerDatabase.run(`truncate ${offchain}.label, ${offchain}.change`);
          await fill(records.map(({ changedAt }, index) => unlabelled(index + 1, changedAt)));
          for (const [index, { changedAt, labelled }] of records.entries()) {
            await mine(changedAt + (index % 40));
            if (labelled) await labelRecord(index + 1, "Found");
          }
          const touched = new Map<string, { page: number; time: number }>();
          let pages = 0;
          const met = await collectAllPages({ ...query, limit }, async (page) => {
            pages = page + 1;
            const time = 1_000 + page;
            await mine(time);
            for (const { at, what } of changes[page] ?? []) {
              const tokenId = (at % records.length) + 1;
              if (what === "label") await labelRecord(tokenId, `Renamed ${time}`);
              else await changeOnChain(tokenId, time);
              touched.set(String(tokenId), { page, time });
            }
          });
          const times = met.map(({ changedAt = 0 }) => changedAt);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          // Changes after the last page are on the pages of a later search.
          const again = await collectAllPages({ ...query, limit, updatedSince: times.at(-1) ?? 0 });
          for (const index of records.keys()) {
            const tokenId = String(index + 1);
            const isIt = (result: SearchResult) => result.tokenId === tokenId;
            const change = touched.get(tokenId);
            if (change === undefined) expect(met.filter(isIt), tokenId).toHaveLength(1);
            else {
              const inTime = change.page < pages - 1 ? met : again;
              expect(inTime.findLast(isIt)?.changedAt, tokenId).toBe(change.time);
            }
          }
        },
      ),
      { seed: testSeed(4), numRuns: 10 },
    );
  });

  it("list the last changes first, each once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.option(fc.integer({ min: 1, max: 80 }))), {
          minLength: 1,
          maxLength: 120,
        }),
        fc.integer({ min: 1, max: 40 }),
        async (records, limit) => {
          await workerDatabase.run(`truncate ${offchain}.label, ${offchain}.change`);
          await fill(records.map(([changedAt], index) => unlabelled(index + 1, changedAt)));
          for (const [index, [, labelledAt]] of records.entries()) {
            if (labelledAt === null) continue;
            await mine(labelledAt);
            await labelRecord(index + 1, "Found");
          }
          const expected = records
            .map(
              ([changedAt, labelledAt], index) => [Math.max(changedAt, labelledAt ?? 0), index + 1] as const,
            )
            .toSorted(([a, one], [b, other]) => b - a || other - one);
          const met = await collectAllPages({ sort: "changed", limit });
          expect(met.map(({ changedAt, tokenId }) => [changedAt, Number(tokenId)])).toEqual(expected);
        },
      ),
      { seed: testSeed(5), numRuns: 30 },
    );
  });
});

describe("a page of changes among many records", () => {
  it("reads only the ends of indexes, also if each record's document was found later", async () => {
    await workerDatabase.run(`
        delete from app where token_id > 1;
        create index changed on app (changed_at, token_id);
        create index token on app (token_id);
        create index majors on app (did_hash, major);
        create temp table one as select * from app;
        insert into app select (jsonb_populate_record(one, jsonb_build_object('token_id', number,
          'changed_at', number, 'did_hash', number))).* from one, generate_series(2, 10000) number;
        drop table one;
        insert into ${offchain}.change select number, number + 5 from generate_series(1, 10000) number
          on conflict (token_id) do update set changed_at = excluded.changed_at;
        analyze`);
    onTestFinished(() => workerDatabase.run("drop index changed, token, majors"));
    for (const query of [{ updatedSince: 0 }, { updatedSince: 9_990 }, { sort: "changed" }] as const) {
      const search = parseSearchQuery(query);
      const [plan, ...others] = await explain(async () =>
        session.db.execute(
          await selectOrderedPage(session, search, getOrder(search), {
            understood: undefined,
            limit: search.limit + 1,
          }),
        ),
      );
      expect(others).toEqual([]);
      // Ignore the tables of attestations, which have at most one row here.
      expect(plan).not.toMatch(/Seq Scan on "?(app|change)/);
      const read = [...(plan ?? "").matchAll(/actual .*rows=([\d.]+) loops=(\d+)/g)].map(
        ([, rows, loops]) => Number(rows) * Number(loops),
      );
      expect(read.length).toBeGreaterThan(5);
      expect(Math.max(...read)).toBeLessThan(100);
    }
  });
});
