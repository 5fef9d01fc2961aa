import { serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJobQueues } from "../../test/jobQueues.ts";
import { createGuardedFetch } from "./guardedFetch.ts";
import { readRetryAfter } from "./guardedFetchError.ts";
import { createKeyedLock, createPoliteFetch } from "./politeFetch.ts";

const later = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

describe("createKeyedLock", () => {
  it("runs the tasks of one key in sequence, even after a failure", async () => {
    const lock = createKeyedLock();
    const log: string[] = [];
    const task = (name: string, fails = false) =>
      lock("key", async () => {
        log.push(`${name} starts`);
        await later();
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([task("a"), task("b", true), task("c")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(log).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  it("runs the tasks of different keys concurrently", async () => {
    const lock = createKeyedLock();
    let running = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, ++running);
      await later();
      running--;
    };
    await Promise.all([lock("a", task), lock("b", task)]);
    expect(most).toBe(2);
  });
});

const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 30_000 });

describe("a host's Retry-After", () => {
  it("is not shortened by a concurrent response of the same conversation", async () => {
    let answerLate: () => unknown = () => undefined;
    const origin = await serveHttp((request, response) => {
      if (request.url === "/stream") answerLate = () => response.writeHead(405).end();
      else response.writeHead(429, { "retry-after": "7200" }).end();
    });
    const held: number[] = [];
    const store = {
      acquireHost: async () => true,
      extendHostLease: async (_host: string, until: number) => void held.push(until),
    };
    const { fetch } = createPoliteFetch(guardedFetch, {
      ...{ store, spacing: 2, longestPause: 86_400, now: () => 0, second: 1 },
    });
    const stream = fetch(`${origin}/stream`, { headers: { accept: "text/event-stream" } });
    await expect.poll(() => String(answerLate)).toContain("405");
    expect((await fetch(`${origin}/post`, { method: "POST" })).status).toBe(429);
    answerLate();
    expect((await stream).status).toBe(405);
    expect(held.at(-1)).toBe(7_200);
  });

  it("is capped at the maximum pause if it is infinite", () => {
    expect(readRetryAfter("9".repeat(400))).toBe(Number.MAX_SAFE_INTEGER);
    expect(readRetryAfter("soon")).toBeUndefined();
  });
});

describe("a server that redirects every request to a victim", () => {
  // @threat documents: Probing one victim again and again, or against robots.txt or Retry-After
  it("sends the victim only a few requests per conversation", async () => {
    let asked = 0;
    const victim = await serveHttp((_, response) => {
      asked++;
      response.writeHead(200).end();
    });
    const origin = await serveHttp((_, response) =>
      response.writeHead(307, { location: `${victim}/` }).end(),
    );
    const store = { acquireHost: async () => true, extendHostLease: async () => undefined };
    const { openSession } = createPoliteFetch(guardedFetch, {
      ...{ store, spacing: 2, longestPause: 86_400, now: () => 0, second: 1 },
    });
    const session = openSession();
    const ping = () => session.fetch(`${origin}/`, { method: "POST" }).then(({ status }) => status);
    for (let sent = 0; sent < 20; sent++) expect(await ping()).toBe(200);
    await expect(ping()).rejects.toMatchObject({ code: "too-many-requests" });
    session.close();
    expect(asked).toBe(20);
  });
});

describe("a host that is the target of a redirect", () => {
  const SPACING = 10;

  /** Starts two hosts, of which the first redirects to the second, and a polite fetcher for each conversation. */
  async function startHosts() {
    let time = 1_000;
    const asked: string[] = [];
    const second = await serveHttp((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    const first = await serveHttp((request, response) => {
      const location = request.url === "/itself" ? "/own" : `${second}${request.url}`;
      if (request.url !== "/own") return void response.writeHead(302, { location }).end();
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    const queues = await createJobQueues();
    onTestFinished(() => queues.stop());
    const [store] = queues.open();
    const options = { store, spacing: SPACING, longestPause: 60, now: () => time, second: 1 };
    const read = (url: string) => createPoliteFetch(guardedFetch, options).fetchDocument(url);
    const pass = (seconds: number) => {
      time += seconds;
    };
    return { first, second, asked, read, pass };
  }
  const isBusy = (origin: string) => ({ name: "HostBusyError", host: new URL(origin).host });

  it("is not requested during its pause, and is paused like the first host", async () => {
    const { first, second, asked, read, pass } = await startHosts();
    await read(`${second}/a`);
    await expect(read(`${first}/a`)).rejects.toMatchObject(isBusy(second));
    expect(asked).toHaveLength(1);
    pass(SPACING);
    expect(await read(`${first}/a`)).toMatchObject({ url: `${second}/a` });
    await expect(read(`${second}/a`)).rejects.toMatchObject(isBusy(second));
    await expect(read(`${first}/own`)).rejects.toMatchObject(isBusy(first));
  });

  it("may be the same host", async () => {
    const { first, read } = await startHosts();
    expect(await read(`${first}/itself`)).toMatchObject({ url: `${first}/own` });
  });
});
