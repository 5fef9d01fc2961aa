import { defaultLimits } from "@app-registry/server/variables";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { serve } from "../test/serve.ts";
import { ApiProblem } from "./problem.ts";
import { createRateLimits } from "./rateLimits.ts";
import { MAX_BODY_BYTES, readJsonBody, sharedForBlock } from "./request.ts";

const get = (headers: Record<string, string> = {}) => new Request("http://localhost/api/x", { headers });

describe("an API route", () => {
  let logged = "";
  beforeEach(() => {
    logged = "";
    vi.spyOn(console, "error").mockImplementation((line: string) => {
      logged += line;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it("adds a request id to every response, the caller's own if it is a plain token", async () => {
    const ok = serve(async () => Response.json({}));
    expect((await ok(get())).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect((await ok(get({ "x-request-id": "trace-12345" }))).headers.get("x-request-id")).toBe(
      "trace-12345",
    );
    expect((await ok(get({ "x-request-id": "a b<script>" }))).headers.get("x-request-id")).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  it("says nothing about one client in a response that caches may share", async () => {
    const shared = (status: number) =>
      serve(async () => new Response(null, { status, headers: { "cache-control": sharedForBlock } }), {
        limits: ["searchClient"],
        limitsOf: () =>
          createRateLimits({ rateLimits: defaultLimits, trustedProxies: 0, webProcesses: 1 }, undefined),
      });
    for (const status of [200, 304]) {
      const { headers } = await shared(status)(get({ "x-request-id": "trace-12345" }));
      expect(
        [...headers.keys()].filter((name) => /^(ratelimit|x-request-id|set-cookie|vary)/.test(name)),
      ).toEqual([]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  it("converts a problem to RFC 9457 problem details with its code", async () => {
    const fails = serve(async () => {
      throw new ApiProblem(503, "chain-unavailable", "Away", { retryable: true });
    });
    const response = await fails(get({ "x-request-id": "trace-12345" }));
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toEqual({
      type: "about:blank",
      title: "Away",
      status: 503,
      code: "chain-unavailable",
      retryable: true,
      requestId: "trace-12345",
    });
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it("hides the content of an unexpected error from the caller and the log", async () => {
    const fails = serve(async () => {
      throw new Error("HTTP request failed:\n    at https://rpc.example/v2/SECRET-KEY");
    });
    const response = await fails(get());
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(body).not.toMatch(/SECRET|at .*\.ts/);
    expect(logged).not.toContain("SECRET");
    expect(JSON.parse(logged)).toMatchObject({
      code: "internal-error",
      requestId: JSON.parse(body).requestId,
    });
  });
});

describe("the methods of a path", () => {
  const answer = async () => Response.json({ a: 1 });
  const reads = serve({ GET: answer });
  const posts = serve({ POST: answer });
  const ask = (api: typeof reads, method: string) => api(new Request("http://localhost/api/x", { method }));

  it("returns 405 with Allow for unsupported methods", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
      const response = await ask(reads, method);
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.json()).toMatchObject({ status: 405, code: "method-not-allowed" });
    }
    expect((await ask(posts, "GET")).headers.get("allow")).toBe("POST, OPTIONS");
  });

  it("answers HEAD like GET without a body, and OPTIONS with the methods", async () => {
    const head = await ask(reads, "HEAD");
    expect(head.status).toBe(200);
    expect(head.headers.get("content-type")).toBe("application/json");
    expect(await head.text()).toBe("");
    const options = await ask(reads, "OPTIONS");
    expect(options.status).toBe(200);
    expect(options.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect((await ask(posts, "OPTIONS")).headers.get("access-control-allow-methods")).toBeNull();
  });

  it("allows a GET from pages of other sites, but a POST only if it reads", async () => {
    const handlers = { GET: answer, POST: answer };
    const preflight = async (api: typeof reads, asked: string) => {
      const headers = { "access-control-request-method": asked };
      const { headers: answered } = await api(
        new Request("http://localhost/api/x", { method: "OPTIONS", headers }),
      );
      return answered.get("access-control-allow-origin");
    };
    const acts = serve(handlers);
    expect([await preflight(acts, "GET"), await preflight(acts, "POST")]).toEqual(["*", null]);
    expect(await preflight(serve(handlers, { onlyReads: true }), "POST")).toBe("*");
    expect(await preflight(posts, "POST")).toBeNull();
  });

  // @threat documents: Probing one victim again and again, or against robots.txt or Retry-After
  it("rejects actions from pages of other sites, even if the browser cached an earlier permission", async () => {
    const handled = vi.fn(answer);
    const acts = serve({ GET: answer, POST: handled });
    const post = (api: typeof reads, site: string) => {
      const headers = { "content-type": "application/json", "sec-fetch-site": site };
      return api(new Request("http://localhost/api/x", { method: "POST", body: "{}", headers }));
    };
    for (const site of ["cross-site", "same-site"]) {
      const refused = await post(acts, site);
      expect([refused.status, (await refused.json()).code]).toEqual([403, "other-site"]);
    }
    expect(handled).not.toHaveBeenCalled();
    for (const site of ["same-origin", "none"]) expect((await post(acts, site)).status).toBe(200);
    expect((await post(serve({ POST: answer }, { onlyReads: true }), "cross-site")).status).toBe(200);
    // Browsers reuse the permissions of a GET for a POST to the same URL.
    const { headers } = await ask(acts, "OPTIONS");
    expect(headers.get("access-control-allow-headers")).toBe("if-none-match, x-request-id");
  });

  it("sets headers that prevent browsers from running, framing or reinterpreting a response", async () => {
    const { headers } = await ask(reads, "GET");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("readJsonBody", () => {
  const schema = z.strictObject({ name: z.string() });
  const post = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
    readJsonBody(
      new Request("http://x/", { method: "POST", body, headers: { "content-type": type } }),
      schema,
    );

  it("reads a body", async () => {
    expect(await post('{"name":"x"}', "application/json; charset=utf-8")).toEqual({ name: "x" });
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])(
    "rejects %s, which a form of another site can send",
    async (type) => {
      await expect(post('{"name":"x"}', type)).rejects.toMatchObject({ httpStatus: 415 });
    },
  );

  it("rejects a body that is too large or is not valid JSON or UTF-8", async () => {
    const large = JSON.stringify({ name: "x".repeat(MAX_BODY_BYTES) });
    await expect(post(large)).rejects.toMatchObject({ httpStatus: 413 });
    await expect(post("{")).rejects.toMatchObject({ httpStatus: 400, code: "not-json" });
    await expect(post('{"name":"x","name":"y"}')).rejects.toMatchObject({ code: "not-json" });
    await expect(post(Uint8Array.from([0x22, 0xff, 0x22]))).rejects.toMatchObject({ code: "not-json" });
  });

  it("returns the location of invalid JSON", async () => {
    await expect(post('{\n  "name": "x",\n  nothing\n}')).rejects.toMatchObject({
      details: { problems: [{ message: expect.stringContaining("Line 3, column 3") }] },
    });
  });

  // @threat services: A body or list that is empty, endless, trickles or breaks off
  it("stops reading an endless body at the limit, whatever length it announces", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1_024;
        controller.enqueue(new Uint8Array(1_024).fill(0x20));
      },
    });
    const request = new Request("http://x/", {
      method: "POST",
      body: endless,
      headers: { "content-type": "application/json" },
      duplex: "half",
    } as RequestInit);
    await expect(readJsonBody(request, schema)).rejects.toMatchObject({ httpStatus: 413 });
    expect(pulled).toBeLessThan(MAX_BODY_BYTES + 4_096);
  });

  // @threat services: A body or list that is empty, endless, trickles or breaks off
  it("rejects a compressed body", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const request = new Request("http://x/", { method: "POST", body: "{}", headers });
    await expect(readJsonBody(request, schema)).rejects.toMatchObject({ httpStatus: 415 });
  });
});
