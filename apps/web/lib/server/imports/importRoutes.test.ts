import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Discovery } from "@app-registry/outbound";
import { metrics } from "@app-registry/server/metrics";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Registry } from "../registry.ts";
import { unlimitedApi } from "../test/serve.ts";
import { importRoutes, readInWorker } from "./importRoutes.ts";

const metadata = { name: "Weather", publisher: "Meteo", description: "Rain.", endpoints: [] };

let host: Server;
let origin: string;

beforeAll(async () => {
  host = createServer((request, response) => {
    if (request.url?.startsWith("/held")) return;
    response.writeHead(request.url === "/a.json" ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(metadata));
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(() => {
  host.closeAllConnections();
  host.close();
});

const api = unlimitedApi(importRoutes(() => ({ environment: { allowLoopback: true } }) as Registry));

const post = (input: string, client = "192.0.2.1") =>
  api.request("/api/import", {
    method: "POST",
    headers: { "content-type": "application/json", client },
    body: JSON.stringify({ input }),
  });

describe("POST /api/import", () => {
  it("returns the findings of a thread, and counts its requests", async () => {
    const countAnswers = async () =>
      Number(/outbound_requests_total\{outcome="2xx"\} (\d+)/.exec(await metrics().text())?.[1] ?? 0);
    const counted = await countAnswers();
    const response = await post(`${origin}/a.json`);
    const { findings } = (await response.json()) as Discovery;
    expect(findings).toMatchObject([{ kind: "metadata", metadata }]);
    await expect.poll(countAnswers).toBe(counted + 1);
  });

  it("rejects an input that is not an address", async () => {
    expect(await (await post("nonsense")).json()).toMatchObject({ code: "unusable-address" });
  });

  it("queues a client's imports, rejects the excess, and does not delay other clients", async () => {
    const responses = Array.from({ length: 30 }, (_, index) => post(`${origin}/held/${index}.json`));
    const refused = await Promise.all(responses.slice(21));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(await refused[0]?.json()).toMatchObject({ code: "imports-busy", retryable: true });
    expect((await post(`${origin}/a.json`, "192.0.2.2")).status).toBe(200);
    host.closeAllConnections();
    const timer = setInterval(() => host.closeAllConnections(), 50);
    expect(new Set((await Promise.all(responses.slice(0, 21))).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    clearInterval(timer);
  });
});

describe("readInWorker", () => {
  it("ends a thread at its deadline, and reads the next address", async () => {
    const task = { input: `${origin}/held.json`, allowLoopback: true };
    const { findings, looked } = await readInWorker(task, 100);
    expect(findings).toEqual([]);
    expect(looked).toMatchObject([
      { place: task.input, outcome: "failed", reason: expect.stringContaining("too much time") },
    ]);
    const next = await readInWorker({ input: `${origin}/a.json`, allowLoopback: true });
    expect(next.findings).toHaveLength(1);
  });
});
