import { liveRecord, requestProbe, secondsBetweenChecks } from "@app-registry/index/live";
import { DOCUMENT_QUEUE, PROBE_KIND } from "@app-registry/index/workerTables";
import { createSqlJobQueue } from "@app-registry/outbound/internal";
import { liveRecordSchema, type ServiceProbe } from "@app-registry/sdk";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appRow, fill, session, workerDatabase, workerSchemas } from "./harness/database.ts";

const NOW = 1_800_000_000;
const betweenChecks = secondsBetweenChecks(31337);
const { offchain } = workerSchemas;
const run = (text: string, values: unknown[] = []) => workerDatabase.query(text, values);
const queue = createSqlJobQueue(run, offchain, DOCUMENT_QUEUE.scope);

const asking = { betweenChecks, queue };

const [one, two, deprecated, unasked] = [appRow(1n), appRow(2n), appRow(3n, { status: 1 }), appRow(4n)];
const of = ({ didHash, major }: Pick<typeof one, "didHash" | "major">) => ({ didHash, major });

const probe = (changes: Partial<ServiceProbe> = {}): ServiceProbe => ({
  ...{ outcome: "answers", drift: "same", probedAt: (NOW - 3_600) * 1_000, endpoints: [] },
  ...changes,
});

/** Stores a probe of this version in the worker's row of a record. */
const probed = (record: typeof one, answer: ServiceProbe | null, dataHash: string = record.dataHash) =>
  run(
    `insert into ${offchain}.probe (token_id, did_hash, queued_hash, data_hash, algorithm, outcome, drift, answer, probed_at, answered_at)
    values ($1, $2, $3, $3, 0, $4, $5, $6, $7, $7)`,
    [
      ...[String(record.tokenId), record.didHash, dataHash, answer?.outcome ?? null, answer?.drift ?? null],
      ...[answer && JSON.stringify(answer), NOW - 3_600.5],
    ],
  );

const asked = (record: typeof one, dueAt: number, host = "a.test") =>
  queue.enqueue([{ kind: PROBE_KIND, key: String(record.tokenId), host, priority: 2, dueAt }]);

beforeAll(async () => {
  await fill([one, two, deprecated, unasked]);
});

beforeEach(async () => {
  for (const table of ["probe", "probe_day", "queue_job", "queue_host"]) {
    await run(`delete from ${offchain}.${table}`);
  }
});

describe("liveRecord", () => {
  it("returns the last probe, the last response, the next probe and the history, oldest first", async () => {
    const answer = probe({ drift: "changed" });
    await probed(one, answer);
    await asked(one, NOW + 60.25);
    await run(
      `insert into ${offchain}.probe_day (token_id, day, answers, other_protocol, changed, latency_ms)
      values (1, '2026-11-24', 1, 2, 1, 230), (1, '2026-09-01', 30, 0, 0, null), (2, '2026-11-24', 1, 0, 0, 9)`,
    );
    const record = await liveRecord(session, of(one));
    expect(record).toEqual({
      ...{ did: one.did, version: "1.0.0", dataHash: one.dataHash },
      ...{ probe: answer, answeredAt: NOW - 3_601, nextAt: NOW + 60 },
      history: [
        { period: "2026-09-01", outcomes: { answers: 30 }, changed: 0 },
        { period: "2026-11-24", outcomes: { answers: 1, "other-protocol": 2 }, changed: 1, latencyMs: 230 },
      ],
    });
    expect(liveRecordSchema.parse(record)).toEqual(record);
  });

  it("returns no probe of a version that was not probed, even if an earlier one was", async () => {
    await probed(one, null);
    await probed(two, probe(), `0x${"ee".repeat(32)}`);
    expect(await liveRecord(session, of(one))).toMatchObject({ probe: null, nextAt: null, history: [] });
    expect(await liveRecord(session, of(two))).toMatchObject({ probe: null, answeredAt: NOW - 3_601 });
  });

  it("returns no probe of the record that the token belonged to before a reorganization", async () => {
    await probed({ ...one, didHash: two.didHash }, probe());
    await run(`insert into ${offchain}.probe_day (token_id, day, answers) values (1, '2026-11-24', 1)`);
    expect(await liveRecord(session, of(one))).toMatchObject({ probe: null, answeredAt: null, history: [] });
  });

  it("returns the next probe after the pause of its host", async () => {
    await asked(one, NOW - 5);
    await queue.extendHostLease("a.test", NOW + 500);
    expect((await liveRecord(session, of(one)))?.nextAt).toBe(NOW + 500);
  });

  it("returns undefined if there is no record", async () => {
    expect(await liveRecord(session, { ...of(one), major: 2 })).toBeUndefined();
  });
});

describe("requestProbe", () => {
  const first = () => queue.claim({ now: NOW, until: NOW + 60 });

  it("moves the probe ahead of the others of its host and keeps its failure count", async () => {
    await asked(one, NOW + 10_000);
    await asked(two, NOW - 60);
    await run(`update ${offchain}.queue_job set failures = 5 where key = '1'`);
    expect(await requestProbe(session, of(one), { ...asking, now: NOW })).toEqual({ nextAt: NOW });
    expect((await first())?.job).toMatchObject({ key: "1", priority: 0, failures: 5, dueAt: NOW });
  });

  // @threat documents: Probing one victim again and again, or against robots.txt or Retry-After
  it("does not shorten the pause of a host", async () => {
    await asked(one, NOW + 10_000);
    await queue.extendHostLease("a.test", NOW + 5_000);
    expect(await requestProbe(session, of(one), { ...asking, now: NOW })).toEqual({ nextAt: NOW + 5_000 });
    expect(await first()).toBeUndefined();
  });

  // @threat documents: Probing one victim again and again, or against robots.txt or Retry-After
  it("limits probes of the same version, not probes after a new version", async () => {
    await asked(one, NOW + 10_000);
    await asked(two, NOW + 10_000, "b.test");
    await probed(one, probe({ probedAt: (NOW - betweenChecks + 2) * 1_000 }));
    await probed(two, probe({ probedAt: NOW * 1_000 }), `0x${"ee".repeat(32)}`);
    expect(await requestProbe(session, of(one), { ...asking, now: NOW })).toEqual({ retryAfter: 2 });
    expect(await requestProbe(session, of(two), { ...asking, now: NOW })).toEqual({ nextAt: NOW });
    expect(await requestProbe(session, of(one), { ...asking, now: NOW + 2 })).toEqual({ nextAt: NOW + 2 });
  });

  it("refuses a record that has no job, is not Active or does not exist", async () => {
    await asked(deprecated, NOW);
    expect(await requestProbe(session, of(unasked), { ...asking, now: NOW })).toBe("not-asked");
    expect(await requestProbe(session, of(deprecated), { ...asking, now: NOW })).toBe("not-asked");
    expect(await requestProbe(session, { ...of(one), major: 9 }, { ...asking, now: NOW })).toBe("not-found");
  });
});
