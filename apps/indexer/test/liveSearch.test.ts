import { app, head } from "ponder:schema";
import { insertChangesSql } from "@app-registry/index/workerTables";
import {
  type Drift,
  driftSchema,
  type LiveOutcome,
  liveOutcomes,
  type SearchQueryInput,
  type SearchResult,
} from "@app-registry/sdk";
import { testSeed } from "@app-registry/test-kit/testSeed";
import fc from "fast-check";
import { eq } from "ponder";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { documentStore } from "../worker/documents.ts";
import { collectAllPages } from "./harness/collectAllPages.ts";
import { appRow, db, fill, session, workerDatabase, workerSchemas } from "./harness/database.ts";
import { listIds, searchPage } from "./harness/searchPage.ts";

const { offchain } = workerSchemas;
const search = (input: SearchQueryInput) => searchPage({ limit: 100, ...input });
const getResult = async (tokenId: number) =>
  (await search({ status: "any" })).results.find((one) => one.tokenId === String(tokenId));

/** Stored probe of a record. Without an outcome, the record was not probed yet. */
type Probe = { outcome: LiveOutcome | null; drift?: Drift; probedAt?: number; answeredAt?: number | null };

/** Stores a probe of a record's current version like the prober. */
async function keep(tokenId: number, { outcome, drift = "same", probedAt = 90, answeredAt = null }: Probe) {
  await workerDatabase.query(
    `insert into ${offchain}.probe (token_id, did_hash, queued_hash, data_hash, algorithm, outcome, drift, probed_at, answered_at)
    select token_id, did_hash, data_hash, data_hash, data_hash_algorithm, $2, $3, $4, $5 from app where token_id = $1::numeric
    on conflict (token_id) do update set did_hash = excluded.did_hash, data_hash = excluded.data_hash,
      outcome = excluded.outcome, drift = excluded.drift, probed_at = excluded.probed_at,
      answered_at = excluded.answered_at`,
    [tokenId, outcome, outcome && drift, outcome && probedAt, answeredAt],
  );
}

const change = (tokenId: number, row: Partial<typeof app.$inferInsert>) =>
  db
    .update(app)
    .set(row)
    .where(eq(app.tokenId, BigInt(tokenId)));

const clear = () => workerDatabase.run(`truncate ${offchain}.probe, ${offchain}.change`);

describe("a search before the worker has created its tables", () => {
  beforeAll(async () => {
    session.hasWorkerTables = false;
    await fill([appRow(1n), appRow(2n, { pointer: null })]);
    await keep(1, { outcome: "answers" });
  });

  it("treats all services as not probed", async () => {
    expect(await getResult(1)).toMatchObject({ facts: { live: "unknown" } });
    expect(await getResult(1)).not.toHaveProperty("live");
    expect(await listIds({ live: "unknown" })).toEqual(["2", "1"]);
    expect(await listIds({ live: "answers" })).toEqual([]);
    expect(await listIds({ drift: "same" })).toEqual([]);
    expect(await listIds({ q: "service", live: "unknown" })).toHaveLength(2);
    session.hasWorkerTables = true;
    expect(await listIds({ live: "answers" })).toEqual(["1"]);
  });
});

describe("the live status of a search result", () => {
  beforeEach(async () => {
    await clear();
    await fill([appRow(1n, { name: "Weather" }), appRow(2n, { pointer: null })]);
  });

  it("contains the probe and the fact, for JSON on the chain and at dataUrl", async () => {
    await keep(1, { outcome: "answers", probedAt: 90.7, answeredAt: 90.7 });
    await keep(2, { outcome: "unreachable", drift: "not-comparable", answeredAt: 12 });
    expect(await getResult(1)).toMatchObject({
      live: { outcome: "answers", drift: "same", probedAt: 90, answeredAt: 90 },
      facts: { live: "pass", content: "pass" },
    });
    expect(await getResult(2)).toMatchObject({
      live: { outcome: "unreachable", drift: "not-comparable", probedAt: 90, answeredAt: 12 },
      facts: { live: "fail", content: "unknown" },
    });
  });

  it.each([
    ["answers", "changed", "fail"],
    ["gated", "same", "pass"],
    ["gated", "not-comparable", "pass"],
    ["failing", "not-comparable", "fail"],
    ["other-protocol", "not-comparable", "fail"],
    ["unknown", "not-comparable", "unknown"],
  ] as const)("converts outcome %s and drift %s to the fact: %s", async (outcome, drift, fact) => {
    await keep(1, { outcome, drift });
    expect(await getResult(1)).toMatchObject({ live: { outcome, drift }, facts: { live: fact } });
  });

  it("is absent before the first probe, and for another version, document or DID", async () => {
    const other = `0x${"ab".repeat(32)}` as const;
    await keep(1, { outcome: null });
    expect(await getResult(1)).not.toHaveProperty("live");
    expect(await listIds({ live: "unknown" })).toEqual(["2", "1"]);
    for (const row of [{ dataHash: other }, { didHash: other }, { dataHashAlgorithm: 1 }]) {
      await fill([appRow(1n)]);
      await keep(1, { outcome: "answers" });
      expect(await listIds({ live: "answers" })).toEqual(["1"]);
      await change(1, row);
      expect(await getResult(1)).toMatchObject({ facts: { live: "unknown" } });
      expect(await getResult(1)).not.toHaveProperty("live");
      expect(await listIds({ live: "answers" })).toEqual([]);
      expect(await listIds({ live: "unknown" })).toEqual(["1"]);
    }
  });
});

