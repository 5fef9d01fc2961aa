import { describe, expect, it } from "vitest";
import { settings, useWorker, weather } from "../test/harness/worker.ts";

// The queue's own tests hold the rules of its jobs, hosts and processes. These show that the worker uses them.
describe("a worker", () => {
  const used = useWorker();

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

  it("retries an unreachable host after growing delays, and stores the document once it responds", async () => {
    const host = await used.newHost();
    const dataUrl = host.put("/a.json", weather);
    await host.down();
    await used.index.mint({ tokenId: 1, dataUrl, metadata: weather });
    await used.pass(1);
    expect(await used.index.record(1)).toMatchObject({ state: "unreachable", failures: 1 });
    used.clock += 57;
    await used.pass(2);
    expect(await used.index.record(1)).toMatchObject({ failures: 1 });
    await used.pass(1);
    expect(await used.index.record(1)).toMatchObject({ failures: 2 });
    await host.up();
    used.clock += 117;
    await used.pass(2);
    expect(host.requests).toHaveLength(0);
    await used.pass(1);
    expect(host.requests).toHaveLength(1);
    expect(await used.index.record(1)).toMatchObject({ state: "served", failures: 0 });
    expect(await used.index.label(1)).toMatchObject({ name: "Weather" });
  });

  it("sends one request at a time to a host, seconds apart, without delaying other hosts", async () => {
    const [big, small] = [await used.newHost(), await used.newHost()];
    for (const [host, count] of [
      [big, 6],
      [small, 2],
    ] as const) {
      for (let number = 0; number < count; number++) {
        const dataUrl = host.put(`/${number}.json`, weather);
        await used.index.mint({ tokenId: count * 10 + number, dataUrl, metadata: weather });
      }
    }
    await used.pass(4);
    expect([big.requests.length, small.requests.length]).toEqual([2, 2]);
    await used.pass(14);
    expect(big.requests).toHaveLength(6);
    for (const [position, { at, underWay }] of big.requests.entries()) {
      expect(underWay).toBe(0);
      expect(at - (big.requests[position - 1]?.at ?? 0)).toBeGreaterThanOrEqual(settings.hostGap);
    }
  });

  it("checks Active records before others, and new records before checked ones", async () => {
    const host = await used.newHost();
    const mint = (tokenId: number, status: 0 | 1) =>
      used.index.mint({ tokenId, status, dataUrl: host.put(`/${tokenId}.json`, weather), metadata: weather });
    await mint(1, 1);
    await mint(2, 0);
    await used.pass(5);
    used.clock += settings.recheck * 2;
    await mint(3, 1);
    await mint(4, 0);
    await used.pass(10);
    expect(host.requests.map(({ path }) => path).join(" ")).toMatch(/^\/2.json \/1.json \/4.json \/3.json/);
  });
});
