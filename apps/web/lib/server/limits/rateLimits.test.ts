import { defaultLimits, type LimitQuotas } from "@app-registry/server/quotas";
import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { ApiProblem } from "../problem.ts";
import { serve } from "../test/serve.ts";
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
const createLimits = (quotas: Partial<LimitQuotas>, pool?: Pool) =>
  createRateLimits({ rateLimits: { ...none, ...quotas }, trustedProxies: 1 }, pool);
const from = (address: string) => new Request("http://x/api/y", { headers: { "x-forwarded-for": address } });

describe("rate limits in memory", () => {
  it("reject requests over a key's quota without affecting other keys", async () => {
    const limits = createLimits({ attestHost: 2 });
    const used = async (key: string) => (await limits.consume("attestHost", key))?.refused;
    expect([await used("a"), await used("a"), await used("a"), await used("b")]).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(await limits.consume("attestAddress", "a")).toBeUndefined();
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
        searchClient: 5,
        pageClient: 5,
      },
      away,
    );
    for (const name of ["attestClient", "attestAddress", "attestHost"] as const) {
      const refusal = await limits.consume(name, "x").catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ApiProblem);
      expect(refusal).toMatchObject({ httpStatus: 503, code: "limits-unavailable" });
    }
    for (const name of ["importClient", "readClient", "searchClient", "pageClient"] as const) {
      expect(await limits.consume(name, "x")).toBeUndefined();
    }
  });
});
