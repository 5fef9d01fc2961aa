import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { defaultLimits, type LimitQuotas } from "@app-registry/server/variables";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../test/serve.ts";
import { ApiProblem } from "./problem.ts";
import { createRateLimits, rateLimitHeaders } from "./rateLimits.ts";

const none: LimitQuotas = {
  attestClient: undefined,
  attestAddress: undefined,
  attestHost: undefined,
  attestChecksHost: undefined,
  importClient: undefined,
  readClient: undefined,
  pictureClient: undefined,
  searchClient: undefined,
  pageClient: undefined,
};
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

const createLimits = (quotas: Partial<LimitQuotas>, { webProcesses = 1, store = pool } = {}) =>
  createRateLimits({ rateLimits: { ...none, ...quotas }, trustedProxies: 1, webProcesses }, store);
const from = (address: string) => new Request("http://x/api/y", { headers: { "x-forwarded-for": address } });

describe("rate limits", () => {
  it("divide searches and pages among the web processes, and count what costs more together", async () => {
    const processes = [1, 2].map(() =>
      createLimits({ searchClient: 5, pageClient: 4, attestHost: 2 }, { webProcesses: 2 }),
    );
    const countAllowed = async (name: "searchClient" | "pageClient" | "attestHost") => {
      const asked = processes.flatMap((limits) => [1, 2, 3, 4].map(() => limits.consume(name, "a")));
      return (await Promise.all(asked)).filter((quota) => quota?.refused === false).length;
    };
    expect(await countAllowed("searchClient")).toBe(6);
    expect(await countAllowed("pageClient")).toBe(4);
    expect(await countAllowed("attestHost")).toBe(2);
    expect(await processes[0]?.consume("attestAddress", "a")).toBeUndefined();
    const { rows } = await pool.query("SELECT key FROM app_registry_limits.used WHERE key !~ '^attest'");
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
    const first = await handler(from("203.0.113.1"));
    expect(first.headers.get("ratelimit-policy")).toBe('"read-client";q=2;w=600');
    expect(first.headers.get("ratelimit")).toMatch(/^"read-client";r=1;t=(600|599)$/);
    await handler(from("203.0.113.1"));
    const refused = await handler(from("203.0.113.1"));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(590);
    expect(refused.headers.get("ratelimit")).toMatch(/^"read-client";r=0;t=\d+$/);
    expect(await refused.json()).toMatchObject({ code: "rate-limited", status: 429, retryable: true });
    expect(handled).toBe(2);
    expect((await handler(from("203.0.113.2"))).status).toBe(200);
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
  const away = new Pool({
    connectionString: "postgresql://u:secret@127.0.0.1:18811/x",
    connectionTimeoutMillis: 500,
  });
  afterAll(() => away.end());

  it("reject requests that may spend money and allow reads", async () => {
    const limits = createLimits(
      {
        attestClient: 5,
        attestAddress: 5,
        attestHost: 5,
        importClient: 5,
        readClient: 5,
      },
      { store: away },
    );
    for (const name of ["attestClient", "attestAddress", "attestHost"] as const) {
      const refusal = await limits.consume(name, "x").catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ApiProblem);
      expect(refusal).toMatchObject({ httpStatus: 503, code: "limits-unavailable" });
    }
    for (const name of ["importClient", "readClient"] as const) {
      expect(await limits.consume(name, "x")).toBeUndefined();
    }
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
