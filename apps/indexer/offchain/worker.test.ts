import { createGuardedFetch } from "@app-registry/sdk/issuer";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type DocumentHost, startDocumentHost } from "../test/harness/documentHost.ts";
import { type OffchainIndex, pgliteIndex, postgresIndex } from "../test/harness/offchainIndex.ts";
import { createDocumentReader } from "./documentReader.ts";
import { workerSettings } from "./settings.ts";
import { createWorker, type Worker, type WorkerEvent } from "./worker.ts";

const settings = { ...workerSettings(1), walk: 600 };
const weather = { name: "Weather", publisher: "Meteo", description: "Rain and sun", traits: ["weather"] };

describe.each([
  ["PGlite", pgliteIndex],
  ["PostgreSQL", postgresIndex],
])("a worker over %s", (_name, open) => {
  const reader = createDocumentReader();
  const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 1_000 });
  const signal = new AbortController().signal;
  let index: OffchainIndex;
  let stop: () => Promise<void>;
  let clock: number;
  let worker: Worker;
  let events: WorkerEvent[];

  const newWorker = (changes: Partial<typeof settings> = {}) =>
    createWorker({
      ...index,
      guardedFetch,
      reader,
      settings: { ...settings, ...changes },
      now: () => clock,
      random: () => 0.5,
      onEvent: (event) => events.push(event),
    });

  beforeAll(async () => {
    ({ index, stop } = await open());
  });
  beforeEach(() => {
    clock = 1_800_000_000;
    events = [];
    worker = newWorker();
  });
  afterEach(async () => {
    expect(events.filter(({ type }) => type === "failed")).toEqual([]);
    await index.clear();
  });
  afterAll(async () => {
    await stop();
    await reader.close();
    await guardedFetch.close();
  });

  async function newHost(): Promise<DocumentHost> {
    const host = await startDocumentHost(() => clock);
    onTestFinished(() => host.down());
    return host;
  }

  /** Lets `seconds` pass, each beginning with a turn of the worker whose checks all end within it. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await worker.step(signal);
      await worker.settled();
      clock++;
    }
  }

  it("keeps a document that hashes to the record, and labels the record by it", async () => {
    const host = await newHost();
    const dataUrl = host.put("/a.json", { ...weather, traits: ["weather", "api:mcp"] });
    const metadata = { ...weather, traits: ["weather", "api:mcp"] };
    await index.mint({ tokenId: 1, dataUrl, metadata, traits: ["weather"] });
    await index.mint({ tokenId: 2, dataUrl, metadata, traits: ["weather"], algorithm: 1 });
    await pass(5);
    for (const tokenId of [1, 2]) {
      expect(await index.record(tokenId)).toMatchObject({ state: "served", reason: null, failures: 0 });
      expect(await index.label(tokenId)).toMatchObject({
        name: "Weather",
        publisher: "Meteo",
        description: "Rain and sun",
        traits: ["weather"],
        problems: [{ code: "trait-not-on-chain" }],
        sort_name: "weather",
      });
    }
    expect(host.requests[0]?.userAgent).toContain("app-registry");
  });

  it("leaves alone a record whose JSON is on the chain, and one that gets it there later", async () => {
    const host = await newHost();
    const did = "did:web:both.test";
    await index.mint({ tokenId: 1, did, dataUrl: host.put("/a.json", {}), metadata: weather });
    await index.storeOnChain({ did, metadata: weather });
    await index.mint({ tokenId: 2, dataUrl: host.put("/b.json", {}), metadata: { name: "Later" } });
    await pass(3);
    expect(host.requests.map(({ path }) => path)).toEqual(["/b.json"]);
    await index.storeOnChain({ did: "did:web:host-2.test", metadata: { name: "Later" } });
    clock += 60;
    await pass(2);
    expect(host.requests).toHaveLength(1);
    expect(await index.record(2)).toBeUndefined();
  });

  it("says what is wrong with what a host serves, and labels nothing by it", async () => {
    const host = await newHost();
    const dead = await newHost();
    await dead.down();
    const cases: [dataUrl: string, state: string, reason: RegExp][] = [
      [host.put("/other.json", { name: "Other" }), "mismatch", /hashes to 0x.*the registry records 0x/],
      [host.put("/cut.json", '{"name": "Weat'), "not-json", /does not end.*line 1/],
      [host.put("/twice.json", '{"a": 1, "a": 2}'), "not-json", /"a" stands twice/],
      [`${host.origin}/none.json`, "not-served", /status 404/],
      [host.on("/page", (_, response) => response.end("<html>")), "not-served", /without a content type/],
      [`${dead.origin}/a.json`, "unreachable", /refuses connections/],
      ["ipfs://bafy/metadata.json", "not-allowed", /Only https/],
      ["nonsense", "not-allowed", /not a URL/],
      ["http://example.test/a.json", "not-allowed", /Only https/],
      ["https://10.0.0.1/a.json", "not-allowed", /not on the public internet/],
    ];
    for (const [position, [dataUrl]] of cases.entries()) {
      await index.mint({ tokenId: position + 1, dataUrl, metadata: weather });
    }
    await pass(15);
    for (const [position, [dataUrl, state, reason]] of cases.entries()) {
      const row = await index.record(position + 1);
      expect(row, dataUrl).toMatchObject({ state, checked_at: expect.any(Number) });
      expect(row?.reason).toMatch(reason);
      expect(await index.label(position + 1)).toBeUndefined();
    }
  });

  it("asks a host that did not answer again, later each time, and keeps its document once it does", async () => {
    const host = await newHost();
    const dataUrl = host.put("/a.json", weather);
    await host.down();
    await index.mint({ tokenId: 1, dataUrl, metadata: weather });
    await pass(1);
    expect(await index.record(1)).toMatchObject({ state: "unreachable", failures: 1 });
    await pass(59);
    expect(await index.record(1)).toMatchObject({ failures: 1 });
    await pass(1);
    expect(await index.record(1)).toMatchObject({ failures: 2 });
    await host.up();
    await pass(119);
    expect(host.requests).toHaveLength(0);
    await pass(1);
    expect(host.requests).toHaveLength(1);
    expect(await index.record(1)).toMatchObject({ state: "served", failures: 0 });
    expect(await index.label(1)).toMatchObject({ name: "Weather" });
  });

  it("spares every record of a host that does not answer, and asks it at least every six hours", async () => {
    const host = await newHost();
    await host.down();
    for (let tokenId = 1; tokenId <= 5; tokenId++) {
      await index.mint({ tokenId, dataUrl: `${host.origin}/${tokenId}.json`, metadata: weather });
    }
    await pass(50);
    expect(events).toHaveLength(1);
    for (let round = 0; round < 40; round++) {
      clock += 6 * 3_600;
      await pass(1);
    }
    expect(events.length).toBeGreaterThan(40);
  });

  it("notices that a URL serves something else by now: the content stays, the mark says so", async () => {
    const host = await newHost();
    const dataUrl = host.put("/a.json", weather);
    await index.mint({ tokenId: 1, dataUrl, metadata: weather });
    await pass(1);
    host.put("/a.json", { name: "Changed" });
    clock += settings.recheck;
    await pass(1);
    expect(await index.record(1)).toMatchObject({ state: "mismatch", checked_at: clock - 1 });
    expect(await index.label(1)).toMatchObject({ name: "Weather" });
    host.put("/a.json", weather);
    clock += 59;
    await pass(2);
    expect(await index.record(1)).toMatchObject({ state: "served", reason: null });
  });

  it("labels an updated record by its new document only", async () => {
    const host = await newHost();
    await index.mint({ tokenId: 1, dataUrl: host.put("/1.json", weather), metadata: weather });
    await pass(1);
    const update = { ...weather, name: "Climate" };
    await index.mint({ tokenId: 1, dataUrl: host.put("/2.json", update), metadata: update, at: 1_100 });
    expect(await index.label(1)).toBeUndefined();
    await pass(5);
    expect(await index.label(1)).toMatchObject({ name: "Climate" });
    expect(host.requests.map(({ path }) => path)).toEqual(["/1.json", "/2.json"]);
  });

  it("labels a record that a reorganisation brings back, even while its host is away", async () => {
    const host = await newHost();
    const before = { tokenId: 1, dataUrl: host.put("/1.json", weather), metadata: weather };
    await index.mint(before);
    await pass(1);
    const abandoned = { name: "Abandoned" };
    await index.mint({
      tokenId: 1,
      dataUrl: host.put("/2.json", abandoned),
      metadata: abandoned,
      did: "did:web:fork.test",
      at: 1_001,
    });
    await pass(3);
    expect(await index.label(1)).toMatchObject({ name: "Abandoned" });
    await host.down();
    await index.mint(before);
    await pass(1);
    expect(await index.label(1)).toMatchObject({ name: "Weather" });
    expect(await index.record(1)).toMatchObject({ state: "unreachable", did: "did:web:host-1.test" });
  });

  it("forgets a document that no record names, a week after it was served", async () => {
    const host = await newHost();
    const kept = () =>
      index.database.query(`select data_hash from ${index.schemas.offchain}.document order by kept_at`);
    await index.mint({ tokenId: 1, dataUrl: host.put("/1.json", weather), metadata: weather });
    await pass(1);
    const update = { name: "Update" };
    await index.mint({ tokenId: 1, dataUrl: host.put("/2.json", update), metadata: update });
    clock += settings.walk;
    await pass(3);
    expect(await kept()).toHaveLength(2);
    clock += 7 * 86_400;
    await pass(3);
    expect(await kept()).toEqual([{ data_hash: (await index.record(1))?.data_hash }]);
  });

  it("asks one host once at a time and with seconds between, and does not let it hold up the others", async () => {
    const big = await newHost();
    const small = await newHost();
    for (let tokenId = 1; tokenId <= 40; tokenId++) {
      await index.mint({ tokenId, dataUrl: big.put(`/${tokenId}.json`, weather), metadata: weather });
    }
    for (let tokenId = 41; tokenId <= 43; tokenId++) {
      await index.mint({ tokenId, dataUrl: small.put(`/${tokenId}.json`, weather), metadata: weather });
    }
    await pass(10);
    expect(small.requests).toHaveLength(3);
    expect(big.requests.length).toBeLessThanOrEqual(6);
    await pass(100);
    expect(big.requests).toHaveLength(40);
    for (const { requests } of [big, small]) {
      for (const [position, { at, underWay }] of requests.entries()) {
        expect(underWay).toBe(0);
        expect(at - (requests[position - 1]?.at ?? 0)).toBeGreaterThanOrEqual(settings.hostGap);
      }
    }
  });

  it("asks for Active records before others, and for new ones before those it knows", async () => {
    const host = await newHost();
    const mint = (tokenId: number, status: 0 | 1) =>
      index.mint({ tokenId, status, dataUrl: host.put(`/${tokenId}.json`, weather), metadata: weather });
    await mint(1, 1);
    await mint(2, 0);
    await pass(5);
    clock += settings.recheck * 2;
    await mint(3, 1);
    await mint(4, 0);
    await pass(10);
    expect(host.requests.map(({ path }) => path).join(" ")).toMatch(/^\/2.json \/1.json \/4.json \/3.json/);
  });

  it("waits as long as a host asks it to", async () => {
    const host = await newHost();
    const busy = host.on("/a.json", (_, response) => response.writeHead(429, { "retry-after": "600" }).end());
    await index.mint({ tokenId: 1, dataUrl: busy, metadata: weather });
    await index.mint({ tokenId: 2, dataUrl: host.put("/b.json", weather), metadata: weather });
    await pass(5);
    clock += 594;
    await pass(1);
    expect(host.requests).toHaveLength(1);
    await pass(3);
    expect(host.requests.map(({ path }) => path)).toContain("/b.json");
    expect(await index.record(2)).toMatchObject({ state: "served" });
  });

  it("bears an answer of 60 MB, one that never ends and one that leads inside the network", async () => {
    const megabyte = Buffer.alloc(1 << 20, "x");
    const host = await newHost();
    const large = host.on("/large", (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      for (let sent = 0; sent < 60; sent++) response.write(megabyte);
      response.end();
    });
    const second = await newHost();
    const endless = second.on("/endless", (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    });
    const third = await newHost();
    const inward = third.on("/inward", (_, response) =>
      response.writeHead(302, { location: "https://192.168.0.1/admin" }).end(),
    );
    const good = await newHost();
    await index.mint({ tokenId: 1, dataUrl: large, metadata: weather });
    await index.mint({ tokenId: 2, dataUrl: endless, metadata: weather });
    await index.mint({ tokenId: 3, dataUrl: inward, metadata: weather });
    await index.mint({ tokenId: 4, dataUrl: good.put("/a.json", weather), metadata: weather });
    await pass(1);
    expect(await index.record(1)).toMatchObject({ state: "not-served", reason: /larger than/ });
    expect(await index.record(2)).toMatchObject({ state: "unreachable", reason: /in the time allowed/ });
    expect(await index.record(3)).toMatchObject({ state: "not-allowed", reason: /public internet/ });
    expect(await index.record(4)).toMatchObject({ state: "served" });
  });

  it("goes on where another worker was stopped, and asks for nothing twice", async () => {
    const hosts = await Promise.all([newHost(), newHost()]);
    for (let tokenId = 1; tokenId <= 12; tokenId++) {
      const dataUrl = hosts[tokenId % 2]?.put(`/${tokenId}.json`, weather) ?? "";
      await index.mint({ tokenId, dataUrl, metadata: weather });
    }
    const stopped = new AbortController();
    await worker.step(stopped.signal);
    await worker.settled();
    clock += 3;
    await worker.step(stopped.signal);
    stopped.abort();
    await worker.settled();
    worker = newWorker();
    await pass(20);
    const asked = hosts.flatMap(({ requests }) => requests.map(({ path }) => path));
    expect(new Set(asked).size).toBe(12);
    // A request that was cut off is made again.
    expect(asked.length).toBeLessThanOrEqual(14);
    for (let tokenId = 1; tokenId <= 12; tokenId++) {
      expect(await index.label(tokenId)).toMatchObject({ name: "Weather" });
    }
  });

  it.each([
    ["is being built", "_ponder_meta", `value = '{"is_ready": 0}'`, `value = '{"is_ready": 1}'`],
    ["indexes blocks again after a restart", "head", "number = 0", "number = 1"],
  ])("asks nobody while the index %s", async (_state, table, before, after) => {
    const host = await newHost();
    const { database, schemas } = index;
    await index.mint({ tokenId: 1, dataUrl: host.put("/a.json", weather), metadata: weather });
    await database.query(`update ${schemas.index}.${table} set ${before}`);
    await pass(5);
    expect(host.requests).toHaveLength(0);
    await database.query(`update ${schemas.index}.${table} set ${after}`);
    await pass(1);
    expect(host.requests).toHaveLength(1);
  });

  it("walks over every record in steps, and finds those that changed unnoticed", async () => {
    const host = await newHost();
    worker = newWorker({ walkStep: 3, hostGap: 0 });
    for (let tokenId = 1; tokenId <= 10; tokenId++) {
      const at = tokenId * 1_000;
      await index.mint({ tokenId, at, dataUrl: host.put(`/${tokenId}.json`, weather), metadata: weather });
    }
    await pass(12);
    expect(host.requests).toHaveLength(10);
  });
});
