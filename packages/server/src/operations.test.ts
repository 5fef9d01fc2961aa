import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { freePort } from "@app-registry/test-kit/freePort";
import { expect, it, onTestFinished } from "vitest";
import type { Health } from "./health.ts";
import { metrics } from "./metrics.ts";
import { createOperations, serveOperations } from "./operations.ts";

const well: Health = {
  status: "ok",
  problems: [],
  chain: { reachable: true, block: 7, chainId: 31337 },
  database: { reachable: true },
  indexer: { reachable: true, block: 5, building: false, lag: 2 },
  issuer: { configured: true, authorised: true, mode: "send", funds: null, revalidation: null },
};

/** Probes of a process with the health of `current`. */
async function start(current: () => Promise<Health>) {
  const server = await serveOperations(
    { metrics: { port: await freePort(), host: "127.0.0.1" } },
    createOperations(current),
  );
  if (!server) throw new Error("It serves nothing");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
}

const fundsLow = { code: "issuer-funds-low", message: "It is low." } as const;
const chainAway = { code: "chain-unavailable", message: "It is unavailable." } as const;

it("a process is ready while a part is degraded but not while one is down, and lists the problems", async () => {
  let health = well;
  const get = await start(async () => health);
  expect(await get("/readyz")).toEqual({ status: 200, text: "ready\n" });
  health = { ...well, status: "degraded", problems: [fundsLow] };
  expect(await get("/readyz?x=1")).toEqual({ status: 200, text: "ready\nissuer-funds-low: It is low.\n" });
  health = { ...well, status: "down", problems: [chainAway, fundsLow] };
  expect((await get("/readyz")).status).toBe(503);
  expect((await get("/readyz")).text).toContain("chain-unavailable: It is unavailable.");
});

it("a process is alive while its health check fails", async () => {
  const get = await start(() => Promise.reject(new Error("postgres://user:secret@host")));
  expect(await get("/healthz")).toEqual({ status: 200, text: "ok\n" });
  for (const path of ["/readyz", "/metrics"])
    expect(await get(path)).toEqual({ status: 500, text: "Error\n" });
  expect((await get("/")).status).toBe(404);
});

it("metrics contain known values and omit unknown ones", async () => {
  let health: Health = { ...well, status: "degraded", problems: [fundsLow] };
  const get = await start(async () => health);
  metrics().refusal("hash-mismatch");
  const before = (await get("/metrics")).text;
  expect(before).toMatch(/^app_registry_health_problem\{code="issuer-funds-low"\} 1$/m);
  expect(before).toMatch(/^app_registry_index_lag_blocks 2$/m);
  expect(before).toMatch(/^app_registry_issuer_authorised 1$/m);
  expect(before).toMatch(/^app_registry_refusals_total\{reason="hash-mismatch"\} 1$/m);
  expect(before).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(before).not.toMatch(/^app_registry_issuer_balance_native /m);
  const gone = { ...well.issuer, authorised: null };
  health = { ...well, indexer: { ...well.indexer, lag: null }, issuer: gone };
  const after = (await get("/metrics")).text;
  expect(after).not.toMatch(/^app_registry_(health_problem|index_lag_blocks|issuer_authorised)[ {]/m);
});

it("serveOperations reports a port that is in use", async () => {
  const port = await freePort();
  const options = createOperations(async () => well);
  const first = await serveOperations({ metrics: { port, host: "127.0.0.1" } }, options);
  await expect(serveOperations({ metrics: { port, host: "127.0.0.1" } }, options)).rejects.toThrow(
    "EADDRINUSE",
  );
  first?.close();
  if (first) await once(first, "close");
});
