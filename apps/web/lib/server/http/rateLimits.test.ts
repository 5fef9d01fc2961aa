import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { defaultLimits, type LimitQuotas } from "@app-registry/server/variables";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../test/serve.ts";
import {
  clientAddress,
  createRateLimiter,
  createRateLimits,
  getSite,
  type Quota,
  type RateLimiter,
  rateLimitHeaders,
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
    expect(quotas.map(({ refused }) => refused)).toEqual(quotas.map((_, index) => index >= 30));
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

it("stores no client address in PostgreSQL", async () => {
  await createRateLimiter({ name: "private", quota: 1, window: 600 }, pool).consume("203.0.113.77");
  const { rows } = await pool.query("SELECT key FROM app_registry_limits.used");
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain("203.0.113.77");
});

describe("clientAddress", () => {
  const network = "2001:db8:1:2::/64";
  it.each([
    [1, "203.0.113.9", "203.0.113.9"],
    // A client can write entries before those of the trusted proxies.
    [1, "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    [2, "1.1.1.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"],
    [1, "203.0.113.9:1234", "203.0.113.9"],
    [1, "::ffff:203.0.113.9", "203.0.113.9"],
    [1, "2001:db8:1:2::1", network],
    [1, "2001:db8:1:2:ffff::9", network],
    [1, "[2001:db8:1:2::1]:443", network],
    [1, "2001:db8:1:3::1", "2001:db8:1:3::/64"],
    [0, "203.0.113.9", UNKNOWN_CLIENT],
    ...["", "not an address", "203.0.113.9:1234, ", "<script>"].flatMap(
      (text): [number, string, string][] => [
        [1, text, UNKNOWN_CLIENT],
        [3, text, UNKNOWN_CLIENT],
      ],
    ),
  ])("behind %i trusted proxies counts %j as %s", (proxies, forwarded, expected) => {
    const headers = new Headers({ "x-forwarded-for": forwarded });
    expect(clientAddress({ headers }, proxies)).toBe(expected);
  });

  it("counts all clients without the header together", () => {
    expect(clientAddress({ headers: new Headers() }, 1)).toBe(UNKNOWN_CLIENT);
  });
});

// @threat services: A picture or a rush that stops the web app
it("getSite returns the same queue for all networks of an IPv6 /48", () => {
  expect(getSite("2001:db8:1:ffff::/64")).toBe(getSite("2001:db8:1:2::/64"));
  expect(getSite("2001:db8:2:2::/64")).not.toBe(getSite("2001:db8:1:2::/64"));
  for (const client of ["203.0.113.9", UNKNOWN_CLIENT]) expect(getSite(client)).toBe(client);
});

const none = Object.fromEntries(
  Object.keys(defaultLimits).map((name) => [name, undefined]),
) as unknown as LimitQuotas;
const createLimits = (quotas: Partial<LimitQuotas>, { webProcesses = 1, store = pool } = {}) =>
  createRateLimits({ rateLimits: { ...none, ...quotas }, trustedProxies: 1, webProcesses }, store);

describe("rate limits", () => {
  it("divide searches and pages among the web processes, and count what costs more together", async () => {
    const processes = [1, 2].map(() =>
      createLimits({ searchClient: 5, pageClient: 4, attestHost: 6 }, { webProcesses: 2 }),
    );
    const count = async (name: "searchClient" | "pageClient" | "attestHost") => {
      const asked = processes.flatMap((limits) =>
        Array.from({ length: 40 }, () => limits.consume(name, "a")),
      );
      return (await Promise.all(asked)).filter((quota) => quota?.refused === false).length;
    };
    expect(await count("searchClient")).toBe(6);
    expect(await count("pageClient")).toBe(4);
    expect(await count("attestHost")).toBe(6);
    expect(await processes[0]?.consume("attestAddress", "a")).toBeUndefined();
    const { rows } = await pool.query(
      "SELECT key FROM app_registry_limits.used WHERE key ~ '^(search|page)'",
    );
    expect(rows).toEqual([]);
  });

  it("count a client before the handler runs, and report the remaining quota in every response", async () => {
    let handled = 0;
    const limits = createLimits({ readClient: 2 });
    const handler = serve(
      async () => {
        handled += 1;
        return Response.json({});
      },
      { limitsOf: () => limits, limits: ["readClient"] },
    );
    const ask = (client: string) =>
      handler(new Request("http://x/api/y", { headers: { "x-forwarded-for": client } }));
    const first = await ask("203.0.113.1");
    expect(first.headers.get("ratelimit-policy")).toBe('"read-client";q=2;w=600');
    expect(first.headers.get("ratelimit")).toMatch(/^"read-client";r=1;t=(600|599)$/);
    await ask("203.0.113.1");
    const refused = await ask("203.0.113.1");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(590);
    expect(refused.headers.get("ratelimit")).toMatch(/^"read-client";r=0;t=\d+$/);
    expect(await refused.json()).toMatchObject({ code: "rate-limited", status: 429, retryable: true });
    expect(handled).toBe(2);
    expect((await ask("203.0.113.2")).status).toBe(200);
  });
});

describe("rateLimitHeaders", () => {
  it("names each limit differently, and alike in both headers", () => {
    const limits = Object.keys(defaultLimits);
    const quotas = limits.map((name) => ({
      ...{ policy: { name, quota: 2, window: 600 }, refused: false, remaining: 1, reset: 9 },
    }));
    const names = rateLimitHeaders(quotas).map(([, members]) =>
      members.split(", ").map((member) => /^"([a-z-]+)";/.exec(member)?.[1]),
    );
    expect(new Set(names[0]).size).toBe(limits.length);
    expect(names[1]).toEqual(names[0]);
  });
});

describe("rate limits with an unavailable store", () => {
  it("reject requests that may spend money and allow reads", async () => {
    const store = new Pool({ connectionString: "postgresql://u:secret@127.0.0.1:9/x" });
    const limits = createLimits(defaultLimits, { store });
    for (const name of ["attestClient", "attestAddress", "attestHost"] as const) {
      const refusal = { httpStatus: 503, code: "limits-unavailable" };
      await expect(limits.consume(name, "x")).rejects.toMatchObject(refusal);
    }
    for (const name of ["importClient", "readClient"] as const) {
      expect(await limits.consume(name, "x")).toBeUndefined();
    }
    await store.end();
  });

  it("keep a read waiting for a store that doesn't answer for less time than a request that may spend money", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const store = new Pool({ connectionString: `postgresql://u:secret@127.0.0.1:${port}/x` });
    const limits = createLimits({ attestClient: 5, readClient: 5 }, { store });
    const consume = async (name: "attestClient" | "readClient") => {
      await limits.consume(name, "x").catch(() => undefined);
      return name;
    };
    expect(await Promise.race([consume("attestClient"), consume("readClient")])).toBe("readClient");
    silent.close();
  });
});
