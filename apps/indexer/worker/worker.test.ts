import { describe, expect, it } from "vitest";
import { useWorker, weather } from "../test/harness/worker.ts";

describe("a worker", () => {
  const used = useWorker();

  it("continues where a stopped worker ended, without repeating finished requests", async () => {
    const hosts = await Promise.all([used.newHost(), used.newHost()]);
    for (let tokenId = 1; tokenId <= 12; tokenId++) {
      const dataUrl = hosts[tokenId % 2]?.put(`/${tokenId}.json`, weather) ?? "";
      await used.index.mint({ tokenId, dataUrl, metadata: weather });
    }
    const stopped = new AbortController();
    await used.worker.look();
    await used.worker.begin(stopped.signal);
    await used.worker.settled();
    used.clock += 3;
    await used.worker.look();
    await used.worker.begin(stopped.signal);
    stopped.abort();
    await used.worker.settled();
    used.restart();
    await used.pass(20);
    const asked = hosts.flatMap(({ requests }) => requests.map(({ path }) => path));
    expect(new Set(asked).size).toBe(12);
    // Requests that the stop interrupted are repeated.
    expect(asked.length).toBeLessThanOrEqual(14);
    for (let tokenId = 1; tokenId <= 12; tokenId++) {
      expect(await used.index.label(tokenId)).toMatchObject({ name: "Weather" });
    }
  });

  it("shares the hosts with another worker, one request at a time for each", async () => {
    const hosts = await Promise.all(Array.from({ length: 9 }, () => used.newHost()));
    let answer: () => void = () => undefined;
    let answers: Promise<void>;
    for (const [position, host] of hosts.entries()) {
      for (const tokenId of [2 * position + 1, 2 * position + 2]) {
        const dataUrl = host.on(`/${tokenId}.json`, async (_, response) => {
          await answers;
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(weather));
        });
        await used.index.mint({ tokenId, dataUrl, metadata: weather });
      }
    }
    const workers = [0, 1].map(() => {
      used.restart({ concurrency: 4 });
      return used.worker;
    });
    await workers[0]?.look();
    const { signal } = new AbortController();
    const countSent = () => hosts.reduce((sum, { requests }) => sum + requests.length, 0);
    for (const sent of [8, 9, 17, 18]) {
      answers = new Promise((resolve) => {
        answer = resolve;
      });
      for (const worker of workers) await worker.begin(signal);
      answer();
      await Promise.all(workers.map((worker) => worker.settled()));
      expect(countSent()).toBe(sent);
      used.clock++;
    }
    expect(hosts.flatMap(({ requests }) => requests).filter(({ underWay }) => underWay > 0)).toEqual([]);
  });

  it.each([
    ["is being built", "_ponder_meta", `value = '{"is_ready": 0}'`, `value = '{"is_ready": 1}'`],
    ["indexes blocks again after a restart", "head", "number = 0", "number = 1"],
  ])("sends no request while the index %s", async (_state, table, before, after) => {
    const host = await used.newHost();
    const { database, schemas } = used.index;
    await used.index.mint({ tokenId: 1, dataUrl: host.put("/a.json", weather), metadata: weather });
    await database.query(`update ${schemas.index}.${table} set ${before}`);
    await used.pass(5);
    expect(host.requests).toHaveLength(0);
    await database.query(`update ${schemas.index}.${table} set ${after}`);
    await used.pass(1);
    expect(host.requests).toHaveLength(1);
  });

  it("scans all records in steps, and finds changes that it missed", async () => {
    const host = await used.newHost();
    used.restart({ walkStep: 3, hostGap: 0 });
    for (let tokenId = 1; tokenId <= 10; tokenId++) {
      const at = tokenId * 1_000;
      await used.index.mint({
        tokenId,
        at,
        dataUrl: host.put(`/${tokenId}.json`, weather),
        metadata: weather,
      });
    }
    await used.pass(12);
    expect(host.requests).toHaveLength(10);
  });
});
