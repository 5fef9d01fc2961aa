import { describe, expect, it } from "vitest";
import { settings, useWorker, weather } from "../test/harness/worker.ts";

describe("the change time of a record", () => {
  const used = useWorker();

  it("is the last indexed block's time when the document is found and when it disappears", async () => {
    const { index } = used;
    const host = await used.newHost();
    const dataUrl = host.put("/a.json", weather);
    await index.mint({ tokenId: 1, dataUrl, metadata: weather });
    expect(await index.changedAt(1)).toBeUndefined();
    await index.mine(1_234);
    await used.pass(1);
    expect(await index.label(1)).toMatchObject({ name: "Weather" });
    expect(await index.changedAt(1)).toBe(1_234);

    await index.mine(2_000);
    used.clock += settings.recheck;
    await used.pass(1);
    expect(host.requests).toHaveLength(2);
    expect(await index.changedAt(1)).toBe(1_234);

    host.put("/a.json", { name: "Changed" });
    used.clock += settings.recheck;
    await used.pass(1);
    expect(await index.record(1)).toMatchObject({ state: "mismatch", checked_at: used.clock - 1 });
    expect(await index.label(1)).toMatchObject({ name: "Weather" });
    expect(await index.changedAt(1)).toBe(2_000);
    host.put("/a.json", weather);
    used.clock += 59;
    await used.pass(2);
    expect(await index.record(1)).toMatchObject({ state: "served", reason: null });
  });

  it("is set by the first failed check and unchanged by further failures", async () => {
    const { index } = used;
    const host = await used.newHost();
    await index.mint({ tokenId: 1, dataUrl: `${host.origin}/none.json`, metadata: weather });
    await used.pass(1);
    expect(await index.changedAt(1)).toBe(1_000);
    await index.mine(2_000);
    used.clock += settings.retries.longest;
    await used.pass(1);
    expect(await index.record(1)).toMatchObject({ state: "not-served", failures: 2 });
    expect(await index.changedAt(1)).toBe(1_000);
  });

  it("never moves back, even if a reorganization moves the chain back", async () => {
    const { index } = used;
    const host = await used.newHost();
    const dataUrl = host.put("/a.json", weather);
    await index.mint({ tokenId: 1, dataUrl, metadata: weather });
    await index.mine(3_000);
    await used.pass(1);
    await index.mine(2_990);
    host.put("/a.json", {});
    used.clock += settings.recheck;
    await used.pass(1);
    expect(await index.changedAt(1)).toBe(3_000);
  });

  it("is deleted when a reorganization removes the record, and stays when its JSON is stored on-chain", async () => {
    const { index } = used;
    const host = await used.newHost();
    await index.mint({ tokenId: 1, dataUrl: host.put("/a.json", weather), metadata: weather });
    await used.pass(1);
    await index.storeOnChain({ did: "did:web:host-1.test", metadata: weather });
    used.clock += settings.walk;
    await used.pass(2);
    expect(await index.changedAt(1)).toBe(1_000);

    await index.database.query(`delete from ${index.schemas.index}.app where token_id = 1`);
    used.clock += settings.walk;
    await used.pass(2);
    expect(await index.changedAt(1)).toBeUndefined();
  });
});
