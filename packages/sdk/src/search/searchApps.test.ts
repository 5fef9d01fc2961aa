import { gzipSync } from "node:zlib";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { searchAll, searchApps } from "./searchApps.ts";
import type { SearchPage, SearchResult } from "./searchResult.ts";

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

const result = (tokenId: string): SearchResult => ({
  ...{ did: `did:web:${tokenId}.test`, major: 1, version: "1.0.0", tokenId, status: 0, interfaces: 2 },
  proven: { kind: "host", name: `${tokenId}.test` },
  ...{ owner: `0x${"a".repeat(40)}`, minter: `0x${"a".repeat(40)}` },
  ...{ dataUrl: "", dataHash: `0x${"1".repeat(64)}`, dataHashAlgorithm: 0 },
  ...{ traits: [], traitHashes: [], updatedAt: 1 },
});

/** Starts a service with three results, two per page. `asked` collects its requests. */
async function serveThree() {
  const asked: string[] = [];
  const baseUrl = await serveHttp((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    asked.push(url.search);
    const first: SearchPage = {
      ...{ results: [result("1"), result("2")], nextCursor: "c2", source: "index", block: 7 },
      ...(url.searchParams.get("facets") === "true" && { total: { count: 3, exact: true } }),
    };
    const second: SearchPage = { results: [result("3")], nextCursor: null, source: "index", block: 8 };
    response.end(JSON.stringify(url.searchParams.get("cursor") === "c2" ? second : first));
  });
  return { baseUrl, asked };
}

describe("searchAll", () => {
  it("yields every result, and requests each page only when it is needed", async () => {
    const { baseUrl, asked } = await serveThree();
    const listing = searchAll({ baseUrl, traits: ["weather"], limit: 2 });
    expect(asked).toEqual([]);
    const met: string[] = [];
    for await (const { tokenId } of listing) {
      met.push(tokenId);
      if (tokenId === "2") expect(asked).toHaveLength(1);
    }
    expect(met).toEqual(["1", "2", "3"]);
    expect(asked).toEqual(["?traits=weather&limit=2", "?traits=weather&limit=2&cursor=c2&facets=false"]);
  });

  it("yields pages from the given cursor on, with counts on the first page only", async () => {
    const { baseUrl } = await serveThree();
    const pages: SearchPage[] = [];
    for await (const page of searchAll({ baseUrl, facets: true }).pages()) pages.push(page);
    expect(pages.map(({ total, block }) => [total?.count, block])).toEqual([
      [3, 7],
      [undefined, 8],
    ]);
    const later: string[] = [];
    for await (const { tokenId } of searchAll({ baseUrl, cursor: "c2" })) later.push(tokenId);
    expect(later).toEqual(["3"]);
  });

  it("searches the web service of a connected client", async () => {
    const { baseUrl, asked } = await serveThree();
    const client = { baseUrl } as AppRegistryClient;
    for await (const _page of searchAll({ client, q: "rain" }).pages());
    expect(asked).toHaveLength(2);
  });

  it.each([["c2"], ["c2", "c3"]])("rejects if the pages repeat (%#)", async (...cursors) => {
    let asked = 0;
    const baseUrl = await serveHttp((_, response) => {
      const nextCursor = cursors[asked++ % cursors.length];
      response.end(JSON.stringify({ results: [], nextCursor, source: "index", block: 7 }));
    });
    const read = async () => {
      for await (const _page of searchAll({ baseUrl }).pages()) expect(asked).toBeLessThan(5);
    };
    await expect(read()).rejects.toThrow("repeats a page");
  });
});
