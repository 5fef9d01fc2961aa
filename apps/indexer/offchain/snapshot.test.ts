import { createHash } from "node:crypto";
import { type SnapshotManifest, signSnapshot, snapshotTypedData, verifySnapshot } from "@app-registry/sdk";
import { verifyTypedData } from "ethers";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OffchainIndex } from "../test/harness/offchainIndex.ts";
import { databases, weather } from "../test/harness/worker.ts";
import { createSnapshots, type SnapshotsParameters } from "./snapshot.ts";

const account = privateKeyToAccount(generatePrivateKey());
const registry = "0x00000000000000000000000000000000000000AA";
const midnight = Date.UTC(2026, 10, 24) / 1_000;
const DAY = 86_400;

describe.each(databases)("snapshots over %s", (_name, open) => {
  let index: OffchainIndex;
  let stop: () => Promise<void>;
  let clock: number;
  let taken: SnapshotManifest[];
  let errors: unknown[];
  let hiddenDids: string[];

  beforeAll(async () => {
    ({ index, stop } = await open());
  });
  beforeEach(() => {
    clock = midnight + 600;
    taken = [];
    errors = [];
    hiddenDids = [];
  });
  afterEach(() => index.clear());
  afterAll(() => stop());

  const snapshots = (changes: Partial<SnapshotsParameters> = {}) =>
    createSnapshots({
      ...index,
      ...{ chainId: 31337, registry, from: 600, openAccount: async () => account, now: () => clock },
      hidden: {
        reasonOf: (did) => (hiddenDids.includes(did) ? "A court order." : undefined),
        dids: () => hiddenDids,
      },
      onTaken: (manifest) => taken.push(manifest),
      onError: (error) => errors.push(error),
      ...changes,
    });

  /** Registers a service that the prober has asked, or not yet. */
  async function service(tokenId: number, outcome: string | null = "answers"): Promise<void> {
    await index.mint({ tokenId, dataUrl: "https://host.test/", metadata: weather });
    const { index: schema, offchain } = index.schemas;
    await index.database.query(
      `insert into ${offchain}.probe (token_id, did_hash, queued_hash, data_hash, algorithm, outcome, drift, probed_at, answered_at)
      select token_id, did_hash, data_hash, data_hash, data_hash_algorithm, $2, $3, $4, $5 from ${schema}.app where token_id = $1::numeric`,
      [tokenId, outcome, outcome && "not-comparable", outcome && clock - 0.4, null],
    );
  }

  async function fileOf(day: string): Promise<string> {
    const rows = await index.database.query<{ ndjson: string }>(
      `select ndjson from ${index.schemas.offchain}.snapshot join ${index.schemas.offchain}.snapshot_part
        using (day, attempt) where day = $1 order by place`,
      [day],
    );
    return rows.map(({ ndjson }) => ndjson).join("");
  }
  const count = async (table: string) =>
    Number(
      (await index.database.query(`select count(*)::int as count from ${index.schemas.offchain}.${table}`))[0]
        ?.count,
    );
  const tokensOf = (file: string) =>
    file
      .split("\n")
      .filter(Boolean)
      .map((line) => Number(JSON.parse(line).tokenId));

  it("have each Active record that was asked, by token id, and are signed", async () => {
    for (const tokenId of [10, 2, 9]) await service(tokenId);
    await service(3, null);
    await service(4);
    await index.mint({ tokenId: 4, dataUrl: "https://host.test/", metadata: weather, status: 1 });
    await service(5);
    await index.mint({ tokenId: 5, dataUrl: "https://host.test/", metadata: { ...weather, name: "Other" } });
    await snapshots()();
    const [manifest] = taken as [SnapshotManifest];
    const ndjson = await fileOf("2026-11-24");
    expect(errors).toEqual([]);
    expect(tokensOf(ndjson)).toEqual([2, 9, 10]);
    expect(JSON.parse(ndjson.split("\n")[0] ?? "")).toMatchObject({
      ...{ did: "did:web:host-2.test", version: "1.0.0", outcome: "answers", drift: "not-comparable" },
      ...{ probedAt: clock - 1, answeredAt: null },
    });
    expect(manifest).toMatchObject({ day: "2026-11-24", takenAt: clock, block: 1, services: 3, registry });

    expect(await verifySnapshot({ manifest, ndjson, signer: account.address })).toMatchObject({ ok: true });
    expect(manifest.sha256).toBe(`0x${createHash("sha256").update(ndjson).digest("hex")}`);
    const { domain, types, message } = snapshotTypedData(manifest);
    const signer = verifyTypedData(domain, { Snapshot: [...types.Snapshot] }, message, manifest.signature);
    expect(signer).toBe(account.address);
  });

  it("are taken once a UTC day, from ten minutes past midnight", async () => {
    await service(1);
    const take = snapshots();
    for (const time of [0, 599, 600, 601, 50_000, DAY - 1, DAY, DAY + 599, DAY + 4_000, DAY + 5_000]) {
      clock = midnight + time;
      await take();
      await snapshots()();
    }
    expect(errors).toEqual([]);
    expect(taken.map(({ day, takenAt }) => [day, takenAt - midnight])).toEqual([
      ["2026-11-24", 600],
      ["2026-11-25", DAY + 4_000],
    ]);
    for (const manifest of taken) {
      expect((await verifySnapshot({ manifest, ndjson: await fileOf(manifest.day) })).problems).toEqual([]);
    }
    const [first, second] = taken as [SnapshotManifest, SnapshotManifest];
    const { problems } = await verifySnapshot({
      manifest: first,
      ndjson: await fileOf(second.day),
      day: second.day,
    });
    expect(problems.map(({ code }) => code)).toContain("day");
  });

  it("show nothing of one that was killed before its manifest, and take the whole again", async () => {
    for (let tokenId = 1; tokenId <= 3; tokenId++) await service(tokenId);
    const { promise: signing, resolve: reached } = Promise.withResolvers<void>();
    // A process that is killed there never comes back from it.
    const killed = snapshots({
      openAccount: async () => ({
        address: account.address,
        signTypedData() {
          reached();
          return new Promise(() => undefined);
        },
      }),
    })();
    await Promise.race([signing, killed]);
    expect(await count("snapshot_part")).toBe(1);
    expect(await fileOf("2026-11-24")).toBe("");

    await service(4);
    await snapshots()();
    const ndjson = await fileOf("2026-11-24");
    expect(tokensOf(ndjson)).toEqual([1, 2, 3, 4]);
    expect((await verifySnapshot({ manifest: taken[0], ndjson })).problems).toEqual([]);
    expect(await count("snapshot_part")).toBe(1);
  });

  it("are one and whole when two processes take a day's at once", async () => {
    for (let tokenId = 1; tokenId <= 3; tokenId++) await service(tokenId);
    await Promise.all([snapshots()(), snapshots()()]);
    expect(await count("snapshot")).toBe(1);
    const [row] = await index.database.query<{ manifest: object }>(
      `select manifest from ${index.schemas.offchain}.snapshot`,
    );
    const ndjson = await fileOf("2026-11-24");
    expect((await verifySnapshot({ manifest: row?.manifest, ndjson })).problems).toEqual([]);
    // On a database of one session they may come one after the other.
    expect(taken.length + errors.length).toBeGreaterThanOrEqual(1);
  });

  it("leave out what the operator hides", async () => {
    for (let tokenId = 1; tokenId <= 3; tokenId++) await service(tokenId);
    hiddenDids = ["did:web:host-2.test"];
    await snapshots()();
    const ndjson = await fileOf("2026-11-24");
    expect(tokensOf(ndjson)).toEqual([1, 3]);
    expect(await verifySnapshot({ manifest: taken[0], ndjson })).toMatchObject({ ok: true });
  });

  it("are many parts of one file, and none of it where nobody was asked", async () => {
    const { index: schema, offchain } = index.schemas;
    await index.database.query(`insert into ${schema}.app (token_id, did, did_hash, data_hash, data_hash_algorithm, status)
      select id, 'did:web:host-' || id || '.test', 'x', '0x${"ab".repeat(32)}', 0, 0 from generate_series(1, 12000) id`);
    await index.database.query(`insert into ${offchain}.probe (token_id, did_hash, queued_hash, data_hash, algorithm, outcome, probed_at)
      select token_id, did_hash, data_hash, data_hash, data_hash_algorithm, 'unknown', 1 from ${schema}.app`);
    await snapshots()();
    expect(await count("snapshot_part")).toBe(3);
    const ndjson = await fileOf("2026-11-24");
    expect(await verifySnapshot({ manifest: taken[0], ndjson })).toMatchObject({
      ...{ ok: true, manifest: { services: 12_000 } },
    });
    await index.clear();
    await snapshots()();
    expect(taken[1]).toMatchObject({ services: 0, bytes: 0 });
    expect(await verifySnapshot({ manifest: taken[1], ndjson: "" })).toMatchObject({ ok: true });
  });

  it("keep files for 30 days and manifests for ever", async () => {
    await service(1);
    const take = snapshots();
    for (const day of [0, 1, 29, 30]) {
      clock = midnight + day * DAY + 600;
      await take();
    }
    expect(errors).toEqual([]);
    expect(await count("snapshot")).toBe(4);
    expect(await fileOf("2026-11-24")).toBe("");
    expect(await fileOf("2026-11-25")).not.toBe("");
  });

  it("are tried again ten minutes after the key did not sign, and leave nothing until then", async () => {
    await service(1);
    let isAway = true;
    const take = snapshots({
      openAccount: async () => ({
        address: account.address,
        async signTypedData(data) {
          if (isAway) throw new Error("The KMS is away");
          return account.signTypedData(data);
        },
      }),
    });
    await take();
    clock += 599;
    await take();
    expect(errors).toEqual([new Error("The KMS is away")]);
    expect(await count("snapshot_part")).toBe(0);
    isAway = false;
    await take();
    expect(taken).toEqual([]);
    clock += 1;
    await take();
    expect(taken).toHaveLength(1);
  });

  it("are not signed by an issuer's key", async () => {
    await service(1);
    await index.database.query(`insert into ${index.schemas.index}.issuer values ($1)`, [
      account.address.toLowerCase(),
    ]);
    await snapshots()();
    expect(taken).toEqual([]);
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining("set another one") }),
    ]);
    const stranger = privateKeyToAccount(generatePrivateKey());
    await snapshots({ openAccount: async () => stranger })();
    expect(taken[0]?.signer).toBe(stranger.address);
    expect(await signSnapshot(taken[0] as SnapshotManifest, stranger)).toEqual(taken[0]);
  });
});
