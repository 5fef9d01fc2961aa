import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientAddress,
  createRateLimiter,
  getSite,
  type Quota,
  type RateLimiter,
  UNKNOWN_CLIENT,
} from "./rateLimits.ts";

let server: PostgresDatabase;
let pool: Pool;
beforeAll(async () => {
  server = await createDatabase();
  pool = server.connect();
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

const program = fileURLToPath(new URL("../test/limitedProcess.ts", import.meta.url));

/** Counts a client's requests in a separate process. Returns how many are allowed. */
async function countInProcess(connectionString: string, quota: number, requests: number): Promise<number> {
  const child = fork(program, [connectionString, String(quota), String(requests)]);
  const [allowed] = await once(child, "message");
  return allowed as number;
}

const countAllowed = (quotas: readonly Quota[]) => quotas.filter(({ refused }) => !refused).length;

async function inTurn(limiter: RateLimiter, count: number, key: string): Promise<Quota[]> {
  const quotas: Quota[] = [];
  for (let index = 0; index < count; index++) quotas.push(await limiter.consume(key));
  return quotas;
}

const atOnce = (limiter: RateLimiter, count: number, key: string): Promise<Quota[]> =>
  Promise.all(Array.from({ length: count }, () => limiter.consume(key)));

/** Sends requests continuously until one is allowed. Returns the rejected ones and the allowed one. */
async function untilAllowed(
  limiter: RateLimiter,
  key: string,
): Promise<{ refused: Quota[]; allowed: Quota }> {
  const refused: Quota[] = [];
  for (;;) {
    const quota = await limiter.consume(key);
    if (!quota.refused) return { refused, allowed: quota };
    refused.push(quota);
    // A limit in memory resolves without leaving the event loop.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe.each(["memory", "PostgreSQL"] as const)("a rate limiter in %s", (store) => {
  const createLimiter = (name: string, policy: { quota: number; window?: number }) =>
    createRateLimiter({ name, window: 600, ...policy }, store === "memory" ? undefined : pool);

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("allows a client its quota and rejects all further requests", async () => {
    const quotas = await inTurn(createLimiter("inTurn", { quota: 30 }), 150, "a client");
    expect(countAllowed(quotas)).toBe(30);
    expect(countAllowed(quotas.slice(0, 30))).toBe(30);
    expect(quotas.map(({ remaining }) => remaining)).toEqual(
      quotas.map((_, index) => Math.max(0, 29 - index)),
    );
    for (const { reset } of quotas) expect(reset).toBeLessThanOrEqual(600);
    for (const { reset } of quotas) expect(reset).toBeGreaterThan(500);
  });

  it("allows exactly its quota of 200 simultaneous requests, and none later", async () => {
    const limiter = createLimiter("atOnce", { quota: 30 });
    const quotas = await atOnce(limiter, 200, "a client");
    expect(countAllowed(quotas)).toBe(30);
    expect(quotas.every(({ remaining }) => remaining >= 0)).toBe(true);
    expect(countAllowed(await inTurn(limiter, 20, "a client"))).toBe(0);
    expect(countAllowed(await atOnce(limiter, 20, "a client"))).toBe(0);
  });

  it("does not count other clients or the client's other limits", async () => {
    const limiter = createLimiter("first", { quota: 2 });
    await inTurn(limiter, 5, "a client");
    expect((await limiter.consume("another client")).remaining).toBe(1);
    expect((await createLimiter("second", { quota: 2 }).consume("a client")).remaining).toBe(1);
    expect((await limiter.consume("a client")).refused).toBe(true);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("allows the quota again after the window ends, but not earlier, even with constant requests", async () => {
    const window = 4;
    const limiter = createLimiter("windows", { quota: 5, window });
    await limiter.consume("whoever has the store opened");
    const startedAt = performance.now();
    await inTurn(limiter, 5, "a client");
    const { refused, allowed } = await untilAllowed(limiter, "a client");
    // The store's clock counts whole milliseconds.
    expect(performance.now() - startedAt).toBeGreaterThan(window * 1_000 - 10);
    expect(refused.length).toBeGreaterThan(0);
    for (const { remaining, reset } of refused) {
      expect(remaining).toBe(0);
      expect(reset).toBeGreaterThanOrEqual(1);
      expect(reset).toBeLessThanOrEqual(window);
    }
    expect(allowed.remaining).toBe(4);
    expect(countAllowed(await atOnce(limiter, 20, "a client"))).toBe(4);
  });
});

// @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
it("keeps a bounded number of clients in memory, and no timer for any", async () => {
  const limiter = createRateLimiter({ name: "many", quota: 1, window: 600 }, undefined);
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  for (let client = 0; client <= 50_000; client++) await limiter.consume(`client ${client}`);
  expect(timers()).toBe(before);
  expect((await limiter.consume("client 50000")).refused).toBe(true);
  expect((await limiter.consume("client 0")).refused).toBe(false);
});

describe("the counts in PostgreSQL", () => {
  it("are those of all processes together", async () => {
    const allowed = await Promise.all([1, 2].map(() => countInProcess(server.url, 6, 40)));
    expect(allowed.reduce((sum, count) => sum + count)).toBe(6);
  });

  it("contain no client address", async () => {
    await createRateLimiter({ name: "private", quota: 1, window: 600 }, pool).consume("203.0.113.77");
    const { rows } = await pool.query("SELECT key FROM app_registry_limits.used");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("203.0.113.77");
  });
});

const forwarded = (value?: string) =>
  new Request("http://x/", { headers: value ? { "x-forwarded-for": value } : {} });

describe("clientAddress", () => {
  it("uses the entry of the outermost trusted proxy, whatever the client wrote before it", () => {
    expect(clientAddress(forwarded("203.0.113.9"), 1)).toBe("203.0.113.9");
    expect(clientAddress(forwarded("1.1.1.1, 203.0.113.9"), 1)).toBe("203.0.113.9");
    expect(clientAddress(forwarded("1.1.1.1, 203.0.113.9, 10.0.0.1"), 2)).toBe("203.0.113.9");
  });

  it("counts the ports of an address as one client", () => {
    expect(clientAddress(forwarded("203.0.113.9:1234"), 1)).toBe("203.0.113.9");
    const network = clientAddress(forwarded("2001:db8:1:2::1"), 1);
    expect(clientAddress(forwarded("[2001:db8:1:2::1]:443"), 1)).toBe(network);
  });

  it("counts an IPv6 network, and all forms of an IPv4 address, as one client", () => {
    const network = clientAddress(forwarded("2001:db8:1:2::1"), 1);
    expect(clientAddress(forwarded("2001:db8:1:2:ffff::9"), 1)).toBe(network);
    expect(clientAddress(forwarded("2001:db8:1:3::1"), 1)).not.toBe(network);
    expect(clientAddress(forwarded("::ffff:203.0.113.9"), 1)).toBe("203.0.113.9");
  });

  // @threat services: A picture or a rush that stops the web app
  it("returns the same queue for all networks of an IPv6 /48", () => {
    const siteAt = (address: string) => getSite(clientAddress(forwarded(address), 1));
    expect(siteAt("2001:db8:1:ffff::1")).toBe(siteAt("2001:db8:1:2::1"));
    expect(siteAt("2001:db8:2:2::1")).not.toBe(siteAt("2001:db8:1:2::1"));
    expect(siteAt("203.0.113.9")).toBe("203.0.113.9");
    expect(siteAt("")).toBe(UNKNOWN_CLIENT);
  });

  it.each([undefined, "", "not an address", "203.0.113.9:1234, ", "<script>"])(
    "counts all clients without a usable address (%s) together",
    (value) => {
      expect(clientAddress(forwarded(value), 1)).toBe(UNKNOWN_CLIENT);
      expect(clientAddress(forwarded(value), 3)).toBe(UNKNOWN_CLIENT);
    },
  );

  it("counts all clients together without a trusted proxy, whatever they write", () => {
    expect(clientAddress(forwarded("203.0.113.9"), 0)).toBe(UNKNOWN_CLIENT);
  });
});
