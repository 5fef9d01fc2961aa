import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

const folder = fileURLToPath(new URL("../../", import.meta.url));
const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
const distDir = ".next-routes-test";
const port = 18581;
const origin = `http://localhost:${port}`;

let fixture: RegistryFixture;
let server: ChildProcess;

beforeAll(async () => {
  fixture = await startRegistry(18577);
  server = spawn(process.execPath, [next, "dev", "--port", String(port)], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      ...fixture.variables,
      PUBLIC_URL: origin,
      RATE_LIMIT_IMPORT_CLIENT: "1",
      NEXT_DIST_DIR: distDir,
      NEXT_TELEMETRY_DISABLED: "1",
    },
  });
  // A test run that is interrupted leaves no server behind.
  process.once("exit", kill);
  const answers = () =>
    fetch(`${origin}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + 150_000; !(await answers()); ) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error("the web server did not start");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}, 180_000);

/** Next works in processes of its own below the one that was started. */
function kill(): void {
  if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGKILL");
}

afterAll(async () => {
  const ended = new Promise((resolve) => server.once("close", resolve));
  process.off("exit", kill);
  kill();
  await Promise.all([ended, fixture.stop()]);
  await rm(`${folder}${distDir}`, { recursive: true, force: true });
}, 30_000);

describe("the running web server", () => {
  it("serves a DID with a port in both spellings of its path, undecoded", { timeout: 60_000 }, async () => {
    const { did, canonical } = await fixture.register();
    expect(did).toContain("%3A");
    for (const spelt of [did, did.replaceAll("%", "%25")]) {
      const response = await fetch(`${origin}/api/data-url/${spelt}/v/1.0.0`);
      expect(await response.text()).toBe(canonical);
    }
  });

  it("serves did.json of its own loopback DIDs, so that they can be attested", {
    timeout: 90_000,
  }, async () => {
    for (const suffix of ["", ":a:b", ":a%20b"]) {
      const did = `did:web:localhost%3A${port}${suffix}`;
      const response = await fetch(`${origin}/api/verify-and-attest`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ did, connectedAddress: wallet.address }),
      });
      expect(await response.json()).toMatchObject({ ok: true, status: "attested" });
    }
  });

  it("answers a route that does not exist with a problem", { timeout: 60_000 }, async () => {
    const response = await fetch(`${origin}/api/nothing`);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ status: 404, code: "not-found" });
  });

  it("answers a path that can't be decoded with a problem", { timeout: 60_000 }, async () => {
    const response = await fetch(`${origin}/api/apps/%E0%A4%A`);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "invalid-did" });
  });

  it("answers a method that a route does not have with 405", { timeout: 60_000 }, async () => {
    for (const path of ["/api/search", "/api/data-url/did:web:a.example/v/1.0", "/api/health"]) {
      const response = await fetch(`${origin}${path}`, { method: "DELETE" });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(await response.json()).toMatchObject({ code: "method-not-allowed" });
    }
  });

  it("counts a client by its socket, whatever address its headers name", { timeout: 60_000 }, async () => {
    const ask = (address: string) =>
      fetch(`${origin}/api/import/mcp`, { method: "POST", headers: { "x-forwarded-for": address } });
    expect((await ask("203.0.113.1")).status).toBe(415);
    const refused = await ask("203.0.113.2");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "rate-limited" });
  });
});
