import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ApiProblem } from "./problem.ts";
import { MAX_BODY_BYTES, readJsonBody } from "./requestBody.ts";
import { corsPreflight, route } from "./route.ts";

const get = (headers: Record<string, string> = {}) => new Request("http://localhost/api/x", { headers });

describe("route", () => {
  let logged = "";
  beforeEach(() => {
    logged = "";
    vi.spyOn(console, "error").mockImplementation((line: string) => {
      logged += line;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it("gives every answer a request id, the caller's own when it is a plain token", async () => {
    const ok = route(async () => Response.json({}));
    expect((await ok(get())).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect((await ok(get({ "x-request-id": "trace-12345" }))).headers.get("x-request-id")).toBe(
      "trace-12345",
    );
    expect((await ok(get({ "x-request-id": "a b<script>" }))).headers.get("x-request-id")).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  it("opens GET to every origin, and POST to none", async () => {
    const ok = route(async () => Response.json({}));
    expect((await ok(get())).headers.get("access-control-allow-origin")).toBe("*");
    const posted = await ok(new Request("http://localhost/api/x", { method: "POST", body: "{}" }));
    expect(posted.headers.get("access-control-allow-origin")).toBeNull();
    expect(corsPreflight().headers.get("access-control-allow-methods")).not.toContain("POST");
  });

  it("answers a problem as RFC 9457 with its code", async () => {
    const fails = route(async () => {
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

  it("tells neither the caller nor the log what an unforeseen error holds", async () => {
    const fails = route(async () => {
      throw new Error("HTTP request failed: https://rpc.example/v2/SECRET-KEY");
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
    "refuses %s, which a form of another site could post",
    async (type) => {
      await expect(post('{"name":"x"}', type)).rejects.toMatchObject({ httpStatus: 415 });
    },
  );

  it("refuses a body that is too large, is no JSON or no UTF-8", async () => {
    const large = JSON.stringify({ name: "x".repeat(MAX_BODY_BYTES) });
    await expect(post(large)).rejects.toMatchObject({ httpStatus: 413 });
    await expect(post("{")).rejects.toMatchObject({ httpStatus: 400, code: "not-json" });
    await expect(post(Uint8Array.from([0x22, 0xff, 0x22]))).rejects.toMatchObject({ code: "not-json" });
  });
});
