import { describe, expect, it } from "vitest";
import { settings, useWorker, weather } from "../test/harness/worker.ts";

describe("a worker, reading documents", () => {
  const used = useWorker();

  it("stores a document that matches the registered hash, and labels the record with it", async () => {
    const host = await used.newHost();
    const dataUrl = host.put("/a.json", { ...weather, traits: ["weather", "api:mcp"] });
    const metadata = { ...weather, traits: ["weather", "api:mcp"] };
    await used.index.mint({ tokenId: 1, dataUrl, metadata, traits: ["weather"] });
    await used.index.mint({ tokenId: 2, dataUrl, metadata, traits: ["weather"], algorithm: 1 });
    await used.pass(5);
    for (const tokenId of [1, 2]) {
      expect(await used.index.record(tokenId)).toMatchObject({ state: "served", reason: null, failures: 0 });
      expect(await used.index.label(tokenId)).toMatchObject({
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

  it("does not request a document that is on the chain, or that is stored there later", async () => {
    const host = await used.newHost();
    const did = "did:web:both.test";
    await used.index.mint({ tokenId: 1, did, dataUrl: host.put("/a.json", {}), metadata: weather });
    await used.index.storeOnChain({ did, metadata: weather });
    await used.index.mint({ tokenId: 2, dataUrl: host.put("/b.json", {}), metadata: { name: "Later" } });
    await used.pass(3);
    expect(host.requests.map(({ path }) => path)).toEqual(["/b.json"]);
    await used.index.storeOnChain({ did: "did:web:host-2.test", metadata: { name: "Later" } });
    used.clock += 60;
    await used.pass(2);
    expect(host.requests).toHaveLength(1);
    expect(await used.index.record(2)).toBeUndefined();
  });

  it("stores the reason why a response is not the document, and labels no record with it", async () => {
    const host = await used.newHost();
    const cases: [dataUrl: string, state: string, reason: RegExp][] = [
      [
        host.put("/other.json", { name: "Other" }),
        "mismatch",
        /has dataHash 0x.*, but the registry records 0x/,
      ],
      [host.put("/cut.json", '{"name": "Weat'), "not-json", /is not closed.*line 1/],
      [host.put("/twice.json", '{"a": 1, "a": 2}'), "not-json", /"a" appears twice/],
      [`${host.origin}/none.json`, "not-served", /HTTP 404/],
      [host.on("/page", (_, response) => response.end("<html>")), "not-served", /without a content type/],
      // No server gets this port, unlike one that another host has left.
      ["http://127.0.0.1:2/a.json", "unreachable", /refused the connection/],
      ["ipfs://bafy/metadata.json", "not-allowed", /Only https/],
      ["nonsense", "not-allowed", /not a URL/],
      ["http://example.test/a.json", "not-allowed", /Only https/],
      ["https://10.0.0.1/a.json", "not-allowed", /not on the public internet/],
    ];
    for (const [position, [dataUrl]] of cases.entries()) {
      await used.index.mint({ tokenId: position + 1, dataUrl, metadata: weather });
    }
    await used.pass(15);
    for (const [position, [dataUrl, state, reason]] of cases.entries()) {
      const row = await used.index.record(position + 1);
      expect(row, dataUrl).toMatchObject({ state, checked_at: expect.any(Number) });
      expect(row?.reason).toMatch(reason);
      expect(await used.index.label(position + 1)).toBeUndefined();
    }
  });

  it("labels an updated record with its new document only", async () => {
    const host = await used.newHost();
    await used.index.mint({ tokenId: 1, dataUrl: host.put("/1.json", weather), metadata: weather });
    await used.pass(1);
    const update = { ...weather, name: "Climate" };
    await used.index.mint({ tokenId: 1, dataUrl: host.put("/2.json", update), metadata: update, at: 1_100 });
    expect(await used.index.label(1)).toBeUndefined();
    await used.pass(5);
    expect(await used.index.label(1)).toMatchObject({ name: "Climate" });
    expect(host.requests.map(({ path }) => path)).toEqual(["/1.json", "/2.json"]);
  });

  it("labels a record that a reorganization restores, even while its host is unavailable", async () => {
    const host = await used.newHost();
    const before = { tokenId: 1, dataUrl: host.put("/1.json", weather), metadata: weather };
    await used.index.mint(before);
    await used.pass(1);
    const abandoned = { name: "Abandoned" };
    await used.index.mint({
      tokenId: 1,
      dataUrl: host.put("/2.json", abandoned),
      metadata: abandoned,
      did: "did:web:fork.test",
      at: 1_001,
    });
    await used.pass(3);
    expect(await used.index.label(1)).toMatchObject({ name: "Abandoned" });
    await host.down();
    await used.index.mint(before);
    await used.pass(1);
    expect(await used.index.label(1)).toMatchObject({ name: "Weather" });
    expect(await used.index.record(1)).toMatchObject({ state: "unreachable", did: "did:web:host-1.test" });
  });

  it("deletes a document that no record names, a week after it was served", async () => {
    const host = await used.newHost();
    const kept = () =>
      used.index.database.query(
        `select data_hash from ${used.index.schemas.offchain}.document order by kept_at`,
      );
    await used.index.mint({ tokenId: 1, dataUrl: host.put("/1.json", weather), metadata: weather });
    await used.pass(1);
    const update = { name: "Update" };
    await used.index.mint({ tokenId: 1, dataUrl: host.put("/2.json", update), metadata: update });
    used.clock += settings.walk;
    await used.pass(3);
    expect(await kept()).toHaveLength(2);
    used.clock += 7 * 86_400;
    await used.pass(3);
    expect(await kept()).toEqual([{ data_hash: (await used.index.record(1))?.data_hash }]);
  });
});
