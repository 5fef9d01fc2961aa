import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SnapshotManifest, signSnapshot, snapshotLine, verifySnapshot } from "@app-registry/sdk";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../packages/sdk/test/support/freePort.ts";
import { createDatabase, type PostgresDatabase } from "../../../../packages/sdk/test/support/postgres.ts";
import { spawnIndexer } from "../../../../scripts/stack/indexer.ts";
import { type Service, waitUntilReady } from "../../../../scripts/stack/processes.ts";
import type { Registry } from "./registry.ts";
import { route } from "./route.ts";
import { serveSnapshot, serveSnapshots } from "./snapshots.ts";
import { type RegistryFixture, startRegistry } from "./test/registryFixture.ts";

const key = generatePrivateKey();
const { address: signer } = privateKeyToAccount(key);

let fixture: RegistryFixture;
let database: PostgresDatabase;
let indexer: Service;
let registry: Registry;
let directory: string;

const ask = (path: string, headers: Record<string, string> = {}, from = registry) => {
  const serve = path.includes("/api/snapshots/") ? serveSnapshot : serveSnapshots;
  return route((request) => serve(request, from))(new Request(`http://localhost${path}`, { headers }));
};
const list = async (query = "") => (await ask(`/api/snapshots${query}`)).json();

/** What an earlier day's worker left, in two parts. */
async function keep(day: string): Promise<{ manifest: SnapshotManifest; ndjson: string }> {
  const at = Date.parse(day) / 1_000 + 600;
  const lines = ["1", "2"].map((tokenId) => {
    const asked = { outcome: "answers", drift: "same", probedAt: at - 60, answeredAt: at - 60 } as const;
    const what = {
      did: `did:web:host-${tokenId}.example`,
      version: "1.0.0",
      dataHash: `0x${"ab".repeat(32)}`,
    } as const;
    return `${snapshotLine({ tokenId, ...what, ...asked })}\n`;
  });
  const ndjson = lines.join("");
  const manifest = await signSnapshot(
    {
      ...{ chainId: 31337, registry: signer, day, takenAt: at, block: 1, services: 2, bytes: ndjson.length },
      sha256: `0x${createHash("sha256").update(ndjson).digest("hex")}`,
    },
    privateKeyToAccount(key),
  );
  const pool = database.connect();
  const schema = "app_registry_documents_31337";
  await pool.query(`insert into ${schema}.snapshot values ($1, 'kept', $2)`, [day, JSON.stringify(manifest)]);
  for (const [place, line] of lines.entries()) {
    for (const attempt of ["kept", "killed"]) {
      const values = [day, attempt, place, attempt === "kept" ? line : "half"];
      await pool.query(`insert into ${schema}.snapshot_part values ($1, $2, $3, $4)`, values);
    }
  }
  await pool.end();
  return { manifest, ndjson };
}

beforeAll(async () => {
  fixture = await startRegistry(await freePort());
  database = await createDatabase();
  directory = await mkdtemp(join(tmpdir(), "web-snapshots-"));
  const { DEPLOYMENT_FILE: deploymentFile = "" } = fixture.variables;
  const { url, service } = await spawnIndexer({
    ...{ rpcUrl: fixture.rpcUrl, deploymentFile, port: await freePort(), logDirectory: directory },
    database: { DATABASE_URL: database.url },
    environment: { ALLOW_LOOPBACK_DIDS: "true", SNAPSHOT_PRIVATE_KEY: key },
  });
  indexer = service;
  registry = fixture.registryWith({ INDEXER_URL: url });
  // The worker takes today's once the index is ready.
  await waitUntilReady(service, 180, async () => (await list()).snapshots?.length > 0);
});
afterAll(async () => {
  await indexer?.stop();
  await Promise.all([fixture.stop(), database?.stop(), rm(directory, { recursive: true })]);
});

describe("the snapshots of a registry", () => {
  it("are taken by the worker of a running indexer, with the key that its settings name", async () => {
    const page = await list();
    const [manifest] = page.snapshots as [SnapshotManifest];
    expect(page).toMatchObject({ signer, nextCursor: null });
    const { address } = fixture.registry.deployment.contracts.AppRegistry;
    const response = await ask(`/api/snapshots/${manifest.day}.ndjson`);
    expect(response.status).toBe(200);
    const report = await verifySnapshot({
      ...{ manifest, ndjson: await response.text(), signer, registry: { chainId: 31337, address } },
    });
    expect(report.problems).toEqual([]);
  });

  it("are listed page by page, the newest first, with who signed the newest", async () => {
    const days = ["2024-01-01", "2024-01-02", "2024-01-03"];
    for (const day of days) await keep(day);
    const seen: string[] = [];
    for (let query = "?limit=1"; query !== ""; ) {
      const page = await list(query);
      expect(page.signer).toBe(signer);
      seen.push(...page.snapshots.map(({ day }: SnapshotManifest) => day));
      query = page.nextCursor ? `?limit=1&cursor=${page.nextCursor}` : "";
    }
    expect(seen.slice(-3)).toEqual(days.toReversed());
    for (const query of ["?limit=0", "?limit=101", "?cursor=today", "?x=1"]) {
      expect(await list(query), query).toMatchObject({ status: 400, code: "invalid-parameter" });
    }
  });

  it("are served as they were signed, part after part, to be kept for good", async () => {
    const { manifest, ndjson } = await keep("2024-02-01");
    expect(await (await ask("/api/snapshots/2024-02-01.json")).json()).toEqual(manifest);
    const response = await ask("/api/snapshots/2024-02-01.ndjson");
    expect(response.headers.get("content-length")).toBe(String(manifest.bytes));
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(await verifySnapshot({ manifest, ndjson: response.body ?? "", signer })).toMatchObject({
      ok: true,
    });
    expect(await (await ask("/api/snapshots/2024-02-01.ndjson")).text()).toBe(ndjson);
    for (const format of ["json", "ndjson"]) {
      const path = `/api/snapshots/2024-02-01.${format}`;
      const etag = (await ask(path)).headers.get("etag") ?? "none";
      expect((await ask(path, { "if-none-match": etag })).status).toBe(304);
    }
  });

  it("break off when a part is gone meanwhile, which no reader takes for the whole", async () => {
    const { manifest } = await keep("2024-03-01");
    const response = await ask("/api/snapshots/2024-03-01.ndjson");
    const pool = database.connect();
    await pool.query("delete from app_registry_documents_31337.snapshot_part where day = '2024-03-01'");
    await pool.end();
    await expect(verifySnapshot({ manifest, ndjson: response.body ?? "" })).rejects.toThrow();
    expect(await (await ask("/api/snapshots/2024-03-01.ndjson")).json()).toMatchObject({
      ...{ status: 410, code: "snapshot-gone" },
    });
    expect((await ask("/api/snapshots/2024-03-01.json")).status).toBe(200);
  });

  it("are 404 of a day without one, and 503 while the index is away", async () => {
    for (const file of ["2023-01-01.json", "2023-01-01.ndjson", "2024-01-01.csv", "..%2Fstate", "1"]) {
      expect((await ask(`/api/snapshots/${file}`)).status, file).toBe(404);
    }
    const away = fixture.registryWith({ INDEXER_URL: "http://127.0.0.1:9" });
    for (const path of ["/api/snapshots", "/api/snapshots/2024-01-01.json"]) {
      expect(await (await ask(path, {}, away)).json()).toMatchObject({
        status: 503,
        code: "index-unavailable",
      });
    }
  });
});
