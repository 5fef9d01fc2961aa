import type { RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@app-registry/test-kit/eventually";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createJobQueues, type JobQueues } from "../../test/jobQueues.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import type { Job, JobQueue, NewJob } from "./jobQueue.ts";
import { createQueueWorker, type JobOutcome, type QueueWorkerOptions, retryDelay } from "./queueWorker.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;
const SPACING = 10 * SECOND;

let queues: JobQueues;
beforeAll(async () => {
  queues = await createJobQueues();
});
const guardedFetch = createGuardedFetch({ allowLoopback: true });
afterAll(() => Promise.all([guardedFetch.close(), queues.stop()]));
const { signal } = new AbortController();

let now: number;
let queue: JobQueue;
let errors: unknown[];
beforeEach(() => {
  now = 1_800_000_000_000;
  [queue] = queues.open();
  errors = [];
});

const job = (key: number | string, host = `${key}.test`, changes: Partial<NewJob> = {}): NewJob => ({
  ...{ kind: "document", key: String(key), host, priority: 0, dueAt: now },
  ...changes,
});
const many = <Item>(count: number, of: (position: number) => Item) =>
  Array.from({ length: count }, (_, i) => of(i));
/** Counts the jobs that are due at a time. */
const count = (at = now) => queue.count({ now: at, overdueBefore: at, kinds: ["document"] });
const tomorrow = (): JobOutcome => ({ dueAt: now + DAY, failures: 0 });

const start = (work: QueueWorkerOptions["work"], changes: Partial<QueueWorkerOptions> = {}) =>
  createQueueWorker({
    ...{
      queue,
      fetcherOf: () => guardedFetch,
      work,
      concurrency: 8,
      spacing: SPACING,
      longestPause: 7 * DAY,
      longestWait: 30 * DAY,
    },
    ...{ now: () => now, random: () => 1, onError: (error) => errors.push(error) },
    ...changes,
  });

/** Starts a host that responds by path and records its requests with their times. */
async function newHost(answer: RequestListener) {
  const asked: number[] = [];
  const origin = await serveHttp((request, response) => {
    asked.push(now);
    answer(request, response);
  });
  return { host: new URL(origin).host, url: `${origin}/a.json`, asked };
}
const serves: RequestListener = (_, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
const leadsTo =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end();

describe("running jobs", () => {
  it("reach the limit, each on another host and at most a quarter on one site", async () => {
    const working: string[] = [];
    const end = createGate();
    await queue.enqueue(
      many(20, (position) => job(`site ${position}`, `${position}.site.test`, { dueAt: now - DAY })),
    );
    await queue.enqueue(many(2, (position) => job(`twin ${position}`, "twin.test", { dueAt: now - 1 })));
    await queue.enqueue(many(20, (position) => job(position)));
    const worker = start(async ({ host }) => {
      working.push(host);
      await end.opened;
      return tomorrow();
    });
    await worker.begin(signal);
    expect(working).toHaveLength(8);
    expect(new Set(working).size).toBe(8);
    expect(working.filter((host) => host.endsWith("site.test"))).toHaveLength(2);
    expect(await worker.begin(signal)).toBe(0);
    end.open();
    await worker.settled();
    await worker.drain(signal, 1_000);
    expect(working).toHaveLength(42);
    expect(errors).toEqual([]);
  });

  it("do not exceed the limit of a pass, and jobs that become due in the meantime wait", async () => {
    await queue.enqueue(many(10, (position) => job(position)));
    const worker = start(async () => ({ dueAt: now, failures: 0 }));
    await worker.drain(signal, 4);
    expect(await count()).toMatchObject({ due: 10 });
    await worker.drain(signal, 0);
  });

  it("that end during a claim free their host for the next job", async () => {
    await queue.enqueue(many(3, (position) => job(position, "a.test")));
    let finished = 0;
    let finish: () => void = () => undefined;
    const claim: JobQueue["claim"] = async (options) => {
      const claimed = await queue.claim(options);
      if (options.busy?.length) {
        finish();
        await worker.settled();
      }
      return claimed;
    };
    const work = () =>
      new Promise<JobOutcome>((resolve) => {
        finish = () => resolve(tomorrow());
      }).finally(() => finished++);
    const worker = start(work, { queue: { ...queue, claim } });
    await worker.drain(signal, 10);
    expect(finished).toBe(3);
  });

  it("that are enqueued again restart regardless of the result of the first run", async () => {
    await queue.enqueue([job(1)]);
    let tries = 0;
    const worker = start(async () => {
      tries++;
      if (tries === 1) await queue.enqueue([job(1, "1.test", { dueAt: now + MINUTE })]);
      return "gone";
    });
    await worker.drain(signal, 10);
    now += MINUTE;
    await worker.drain(signal, 10);
    expect(tries).toBe(2);
    expect(await count(Number.POSITIVE_INFINITY)).toMatchObject({ due: 0 });
  });

  it("that fail unexpectedly are reported and retried after a minute, while others of their host run", async () => {
    const done: string[] = [];
    await queue.enqueue([job("poison", "a.test", { dueAt: now - DAY }), job(2, "a.test")]);
    const worker = start(async ({ key }) => {
      done.push(key);
      if (key === "poison") throw new Error("poison");
      return tomorrow();
    });
    await worker.drain(signal, 10);
    expect(done).toEqual(["poison", "2"]);
    now += MINUTE;
    await worker.drain(signal, 10);
    expect(done).toEqual(["poison", "2", "poison"]);
    expect(errors).toEqual([new Error("poison"), new Error("poison")]);
    expect(await count()).toMatchObject({ failing: 0 });
  });

  it("that are aborted stay due, and their host is requested again after its pause", async () => {
    const { host, url, asked } = await newHost(() => undefined);
    await queue.enqueue([job(1, host)]);
    const stopped = new AbortController();
    const cut = start(async (_, { fetchDocument }, signal) => {
      await fetchDocument(url, { signal });
      return tomorrow();
    });
    await cut.begin(stopped.signal);
    await eventually(() => expect(asked).toHaveLength(1));
    stopped.abort();
    await cut.settled();
    const done: string[] = [];
    const next = start(async ({ key }) => {
      done.push(key);
      return tomorrow();
    });
    await next.drain(signal, 10);
    expect(done).toEqual([]);
    now += SPACING;
    await next.drain(signal, 10);
    expect(done).toEqual(["1"]);
    expect(errors).toEqual([]);
  });
});

describe("a host", () => {
  const fetching = (urls: Record<string, string>) =>
    start(async ({ key }: Job, { fetchDocument }) => {
      const trouble = await fetchDocument(urls[key] ?? "").then(
        () => false,
        (error: Error) => {
          if (error.name === "HostBusyError") throw error;
          return true;
        },
      );
      return { ...(tomorrow() as object), isHostTrouble: trouble } as JobOutcome;
    });

  it("that is the target of many redirects gets one job at a time, and no job is lost", async () => {
    const target = await newHost(serves);
    const hosts = await Promise.all(many(6, () => newHost(leadsTo(target.url))));
    await queue.enqueue(hosts.map(({ host }) => job(host, host)));
    const worker = fetching(Object.fromEntries(hosts.map(({ host, url }) => [host, url])));
    for (let turn = 0; turn < 7; turn++, now += SPACING) await worker.drain(signal, 100);
    expect(target.asked).toHaveLength(6);
    const pauses = target.asked.slice(1).map((time, position) => time - (target.asked[position] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(SPACING);
    expect(await count()).toMatchObject({ due: 0, failing: 0 });
    expect(await count(Number.POSITIVE_INFINITY)).toMatchObject({ due: 6 });
    expect(errors).toEqual([]);
  });

  it("that sends Retry-After is not requested for days, unlike the host that redirected to it", async () => {
    const target = await newHost((_, response) => response.writeHead(503, { "retry-after": "432000" }).end());
    const first = await newHost(leadsTo(target.url));
    await queue.enqueue([job("through", target.host)]);
    const worker = fetching({ through: first.url, direct: target.url, other: first.url });
    await worker.drain(signal, 10);
    expect([first.asked.length, target.asked.length]).toEqual([1, 1]);
    await queue.enqueue([job("direct", target.host), job("other", first.host)]);
    now += SPACING;
    await worker.drain(signal, 10);
    expect([first.asked.length, target.asked.length]).toEqual([2, 1]);
    now += 5 * DAY - SPACING - 1;
    await worker.drain(signal, 10);
    expect(target.asked).toHaveLength(1);
    now += 1;
    await worker.drain(signal, 10);
    expect(target.asked).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it("that fails pauses all its jobs for a minute, then twice as long each time until it responds", async () => {
    let isTrouble = true;
    const tries: number[] = [];
    await queue.enqueue(many(9, (position) => job(position, "a.test")));
    const worker = start(async () => {
      tries.push(now);
      return { dueAt: now + DAY, failures: 0, isHostTrouble: isTrouble };
    });
    const begun = now;
    for (let minute = 0; minute <= 7; minute++, now += MINUTE) await worker.drain(signal, 10);
    expect(tries.map((time) => (time - begun) / MINUTE)).toEqual([0, 1, 3, 7]);
    isTrouble = false;
    now += DAY;
    await worker.drain(signal, 10);
    // These jobs send no requests, so no pause applies.
    expect(tries).toHaveLength(13);
  });
});

describe("workers of one queue", () => {
  it("run each job once, one per host at a time, and take over from a worker that ended", async () => {
    const both = queues.open();
    await both[0].enqueue(many(40, (position) => job(position, `${position % 10}.test`)));
    await both[0].enqueue([job("stuck", "stuck.test", { dueAt: now - 1 })]);
    const killed = start(() => new Promise(() => undefined), { queue: both[0] });
    await killed.begin(signal, 1);

    const [busy, done] = [new Set<string>(), [] as string[]];
    const work = async ({ host, key }: Job) => {
      expect(busy).not.toContain(host);
      busy.add(host);
      await sleep(1);
      busy.delete(host);
      done.push(key);
      return tomorrow();
    };
    const workers = both.map((queue) => start(work, { queue }));
    await Promise.all(workers.map((worker) => worker.drain(signal, 100)));
    for (const worker of workers) await worker.drain(signal, 100);
    expect(done).toHaveLength(40);
    expect(new Set(done).size).toBe(40);
    now += MINUTE;
    await workers[1]?.drain(signal, 100);
    expect(done[40]).toBe("stuck");
    expect(errors).toEqual([]);
  });

  it("never request a host between two requests of the other's conversation with it", async () => {
    const both = queues.open();
    const [arrived, tried] = [createGate(), createGate()];
    let underWay = 0;
    let most = 0;
    const shared = await newHost(async (_, response) => {
      most = Math.max(most, ++underWay);
      if (shared.asked.length === 2) {
        arrived.open();
        await tried.opened;
      }
      underWay--;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    await both[0].enqueue([job("first", shared.host), job("other", "other.test")]);
    const work: QueueWorkerOptions["work"] = async ({ key }, { fetchDocument }) => {
      if (key === "first") {
        await fetchDocument(shared.url);
        now += 2 * SPACING;
        await fetchDocument(shared.url);
      } else {
        await arrived.opened;
        await fetchDocument(shared.url).finally(tried.open);
      }
      return tomorrow();
    };
    const workers = both.map((queue) => start(work, { queue, concurrency: 1 }));
    for (const worker of workers) await worker.begin(signal);
    await Promise.all(workers.map((worker) => worker.settled()));
    expect([shared.asked.length, most]).toEqual([2, 1]);
    now += MINUTE;
    await workers[1]?.drain(signal, 10);
    expect(shared.asked).toHaveLength(3);
    expect(errors).toEqual([]);
  });
});

describe("a running worker", () => {
  it("reports errors of the queue or its step, continues, and ends after the running jobs", async () => {
    const stopped = new AbortController();
    let isAway = true;
    const done: string[] = [];
    const away: JobQueue = {
      ...queue,
      claim: (claim) => (isAway ? Promise.reject(new Error("away")) : queue.claim(claim)),
    };
    await queue.enqueue([job(1)]);
    const worker = start(
      async ({ key }) => {
        stopped.abort();
        await sleep(20);
        done.push(key);
        return tomorrow();
      },
      { queue: away },
    );
    const running = worker.run(stopped.signal, 1, () => worker.begin(stopped.signal));
    await eventually(() => expect(errors.length).toBeGreaterThan(1));
    isAway = false;
    await running;
    expect(done).toEqual(["1"]);
    expect(errors).toEqual(errors.map(() => new Error("away")));
    expect(await count()).toMatchObject({ due: 0 });
  });

  it("limits delays that a clock years ahead has caused", async () => {
    await queue.enqueue([
      job(1, "1.test", { dueAt: now + 3_650 * DAY }),
      job(2, "2.test", { dueAt: now + DAY }),
    ]);
    await queue.acquireHost("2.test", now, now + 3_650 * DAY);
    const done: string[] = [];
    const worker = start(async ({ key }) => {
      done.push(key);
      return { dueAt: now + 3_650 * DAY, failures: 0 };
    });
    await worker.drain(signal, 10);
    expect(done).toEqual([]);
    now += 30 * DAY;
    await worker.drain(signal, 10);
    expect(done.sort()).toEqual(["1", "2"]);
    now -= 1;
    await worker.drain(signal, 10);
    now += 30 * DAY;
    await worker.drain(signal, 10);
    expect(done).toHaveLength(4);
  });
});

describe("retryDelay", () => {
  it("doubles up to the limit and is reduced by up to a quarter at random", () => {
    const retries = { first: MINUTE, longest: 360 * MINUTE };
    const minutes = [1, 2, 3, 9, 10, 1_000_000].map(
      (failures) => retryDelay(failures, retries, () => 1) / MINUTE,
    );
    expect(minutes).toEqual([1, 2, 4, 256, 360, 360]);
    expect(retryDelay(1, retries, () => 0)).toBe(0.75 * MINUTE);
  });
});
