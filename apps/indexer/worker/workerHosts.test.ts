import { describe, expect, it } from "vitest";
import { settings, useWorker, weather } from "../test/harness/worker.ts";

describe("a worker, limiting requests to hosts", () => {
  const used = useWorker();

  it("retries an unreachable host after growing delays, and stores the document once it responds", async () => {
    const host = await used.newHost();
    const dataUrl = host.put("/a.json", weather);
    await host.down();
    await used.index.mint({ tokenId: 1, dataUrl, metadata: weather });
    await used.pass(1);
    expect(await used.index.record(1)).toMatchObject({ state: "unreachable", failures: 1 });
    await used.pass(59);
    expect(await used.index.record(1)).toMatchObject({ failures: 1 });
    await used.pass(1);
    expect(await used.index.record(1)).toMatchObject({ failures: 2 });
    await host.up();
    await used.pass(119);
    expect(host.requests).toHaveLength(0);
    await used.pass(1);
    expect(host.requests).toHaveLength(1);
    expect(await used.index.record(1)).toMatchObject({ state: "served", failures: 0 });
    expect(await used.index.label(1)).toMatchObject({ name: "Weather" });
  });

  it("pauses all records of an unreachable host, and retries at least every six hours", async () => {
    const host = await used.newHost();
    await host.down();
    for (let tokenId = 1; tokenId <= 5; tokenId++) {
      await used.index.mint({ tokenId, dataUrl: `${host.origin}/${tokenId}.json`, metadata: weather });
    }
    await used.pass(50);
    expect(used.events).toHaveLength(1);
    for (let round = 0; round < 40; round++) {
      used.clock += 6 * 3_600;
      await used.pass(1);
    }
    expect(used.events.length).toBeGreaterThan(40);
  });

  it("sends one request at a time to a host, seconds apart, without delaying other hosts", async () => {
    const big = await used.newHost();
    const small = await used.newHost();
    for (let tokenId = 1; tokenId <= 40; tokenId++) {
      await used.index.mint({ tokenId, dataUrl: big.put(`/${tokenId}.json`, weather), metadata: weather });
    }
    for (let tokenId = 41; tokenId <= 43; tokenId++) {
      await used.index.mint({ tokenId, dataUrl: small.put(`/${tokenId}.json`, weather), metadata: weather });
    }
    await used.pass(10);
    expect(small.requests).toHaveLength(3);
    expect(big.requests.length).toBeLessThanOrEqual(6);
    await used.pass(100);
    expect(big.requests).toHaveLength(40);
    for (const { requests } of [big, small]) {
      for (const [position, { at, underWay }] of requests.entries()) {
        expect(underWay).toBe(0);
        expect(at - (requests[position - 1]?.at ?? 0)).toBeGreaterThanOrEqual(settings.hostGap);
      }
    }
  });

  it("limits requests to a host that redirects lead to, and still reads its documents", async () => {
    const popular = await used.newHost();
    const url = popular.put("/a.json", weather);
    for (let tokenId = 1; tokenId <= 6; tokenId++) {
      const host = await used.newHost();
      const dataUrl = host.on("/a.json", (_, response) => response.writeHead(302, { location: url }).end());
      await used.index.mint({ tokenId, dataUrl, metadata: weather });
    }
    await used.index.mint({ tokenId: 7, dataUrl: url, metadata: weather });
    // The host serves one of several simultaneous redirects. The worker retries the others later.
    for (let round = 0; round < 8; round++) {
      await used.pass(3);
      used.clock += 3_600;
    }
    for (let tokenId = 1; tokenId <= 7; tokenId++) {
      expect(await used.index.record(tokenId)).toMatchObject({ state: "served" });
    }
    expect(popular.requests).toHaveLength(7);
    for (const [position, { at, underWay }] of popular.requests.entries()) {
      expect(underWay).toBe(0);
      expect(at - (popular.requests[position - 1]?.at ?? 0)).toBeGreaterThanOrEqual(settings.hostGap);
    }
  });

  it("deletes a host that only a redirect led to, once its pause is over", async () => {
    const [host, other] = [await used.newHost(), await used.newHost()];
    const location = other.put("/a.json", weather);
    const dataUrl = host.on("/a.json", (_, response) => response.writeHead(302, { location }).end());
    await used.index.mint({ tokenId: 1, dataUrl, metadata: weather });
    await used.pass(1);
    const { database, schemas } = used.index;
    const count = async () =>
      (await database.query(`select host from ${schemas.offchain}.queue_host`)).length;
    expect(await count()).toBe(2);
    await used.pass(5);
    expect(await count()).toBe(1);
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

  // @threat services: A host whose answer is hostile, huge or never ends
  it("retries a host with an invalid HTTP status no more often than other failing hosts", async () => {
    const host = await used.newHost();
    const dataUrl = host.on("/a.json", (_, response) => response.writeHead(999).end());
    await used.index.mint({ tokenId: 1, dataUrl, metadata: weather });
    await used.pass(50);
    expect(host.requests).toHaveLength(1);
    expect(await used.index.record(1)).toMatchObject({ state: "not-served", failures: 1 });
  });

  it("waits as long as a host's Retry-After requires", async () => {
    const host = await used.newHost();
    const busy = host.on("/a.json", (_, response) => response.writeHead(429, { "retry-after": "600" }).end());
    await used.index.mint({ tokenId: 1, dataUrl: busy, metadata: weather });
    await used.index.mint({ tokenId: 2, dataUrl: host.put("/b.json", weather), metadata: weather });
    await used.pass(5);
    used.clock += 594;
    await used.pass(1);
    expect(host.requests).toHaveLength(1);
    await used.pass(3);
    expect(host.requests.map(({ path }) => path)).toContain("/b.json");
    expect(await used.index.record(2)).toMatchObject({ state: "served" });
  });

  it("survives a response of 60 MB, one that never ends and one that redirects into the private network", async () => {
    const megabyte = Buffer.alloc(1 << 20, "x");
    const host = await used.newHost();
    const large = host.on("/large", (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      for (let sent = 0; sent < 60; sent++) response.write(megabyte);
      response.end();
    });
    const second = await used.newHost();
    const endless = second.on("/endless", (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    });
    const third = await used.newHost();
    const inward = third.on("/inward", (_, response) =>
      response.writeHead(302, { location: "https://192.168.0.1/admin" }).end(),
    );
    const good = await used.newHost();
    await used.index.mint({ tokenId: 1, dataUrl: large, metadata: weather });
    await used.index.mint({ tokenId: 2, dataUrl: endless, metadata: weather });
    await used.index.mint({ tokenId: 3, dataUrl: inward, metadata: weather });
    await used.index.mint({ tokenId: 4, dataUrl: good.put("/a.json", weather), metadata: weather });
    await used.pass(1);
    expect(await used.index.record(1)).toMatchObject({ state: "not-served", reason: /larger than/ });
    expect(await used.index.record(2)).toMatchObject({ state: "unreachable", reason: /in the time allowed/ });
    expect(await used.index.record(3)).toMatchObject({ state: "not-allowed", reason: /public internet/ });
    expect(await used.index.record(4)).toMatchObject({ state: "served" });
  });
});
