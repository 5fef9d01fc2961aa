import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type JobQueues, jobQueues } from "../../test/jobQueues.ts";
import type { Claim, JobQueue, NewJob } from "./jobQueue.ts";

const NOW = 1_800_000_000;
const LEASE = 60;
const DAY = 86_400;

const job = (key: number | string, changes: Partial<NewJob> = {}): NewJob => ({
  ...{ kind: "document", key: String(key), host: `${key}.test`, priority: 0, dueAt: NOW },
  ...changes,
});
const many = (count: number, of: (position: number) => NewJob) =>
  Array.from({ length: count }, (_, position) => of(position));

describe.each(jobQueues)("a queue in %s", (_name, start) => {
  let queues: JobQueues;
  let queue: JobQueue;
  /** The same queue, as another process has it. */
  let other: JobQueue;
  let now: number;
  beforeAll(async () => {
    queues = await start();
  });
  afterAll(() => queues.stop());
  beforeEach(() => {
    [queue, other] = queues.open();
    now = NOW;
  });

  const claim = (spared: { busy?: string[]; full?: string[] } = {}, from = queue) =>
    from.claim({ now, until: now + LEASE, ...spared });
  const release = (claimed: Claim | undefined, freeAt = now, failures = 0) =>
    claimed && queue.release(claimed, { freeAt, failures });
  const done = async (claimed: Claim | undefined, dueAt = now + DAY, freeAt = now + 2) => {
    if (claimed) await queue.reschedule({ ...claimed.job, dueAt });
    await release(claimed, freeAt);
  };
  /** The keys of what can be claimed now, in order; each is done at once. */
  async function work(most = 1_000): Promise<string[]> {
    const keys: string[] = [];
    for (let claimed = await claim(); claimed && keys.length < most; claimed = await claim()) {
      keys.push(claimed.job.key);
      await done(claimed);
    }
    return keys;
  }
  const count = (kind?: string) => queue.count({ now, overdueBefore: now - DAY, ...(kind && { kind }) });

  describe("jobs", () => {
    it("are claimed when they are due, those of the host first that waits longest", async () => {
      await queue.enqueue([job(1), job(2, { dueAt: NOW - 5 }), job(3, { dueAt: NOW + 1 })]);
      expect(await work()).toEqual(["2", "1"]);
      now += 1;
      expect(await work()).toEqual(["3"]);
      expect(await claim()).toBeUndefined();
    });

    it("of a host come by their priority, then by how long they wait, one at a time", async () => {
      const host = "a.test";
      await queue.enqueue([
        job(1, { host, priority: 2, dueAt: NOW - 9 }),
        job(2, { host, priority: 1 }),
        job(3, { host, priority: 1, dueAt: NOW - 1 }),
        job(4, { host, dueAt: NOW + 4 }),
      ]);
      const first = await claim();
      expect(first).toMatchObject({ host, site: host, failures: 0, until: now + LEASE });
      expect(first?.job).toMatchObject({ ...job(3, { host, priority: 1, dueAt: NOW - 1 }), failures: 0 });
      expect(await claim()).toBeUndefined();
      await done(first);
      expect(await claim()).toBeUndefined();
      now += 2;
      expect(await work()).toEqual(["2"]);
      now += 2;
      expect(await work()).toEqual(["4"]);
      now += 2;
      expect(await work()).toEqual(["1"]);
    });

    it("of several kinds share a host, keep apart by kind, and are counted by it", async () => {
      const host = "a.test";
      const kinds = ["document", "handshake", "tls", "docs"];
      await queue.enqueue(
        kinds.map((kind, priority) => job(1, { kind, host, priority, dueAt: NOW - 2 * DAY })),
      );
      const asked: (string | undefined)[] = [];
      for (let turn = 0; turn < 4; turn++, now += 2) {
        const claimed = await claim();
        asked.push(claimed?.job?.kind);
        if (claimed) {
          const wait = { document: DAY, handshake: 60, tls: 3_600, docs: 7 * DAY }[claimed.job.kind] ?? 0;
          await queue.reschedule({ ...claimed.job, dueAt: now + wait, failures: 1 });
        }
        await release(claimed, now + 2);
      }
      expect(asked).toEqual(kinds);
      now = NOW + 62;
      expect((await claim())?.job).toMatchObject({ kind: "handshake", failures: 1 });
      expect(await count()).toEqual({ jobs: 4, due: 1, overdue: 0, failing: 4 });
      now += 10 * DAY;
      expect(await count()).toEqual({ jobs: 4, due: 4, overdue: 4, failing: 4 });
      expect(await count("tls")).toEqual({ jobs: 1, due: 1, overdue: 1, failing: 1 });
    });

    it("that are put again begin anew, and the last of several in one call counts", async () => {
      await queue.enqueue([job(1)]);
      const claimed = await claim();
      if (claimed) await queue.reschedule({ ...claimed.job, dueAt: now + DAY, priority: 2, failures: 3 });
      await release(claimed);
      await queue.enqueue([job(1, { priority: 7 }), job(1, { priority: 1 })]);
      expect((await claim())?.job).toMatchObject({ key: "1", priority: 1, failures: 0, dueAt: NOW });
    });

    it("that are put again while they run keep what they were put with", async () => {
      await queue.enqueue([job(1)]);
      const claimed = await claim();
      await queue.enqueue([job(1, { host: "b.test", dueAt: now + 10 })]);
      await done(claimed);
      if (claimed) await queue.remove(claimed.job);
      expect(await work()).toEqual([]);
      now += 9;
      expect(await work()).toEqual([]);
      now += 1;
      expect(await claim()).toMatchObject({ host: "b.test", job: { key: "1", failures: 0 } });
    });

    it("that are removed and put again while they run are no longer the same", async () => {
      await queue.enqueue([job(1)]);
      const claimed = await claim();
      await queue.remove({ kind: "document", key: "1" });
      await queue.enqueue([job(1)]);
      await done(claimed);
      now += 2;
      expect(await work()).toEqual(["1"]);
    });

    it("that are removed while they run are settled for nobody", async () => {
      await queue.enqueue([job(1)]);
      const claimed = await claim();
      await queue.remove({ kind: "document", key: "1" });
      await done(claimed);
      expect(await count()).toMatchObject({ jobs: 0 });
      now += LEASE;
      expect(await claim()).toBeUndefined();
    });

    it("that are hastened are due at once, before the others of their host, and keep their failures", async () => {
      const host = "a.test";
      await queue.enqueue([job(1, { host }), job(2, { host, priority: 1 }), job(3, { host })]);
      const claimed = await claim();
      if (claimed) await queue.reschedule({ ...claimed.job, dueAt: now + DAY, priority: 2, failures: 3 });
      await release(claimed, now + 2);
      now += 2;
      expect(await work(1)).toHaveLength(1);
      now += 10;
      expect(await other.expedite({ kind: "document", key: "1", priority: 0, dueAt: now })).toBe(true);
      expect(await queue.expedite({ kind: "document", key: "9", priority: 0, dueAt: now })).toBe(false);
      expect((await claim())?.job).toMatchObject({ key: "1", priority: 0, failures: 3, dueAt: now });
    });

    it("that are hastened in an idle line are claimed, but no sooner than their host allows", async () => {
      await queue.enqueue([job(1)]);
      await done(await claim(), now + DAY, now + 2);
      now += 2;
      expect(await claim()).toBeUndefined();
      await queue.extendHostLease("1.test", now + 100);
      await queue.expedite({ kind: "document", key: "1", priority: 0, dueAt: now });
      now += 99;
      expect(await claim()).toBeUndefined();
      now += 1;
      expect((await claim())?.job).toMatchObject({ key: "1", dueAt: now - 100 });
    });

    it("that are hastened while they run, or are due already, run no second time for it", async () => {
      await queue.enqueue([job(1, { dueAt: NOW - 5 })]);
      await queue.expedite({ kind: "document", key: "1", priority: 0, dueAt: now });
      const claimed = await claim();
      expect(claimed?.job.dueAt).toBe(NOW - 5);
      await queue.expedite({ kind: "document", key: "1", priority: 0, dueAt: now });
      await done(claimed);
      now += LEASE;
      expect(await claim()).toBeUndefined();
    });

    it("come to the line of another host, behind its pause, and wait as long as before", async () => {
      await queue.enqueue([job(1), job(2, { host: "b.test", dueAt: NOW - 1 })]);
      await done(await claim());
      const claimed = await claim();
      expect(claimed?.job?.key).toBe("1");
      if (claimed) await queue.reschedule({ ...claimed.job, host: "b.test" });
      await release(claimed);
      expect(await work()).toEqual([]);
      now += 2;
      expect(await claim()).toMatchObject({ host: "b.test", job: { key: "1", dueAt: NOW } });
    });
  });

  describe("hosts", () => {
    it("that are busy, and all of sites that are full, are left out", async () => {
      await queue.enqueue([
        job(1, { host: "a.big.test", dueAt: NOW - 3 }),
        job(2, { host: "b.big.test", dueAt: NOW - 2 }),
        job(3, { host: "small.test", dueAt: NOW - 1 }),
      ]);
      expect(await claim({ busy: ["a.big.test", "b.big.test", "small.test"] })).toBeUndefined();
      expect(await claim({ full: ["big.test", "small.test"] })).toBeUndefined();
      expect(await claim({ full: ["big.test"] })).toMatchObject({ host: "small.test", site: "small.test" });
      expect(await claim({ busy: ["a.big.test"] })).toMatchObject({ host: "b.big.test", site: "big.test" });
    });

    it("are taken by one at a time, by name or by a claim, until they are free", async () => {
      await queue.enqueue([job(1, { host: "a.test" })]);
      expect(await queue.acquireHost("a.test", now, now + LEASE)).toBe(true);
      expect(await other.acquireHost("a.test", now, now + LEASE)).toBe(false);
      expect(await claim()).toBeUndefined();
      await queue.extendHostLease("a.test", now + 10);
      now += 10;
      expect(await claim()).toMatchObject({ host: "a.test" });
      expect(await queue.acquireHost("a.test", now, now + LEASE)).toBe(false);
      const both = [queue, other].map((one) => one.acquireHost("c.test", now, now + LEASE));
      expect((await Promise.all(both)).sort()).toEqual([false, true]);
    });

    it("wait for as long as their Retry-After asks, days too, whatever is put for them", async () => {
      await queue.enqueue([job(1, { host: "a.test" }), job(2, { host: "a.test" })]);
      const claimed = await claim();
      await queue.extendHostLease("a.test", now + 5 * DAY);
      await done(claimed, now + DAY);
      await queue.enqueue([job(3, { host: "a.test" })]);
      now += 5 * DAY - 1;
      expect(await claim()).toBeUndefined();
      now += 1;
      expect(await work()).toEqual(["2"]);
    });

    it("count their failures from claim to claim", async () => {
      await queue.enqueue([job(1)]);
      for (const failures of [0, 1, 2]) {
        const claimed = await claim();
        expect(claimed?.failures).toBe(failures);
        await release(claimed, now + 10, failures + 1);
        now += 10;
      }
    });

    it("are forgotten without jobs once they are free, and not before", async () => {
      await queue.enqueue([job(1, { host: "a.test" })]);
      const claimed = await claim();
      expect(await queue.acquireHost("b.test", now, now + LEASE)).toBe(true);
      await queue.extendHostLease("b.test", now + 5);
      if (claimed) await queue.remove(claimed.job);
      await release(claimed, now + 5, 1);
      expect(await queue.acquireHost("a.test", now + 4, now + LEASE)).toBe(false);
      now += 5;
      expect(await claim()).toBeUndefined();
      await queue.enqueue([job(1, { host: "a.test" })]);
      expect(await claim()).toMatchObject({ host: "a.test", failures: 0 });
    });

    it("are not forgotten while somebody puts a job for them", async () => {
      await queue.enqueue([job(1, { host: "a.test" })]);
      const claimed = await claim();
      if (claimed) await queue.remove(claimed.job);
      await Promise.all([release(claimed), other.enqueue([job(2, { host: "a.test" })])]);
      now += LEASE;
      expect(await work()).toEqual(["2"]);
    });
  });

  describe("processes", () => {
    it("that claim at once get different hosts, and each host once", async () => {
      await queue.enqueue(many(40, (position) => job(position)));
      const claims = await Promise.all(
        many(80, (position) => job(position)).map((_, position) => claim({}, position % 2 ? queue : other)),
      );
      const hosts = claims.flatMap((claimed) => claimed?.host ?? []);
      expect(new Set(hosts).size).toBe(hosts.length);
      // A claim that finds every host locked is left with none, and comes again.
      for (let claimed = await claim(); claimed; claimed = await claim()) hosts.push(claimed.host);
      expect(new Set(hosts).size).toBe(40);
      expect(hosts).toHaveLength(40);
    });

    it("that are killed between claim and settle leave the job to the next, once the claim is over", async () => {
      await queue.enqueue([job(1)]);
      const killed = await claim();
      now += LEASE - 1;
      expect(await claim({}, other)).toBeUndefined();
      now += 1;
      const next = await claim({}, other);
      expect(next?.job).toEqual(killed?.job);
    });

    it("that are killed between settle and release keep what was settled", async () => {
      await queue.enqueue([job(1)]);
      const killed = await claim();
      if (killed) await queue.reschedule({ ...killed.job, dueAt: now + DAY });
      now += LEASE;
      expect(await work()).toEqual([]);
      now = NOW + DAY;
      expect(await work()).toEqual(["1"]);
    });

    it("that put jobs while others end theirs lose none", async () => {
      for (let round = 0; round < 30; round++) {
        await queue.enqueue([job(1, { host: "a.test" })]);
        const claimed = await claim();
        await Promise.all([
          done(claimed, now + 100 * DAY, now),
          other.enqueue([job(`new ${round}`, { host: "a.test" })]),
        ]);
        now += LEASE;
        expect(await work(), `round ${round}`).toEqual([`new ${round}`]);
        now += DAY;
      }
    });
  });

  describe("a clock", () => {
    it("that goes back has no host asked sooner or by two", async () => {
      await queue.enqueue([job(1, { host: "a.test" }), job(2, { host: "a.test" })]);
      const claimed = await claim();
      now -= 3_600;
      expect(await claim()).toBeUndefined();
      expect(await queue.acquireHost("a.test", now, now + LEASE)).toBe(false);
      await done(claimed, now + DAY, now + 2);
      now += 3_600;
      expect(await work()).toEqual(["2"]);
    });

    it("that was years ahead holds up nothing for longer than anything ever waits", async () => {
      await queue.enqueue([
        job(1, { host: "a.test" }),
        job(2, { host: "b.test" }),
        job(3, { dueAt: NOW + DAY }),
      ]);
      now += 3_650 * DAY;
      await done(await claim());
      await queue.acquireHost("b.test", now, now + LEASE);
      now = NOW;
      await queue.capDelays(now, DAY);
      expect(await work()).toEqual(["2"]);
      now += DAY + LEASE;
      expect(await work()).toEqual(expect.arrayContaining(["1", "3"]));
    });

    it("that is right leaves all times alone", async () => {
      await queue.enqueue([job(1, { dueAt: NOW + DAY })]);
      await queue.capDelays(now, DAY);
      now += DAY - 1;
      expect(await claim()).toBeUndefined();
      now += 1;
      expect(await work()).toEqual(["1"]);
    });
  });

  describe("strangers", () => {
    it("with 10,000 jobs on a host hold up no host with one", async () => {
      await queue.enqueue(
        many(10_000, (position) => job(`big ${position}`, { host: "big.test", dueAt: NOW - 9 })),
      );
      await queue.enqueue(many(100, (position) => job(position)));
      const first = await work();
      expect(first).toHaveLength(101);
      expect(first.filter((key) => key.startsWith("big"))).toHaveLength(1);
      now += 2;
      expect(await work()).toHaveLength(1);
      expect(await count()).toMatchObject({ jobs: 10_100, due: 9_998 });
    });

    it("with 10,000 hosts behind one site hold up no other", async () => {
      await queue.enqueue(
        many(10_000, (position) => job(position, { host: `${position}.site.test`, dueAt: NOW - 9 })),
      );
      await queue.enqueue([job("other", { host: "other.test" })]);
      expect(await claim({ full: ["site.test"] })).toMatchObject({ job: { key: "other" } });
      expect(await claim({ full: ["site.test"] })).toBeUndefined();
    });

    it("may name hosts and keys as they like", async () => {
      const host = `a'"\\ü\u2028.test`;
      await queue.enqueue([job(`'"\\ü $1 \u2028`, { host }), job(2, { host: "" })]);
      expect((await work()).sort()).toEqual([`'"\\ü $1 \u2028`, "2"]);
    });
  });
});
