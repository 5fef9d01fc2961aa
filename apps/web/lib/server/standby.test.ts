import { execFile } from "node:child_process";
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { toServerName } from "@app-registry/sdk";
import { eventually } from "@app-registry/test-kit/eventually";
import { type PostgresServer, startPostgres } from "@app-registry/test-kit/postgres";
import { startIndexer, untilCaughtUp } from "@app-registry/test-kit/startIndexer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { feedRoutes } from "./feeds/feedRoutes.ts";
import { mcpRegistryRoutes } from "./mcp/mcpRegistryRoutes.ts";
import { recordRoutes } from "./records/recordRoutes.ts";
import type { Registry } from "./registry.ts";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";
import { unlimitedApi } from "./test/serve.ts";

const settings = { fsync: "off" };

/** Starts a streaming standby of a server in a new folder, from a copy of its folder. */
async function startStandby(primary: PostgresServer, from: string, to: string): Promise<PostgresServer> {
  const pool = primary.connect();
  const client = await pool.connect();
  await client.query("select pg_backup_start('standby', true)");
  await promisify(execFile)("cp", ["-a", from, to]);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
  client.release();
  await pool.end();
  const data = join(to, "data");
  await rm(join(data, "postmaster.pid"));
  const { uid, gid } = await stat(data);
  for (const [name, content] of [
    ["backup_label", rows[0]?.labelfile ?? ""],
    ["standby.signal", ""],
  ] as const) {
    await writeFile(join(data, name), content);
    await chown(join(data, name), uid, gid);
  }
  const { hostname, port, username, password } = new URL(primary.url);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  return startPostgres({ directory: to, settings: { ...settings, primary_conninfo: conninfo } });
}

describe.runIf(process.env.TEST_LONG)("a registry that reads its index from a standby", () => {
  let folder: string;
  let fixture: RegistryFixture;
  let [primary, standby]: [PostgresServer?, PostgresServer?] = [];
  let indexer: Awaited<ReturnType<typeof startIndexer>>;
  let registry: Registry;
  let did: string;

  const metadata = (name: string) => ({
    ...{ name, traits: ["api:mcp"] },
    endpoints: [{ name: "MCP", endpoint: "https://mcp.example/" }],
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "standby-"));
    // PostgreSQL runs as another user if this process is root.
    await chmod(folder, 0o755);
    const [one, other] = [join(folder, "primary"), join(folder, "standby")];
    [fixture, primary] = await Promise.all([startRegistry(), startPostgres({ directory: one, settings })]);
    ({ did } = await fixture.register({ metadata: metadata("Tide Tables") }));
    standby = await startStandby(primary, one, other);
    const { RPC_URL: rpcUrl = "", DEPLOYMENT_FILE: deploymentFile = "" } = fixture.variables;
    const place = { rpcUrl, deploymentFile, directory: folder, database: primary };
    indexer = await startIndexer(place, { environment: { ALLOW_LOOPBACK_DIDS: "true" } });
    registry = fixture.registryWith({ DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url });
    await eventually(async () => expect((await get("/api/search")).body.source).toBe("index"));
  });
  afterAll(async () => {
    await indexer?.stop();
    await fixture?.stop();
    await Promise.all([standby?.stop(), primary?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  async function get(path: string, init: RequestInit = {}) {
    const routes = [recordRoutes, feedRoutes, mcpRegistryRoutes].flatMap((of) => of(() => registry));
    const api = unlimitedApi(routes);
    const response = await api.fetch(new Request(`http://localhost${path}`, init));
    const text = await response.text();
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
  }

  it("answers every route that reads", async () => {
    const server = encodeURIComponent(toServerName(did));
    for (const path of [
      "/api/search?q=tide&facets=true",
      `/api/search?did=${encodeURIComponent(did)}&sort=changed`,
      "/api/search?control=pass&traits=api:mcp&interface=2",
      "/api/suggest?q=ti",
      "/feed.atom",
      `/feed.atom/controllers/${wallet.address}`,
      `/api/accounts/${wallet.address}`,
      "/v0.1/servers",
      `/v0.1/servers/${server}/versions`,
      "/api/export/apps",
      `/api/live/${did}`,
    ]) {
      const { status, text } = await get(path);
      expect([status, text.includes("index-unavailable")], `${path}: ${text}`).toEqual([200, false]);
    }
    const check = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect((await get(`/api/live/${did}`, check)).body).toMatchObject({ status: 409, code: "not-asked" });
    const log = await readFile(join(folder, "standby/postgres.log"), "utf8");
    expect(log.split("ready to accept read-only connections")[1]).not.toMatch(/ERROR|FATAL/);
  });

  it("finds a service at once with the block of its receipt while the standby is behind", async () => {
    const pool = standby?.connect();
    await pool?.query("select pg_wal_replay_pause()");
    const { did: late } = await fixture.register({ metadata: metadata("Late") });
    const minBlock = await fixture.registry.publicClient.getBlockNumber();
    await untilCaughtUp(fixture, indexer);
    const search = `/api/search?did=${encodeURIComponent(late)}`;
    expect((await get(search)).body.results).toEqual([]);
    const found = get(`${search}&minBlock=${minBlock}`);
    await pool?.query("select pg_wal_replay_resume()");
    expect((await found).body).toMatchObject({ results: [{ did: late }], source: "index" });
    await pool?.end();
  });

  it("answers every search while the primary dies and the standby takes over", async () => {
    const pool = standby?.connect();
    const expected = (await get("/api/search")).body.results;
    const answers: Awaited<ReturnType<typeof get>>[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) answers.push(await get("/api/search"));
    })();
    await primary?.restart("immediate", async () => {
      await pool?.query("select pg_promote()");
      await expect.poll(() => answers.length).toBeGreaterThan(10);
    });
    isOver = true;
    await asking;
    for (const { status, body } of answers)
      expect([status, body.source, body.results]).toEqual([200, "index", expected]);
    await pool?.end();
  });
});