describe("a search by live outcome and drift", () => {
  const outcomes = fc.constantFrom(null, ...liveOutcomes);
  const record = fc.record({ outcome: outcomes, drift: fc.constantFrom(...driftSchema.options) });

  it("finds the records whose results match, page by page, and counts them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(record), { minLength: 20, maxLength: 60 }), async (probes) => {
        await clear();
        await fill(probes.map((_, index) => appRow(BigInt(index + 1), index % 2 ? { pointer: null } : {})));
        for (const [index, probe] of probes.entries()) if (probe) await keep(index + 1, probe);
        const all = (await search({ status: "any" })).results;
        const cases = [
          ...liveOutcomes.map((live) => ({
            query: { live },
            isFound: (result: SearchResult) => (result.live?.outcome ?? "unknown") === live,
          })),
          ...driftSchema.options.map((drift) => ({
            query: { drift },
            isFound: (result: SearchResult) => result.live?.drift === drift,
          })),
        ];
        for (const { query, isFound } of cases) {
          const expected = all.flatMap((result) => (isFound(result) ? [result.tokenId] : [])).sort();
          for (const words of [{}, { q: "service" }]) {
            const met = await collectAllPages({ ...query, ...words, limit: 7 });
            expect(met.map(({ tokenId }) => tokenId).sort()).toEqual(expected);
            const { total } = await search({ ...query, ...words, facets: true });
            expect(total).toEqual({ count: expected.length, exact: true });
          }
        }
      }),
      { seed: testSeed(3), numRuns: 5 },
    );
  });
});

describe("a search by relevance", () => {
  beforeEach(async () => {
    await clear();
    await fill(
      [1, 2, 3].map((tokenId) => {
        const account = `0x${String(tokenId).padStart(40, "0")}` as const;
        return appRow(BigInt(tokenId), { name: "Rain map", owner: account, minter: account });
      }),
    );
  });

  it.each([
    { outcome: "failing", drift: "not-comparable" },
    { outcome: "other-protocol", drift: "not-comparable" },
    { outcome: "unreachable", drift: "not-comparable" },
    { outcome: "answers", drift: "changed" },
  ] as const)("ranks a dead service after similar ones: %j", async (probe) => {
    for (const q of ["rain", "rain map"]) {
      expect(await listIds({ q })).toEqual(["1", "2", "3"]);
      await keep(1, probe);
      await keep(3, { outcome: "answers" });
      expect(await listIds({ q })).toEqual(["2", "3", "1"]);
      await clear();
    }
  });

  it("ranks a service that was not probed, or is gated, like one that responds", async () => {
    await keep(1, { outcome: "unknown", drift: "not-comparable" });
    await keep(3, { outcome: "gated" });
    expect(await listIds({ q: "rain" })).toEqual(["1", "2", "3"]);
  });
});

describe("a search by updatedSince", () => {
  it("lists records with JSON on the chain that only a probe changed, at the time of the change", async () => {
    await clear();
    await fill([1, 2, 3].map((tokenId) => appRow(BigInt(tokenId), { changedAt: tokenId * 10 })));
    await db.delete(head);
    await db.insert(head).values({ chainId: 31337, number: 1, hash: "0x01", timestamp: 100 });
    await keep(2, { outcome: "unreachable", drift: "not-comparable" });
    await workerDatabase.query(insertChangesSql(workerSchemas, "(select 2::numeric as token_id)"));
    await documentStore(workerDatabase, workerSchemas).prune({ after: 0, until: 3 });
    const shown = async (query: SearchQueryInput) =>
      (await search(query)).results.map(({ tokenId, changedAt, live }) => [
        tokenId,
        changedAt,
        live?.outcome,
      ]);
    await expect.poll(() => shown({ updatedSince: 50 })).toEqual([["2", 100, "unreachable"]]);
    expect(await shown({ updatedSince: 0 })).toEqual([
      ["1", 10, undefined],
      ["3", 30, undefined],
      ["2", 100, "unreachable"],
    ]);
    expect((await shown({ sort: "changed" }))[0]).toEqual(["2", 100, "unreachable"]);
  });
});
