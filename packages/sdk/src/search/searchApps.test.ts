import { gzipSync } from "node:zlib";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { searchApps } from "./searchApps.ts";
import type { SearchPage } from "./searchResult.ts";

const page: SearchPage = { results: [], nextCursor: null, source: "index", block: 7 };

describe("searchApps", () => {
  it("requests a search and returns the page", async () => {
    let asked: string | undefined;
    const baseUrl = await serveHttp((request, response) => {
      asked = request.url;
      response.end(JSON.stringify(page));
    });
    const found = await searchApps({
      baseUrl,
      traits: ["api:mcp", "weather"],
      interface: 2,
      q: "rain & sun",
      minVersion: "1.0.0",
    });
    expect(found).toEqual(page);
    expect(asked).toBe("/api/search?traits=api%3Amcp%2Cweather&interface=2&q=rain+%26+sun&minVersion=1.0.0");
  });

  it("rejects a response that decompresses to more than 16 MiB", async () => {
    const bomb = gzipSync(`${" ".repeat(17 * 1024 * 1024)}${JSON.stringify(page)}`);
    const baseUrl = await serveHttp((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    await expect(searchApps({ baseUrl })).rejects.toMatchObject({ name: "ServiceUnavailableError" });
  });

  it("cuts a long error of the service at 1,000 characters", async () => {
    const baseUrl = await serveHttp((_, response) =>
      response.writeHead(422).end(JSON.stringify({ code: "c".repeat(2_000), detail: "d".repeat(100_000) })),
    );
    const error = await searchApps({ baseUrl }).catch((thrown) => thrown);
    expect(error.shortMessage).toBe("d".repeat(1_000));
    expect(error.code).toBe("c".repeat(1_000));
  });

  it("rejects an invalid search without sending a request", async () => {
    const search = searchApps({ baseUrl: deadOrigin, interface: 9 });
    await expect(search).rejects.toMatchObject({ name: "InvalidSearchError" });
  });

  it.each([
    [400, false],
    [429, true],
    [503, true],
  ])("rejects with the service's message for status %i (retryable: %s)", async (status, retryable) => {
    const baseUrl = await serveHttp((_, response) => {
      response.statusCode = status;
      response.end(
        JSON.stringify({ title: "Bad", detail: "The cursor is not valid.", code: "invalid-cursor" }),
      );
    });
    await expect(searchApps({ baseUrl })).rejects.toMatchObject({
      name: "ServiceError",
      shortMessage: "The cursor is not valid.",
      code: "invalid-cursor",
      status,
      retryable,
    });
  });

  it.each([
    ["text that is not JSON", "<html>"],
    ["JSON of another shape", JSON.stringify({ results: [{ did: 1 }] })],
  ])("rejects %s with ServiceUnavailableError", async (_, body) => {
    const baseUrl = await serveHttp((_request, response) => response.end(body));
    await expect(searchApps({ baseUrl })).rejects.toMatchObject({ name: "ServiceUnavailableError" });
  });

  it("rejects with a retryable error if the service does not respond", async () => {
    const down = searchApps({ baseUrl: deadOrigin });
    await expect(down).rejects.toMatchObject({ name: "ServiceUnavailableError", retryable: true });
    const baseUrl = await serveHttp(() => undefined);
    const silent = searchApps({ baseUrl, timeoutMs: 100 });
    await expect(silent).rejects.toMatchObject({ name: "TimeLimitError", retryable: true });
  });
});
