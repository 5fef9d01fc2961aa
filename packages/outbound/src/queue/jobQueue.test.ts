import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createJobQueues, type JobQueues } from "../../test/jobQueues.ts";
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

describe("job queue", () => {
  let queues: JobQueues;
  let queue: JobQueue;
  /** Opens the same queue, as another process would. */
  let other: JobQueue;
  let now: number;
  beforeAll(async () => {
    queues = await createJobQueues();
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
  /** Claims and completes all due jobs, and returns their keys in order. */
  async function work(most = 1_000): Promise<string[]> {
    const keys: string[] = [];
    for (let claimed = await claim(); claimed && keys.length < most; claimed = await claim()) {
      keys.push(claimed.job.key);
      await done(claimed);
    }
    return keys;
  }
  const count = (...kinds: string[]) => queue.count({ now, overdueBefore: now - DAY, kinds });

  describe("jobs", () => {
    it("are claimed when due, starting with the host that has waited longest", async () => {
      await queue.enqueue([job(1), job(2, { dueAt: NOW - 5 }), job(3, { dueAt: NOW + 1 })]);
      expect(await work()).toEqual(["2", "1"]);
      now += 1;
      expect(await work()).toEqual(["3"]);
      expect(await claim()).toBeUndefined();
    });

    it("of one host are claimed one at a time by priority, then by due time", async () => {
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

    it("of several kinds share a host and are counted separately", async () => {
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
      expect(await count(...kinds)).toEqual({ due: 1, overdue: 0, failing: 4 });
      now += 10 * DAY;
      expect(await count(...kinds)).toEqual({ due: 4, overdue: 4, failing: 4 });
      expect(await count("tls")).toEqual({ due: 1, overdue: 1, failing: 1 });
    });

    it("restart when enqueued again, and the last duplicate in one call wins", async () => {
      await queue.enqueue([job(1)]);
      const claimed = await claim();
      if (claimed) await queue.reschedule({ ...claimed.job, dueAt: now + DAY, priority: 2, failures: 3 });
      await release(claimed);
      await queue.enqueue([job(1, { priority: 7 }), job(1, { priority: 1 })]);
      expect((await claim())?.job).toMatchObject({ key: "1", priority: 1, failures: 0, dueAt: NOW });
    });

    it("that are enqueued again while running keep the new values", async () => {
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

    it("that are removed and enqueued again while running are not changed by the old run", async () => {
      await queue.enqueue([job(1)]);
      const claimed = await claim();
      await queue.remove({ kind: "document", key: "1" });
      await queue.enqueue([job(1)]);
      await done(claimed);
      now += 2;
      expect(await work()).toEqual(["1"]);
    });

    it("that are removed while running can't be rescheduled", async () => {
      await queue.enqueue([job(1)]);
      const claimed = await claim();
      await queue.remove({ kind: "document", key: "1" });
      await done(claimed);
      now += DAY;
      expect(await count("document")).toMatchObject({ due: 0 });
      now += LEASE;
      expect(await claim()).toBeUndefined();
    });

    it("that are expedited run immediately, before others of their host, and keep their failures", async () => {
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

    it("that are expedited for an idle host are claimed as soon as the host is free", async () => {
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

    it("that are expedited while running or due do not run twice", async () => {
      await queue.enqueue([job(1, { dueAt: NOW - 5 })]);
      await queue.expedite({ kind: "document", key: "1", priority: 0, dueAt: now });
      const claimed = await claim();
      expect(claimed?.job.dueAt).toBe(NOW - 5);
      await queue.expedite({ kind: "document", key: "1", priority: 0, dueAt: now });
      await done(claimed);
      now += LEASE;
      expect(await claim()).toBeUndefined();
    });

    it("can be moved to another host, wait for its pause and keep their due time", async () => {
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
    it("are skipped if they are busy or their site is full", async () => {
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

    it("are leased to only one process at a time, by name or by a claim", async () => {
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

    it("are not claimed before their Retry-After has passed, even if it takes days", async () => {
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

    it("keep their number of failures between claims", async () => {
      await queue.enqueue([job(1)]);
      for (const failures of [0, 1, 2]) {
        const claimed = await claim();
        expect(claimed?.failures).toBe(failures);
        await release(claimed, now + 10, failures + 1);
        now += 10;
      }
    });

    it("without jobs are removed once they are free, but not before", async () => {
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

    it("are not removed while a job is enqueued for them", async () => {
      await queue.enqueue([job(1, { host: "a.test" })]);
      const claimed = await claim();
      if (claimed) await queue.remove(claimed.job);
      await Promise.all([release(claimed), other.enqueue([job(2, { host: "a.test" })])]);
      now += LEASE;
      expect(await work()).toEqual(["2"]);
    });
  });

  describe("processes", () => {
    it("that claim concurrently get different hosts, and each host once", async () => {
      await queue.enqueue(many(40, (position) => job(position)));
      const claims = await Promise.all(
        many(80, (position) => job(position)).map((_, position) => claim({}, position % 2 ? queue : other)),
      );
      const hosts = claims.flatMap((claimed) => claimed?.host ?? []);
      expect(new Set(hosts).size).toBe(hosts.length);
      // A claim returns nothing if all hosts are locked, so retry it.
      for (let claimed = await claim(); claimed; claimed = await claim()) hosts.push(claimed.host);
      expect(new Set(hosts).size).toBe(40);
      expect(hosts).toHaveLength(40);
    });

    it("that end between claim and reschedule leave the job to others when the claim expires", async () => {
      await queue.enqueue([job(1)]);
      const killed = await claim();
      now += LEASE - 1;
      expect(await claim({}, other)).toBeUndefined();
      now += 1;
      const next = await claim({}, other);
      expect(next?.job).toEqual(killed?.job);
    });

    it("that end between reschedule and release keep the new due time", async () => {
      await queue.enqueue([job(1)]);
      const killed = await claim();
      if (killed) await queue.reschedule({ ...killed.job, dueAt: now + DAY });
      now += LEASE;
      expect(await work()).toEqual([]);
      now = NOW + DAY;
      expect(await work()).toEqual(["1"]);
    });

    it("that enqueue jobs while others complete theirs lose none", async () => {
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
    it("that goes back does not free a host early", async () => {
      await queue.enqueue([job(1, { host: "a.test" }), job(2, { host: "a.test" })]);
      const claimed = await claim();
      now -= 3_600;
      expect(await claim()).toBeUndefined();
      expect(await queue.acquireHost("a.test", now, now + LEASE)).toBe(false);
      await done(claimed, now + DAY, now + 2);
      now += 3_600;
      expect(await work()).toEqual(["2"]);
    });

    it("that was years ahead delays no job beyond the maximum", async () => {
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

    it("that is right changes no times", async () => {
      await queue.enqueue([job(1, { dueAt: NOW + DAY })]);
      await queue.capDelays(now, DAY);
      now += DAY - 1;
      expect(await claim()).toBeUndefined();
      now += 1;
      expect(await work()).toEqual(["1"]);
    });
  });

  describe("untrusted publishers", () => {
    it("with 10,000 jobs on one host do not delay other hosts", async () => {
      await queue.enqueue(
        many(10_000, (position) => job(`big ${position}`, { host: "big.test", dueAt: NOW - 9 })),
      );
      await queue.enqueue(many(100, (position) => job(position)));
      const first = await work();
      expect(first).toHaveLength(101);
      expect(first.filter((key) => key.startsWith("big"))).toHaveLength(1);
      now += 2;
      expect(await work()).toHaveLength(1);
      expect(await count("document")).toMatchObject({ due: 9_998 });
    });

    it("with 10,000 hosts of one site do not delay other sites", async () => {
      await queue.enqueue(
        many(10_000, (position) => job(position, { host: `${position}.site.test`, dueAt: NOW - 9 })),
      );
      await queue.enqueue([job("other", { host: "other.test" })]);
      expect(await claim({ full: ["site.test"] })).toMatchObject({ job: { key: "other" } });
      expect(await claim({ full: ["site.test"] })).toBeUndefined();
    });

    it("may use any text as host and key", async () => {
      const host = `a'"\\ü\u2028.test`;
      await queue.enqueue([job(`'"\\ü $1 \u2028`, { host }), job(2, { host: "" })]);
      expect((await work()).sort()).toEqual([`'"\\ü $1 \u2028`, "2"]);
    });
  });
});
