import { parseSearchParams, parseSearchQuery, searchPageSchema } from "@app-registry/sdk";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchRegistry, serveSearch } from "./searchRegistry.ts";
import { type RegistryFixture, startRegistry } from "./test/registryFixture.ts";
import { serve } from "./test/serve.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry(18576);
});
afterAll(() => fixture.stop());

describe("GET /api/search", () => {
  const search = (query: string, from = fixture.registry, init: RequestInit = {}) =>
    serve((request) => serveSearch(request, from, async () => {}))(
      new Request(`http://localhost/api/search${query}`, init),
    );

  /** Creates a registry whose index responds with these answers. */
  const withIndex = async (
    answer: (asked: string) => { status?: number; headers?: Record<string, string>; body: string },
    use: (from: typeof fixture.registry) => Promise<void>,
  ) => {
    const url = await serveHttp((request, response) => {
      const { status = 200, headers, body } = answer(request.url ?? "");
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    });
    await use(fixture.registryWith({ INDEXER_URL: url }));
  };

  it("uses the chain while the index is unavailable, page by page", async () => {
    const { did } = await fixture.register();
    await fixture.register();
    const first = searchPageSchema.parse(await (await search("?traits=API:REST&interface=2&limit=1")).json());
    expect(first).toMatchObject({ source: "chain", nextCursor: expect.any(String) });
    const next = await (
      await search(`?traits=api:rest&interface=2&limit=100&cursor=${first.nextCursor}`)
    ).json();
    const found = [...first.results, ...next.results].map((result) => result.did);
    expect(found).toContain(did);
    expect(new Set(found).size).toBe(found.length);
  });

  it("uses the chain while the index is being built, and reports that", async () => {
    const { did } = await fixture.register();
    const url = await serveHttp((_request, response) => {
      const body = JSON.stringify({ code: "not-ready", block: 1, chainBlock: 9 });
      response.writeHead(503, { "content-type": "application/problem+json" }).end(body);
    });
    const response = await search("", fixture.registryWith({ INDEXER_URL: url }));
    const page = searchPageSchema.parse(await response.json());
    expect(page.source).toBe("chain");
    expect(page.results.map((result) => result.did)).toContain(did);
  });

  it("treats a response that is not a page as an unavailable index", async () => {
    for (const [type, body] of [
      ["text/html", "<html>"],
      ["application/json", "{}"],
    ] as const) {
      const url = await serveHttp((_, response) =>
        response.writeHead(200, { "content-type": type }).end(body),
      );
      const from = fixture.registryWith({ INDEXER_URL: url });
      expect(await searchRegistry(from, parseSearchQuery({}))).toMatchObject({ source: "chain" });
    }
  });

  it("reports that full text requires the index", async () => {
    const response = await search("?q=service");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: "index-unavailable",
      retryable: true,
      problems: [{ parameter: "q" }],
    });
  });

  it("forwards the query to the index unchanged", async () => {
    const asked: (string | null)[] = [];
    const page = {
      results: [],
      nextCursor: "abc",
      total: { count: 0, exact: true },
      source: "index",
      block: 7,
    };
    const answer = (url: string) => {
      asked.push(url);
      return { body: JSON.stringify(page) };
    };
    await withIndex(answer, async (from) => {
      const query = "?q=a+b&traits=api%3Amcp%2Cpay%3Ax402&minVersion=1.2.3&status=any&sort=updated";
      expect(await (await search(query, from)).json()).toEqual(page);
      expect(asked).toEqual([`/search${query}`]);
      const parsed = parseSearchParams(new URLSearchParams(query));
      expect(await searchRegistry(from, parsed)).toEqual(page);
    });
    expect(Object.fromEntries(new URL(asked[1] ?? "", "http://x").searchParams)).toEqual({
      q: "a b",
      traits: "api:mcp,pay:x402",
      minVersion: "1.2.3",
      status: "any",
      sort: "updated",
      match: "all",
      facets: "false",
      limit: "20",
    });
  });

  it("forwards the index's response byte by byte, including unknown fields", async () => {
    const body = '{"results":[],"nextCursor":null,  "later":1,"source":"index","block":7}';
    await withIndex(
      () => ({ headers: { "index-block": "7" }, body }),
      async (from) => expect(await (await search("", from)).text()).toBe(body),
    );
  });

  it.each([
    ["with an error", { status: 500, body: '{"results":[]}' }],
    ["with JSON that is not a page", { body: '{"hello":"world"}' }],
    ["without JSON", { body: "<html>" }],
  ])("uses the chain if the index answers %s", async (_, answer) => {
    await withIndex(
      () => answer,
      async (from) => {
        expect(await (await search("", from)).json()).toMatchObject({ source: "chain" });
        expect(await searchRegistry(from, parseSearchParams(new URLSearchParams()))).toMatchObject({
          source: "chain",
        });
      },
    );
  });

  it("returns 304 for the ETag of its last response until the result changes, from either source", async () => {
    let body = '{"results":[],"nextCursor":null,"source":"index","block":7}';
    const againWith = async (etag: string, from = fixture.registry, method = "GET") => {
      const headers = { "if-none-match": etag };
      const response = await search("", from, { method, headers });
      return { status: response.status, etag: response.headers.get("etag"), text: await response.text() };
    };
    await withIndex(
      () => ({ body }),
      async (from) => {
        const answer = await search("", from);
        const etag = answer.headers.get("etag") ?? "";
        expect([answer.status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{20,}"$/)]);
        expect(answer.headers.get("cache-control")).toBe("no-cache");
        for (const tag of [etag, etag.slice(2), `"x", ${etag}`]) {
          expect(await againWith(tag, from)).toEqual({ status: 304, etag, text: "" });
        }
        expect(await againWith(etag, from, "HEAD")).toEqual({ status: 304, etag, text: "" });
        body = body.replace("7", "8");
        const changed = await againWith(etag, from);
        expect(changed).toMatchObject({ status: 200, text: body });
        expect(changed.etag).not.toBe(etag);
      },
    );
    const ofChain = (await search("")).headers.get("etag") ?? "";
    expect(await againWith(ofChain)).toEqual({ status: 304, etag: ofChain, text: "" });
  });

  // @threat services: Filters, cursors and tokens made to confuse or overload a search
  it.each(["0", "12"])("leaves the cursor %s to an available index, which refuses it", async (cursor) => {
    const problems = [{ parameter: "cursor", message: "is not a cursor of this search" }];
    const body = JSON.stringify({
      title: "Invalid parameter",
      status: 400,
      code: "invalid-cursor",
      problems,
    });
    await withIndex(
      () => ({ status: 400, body }),
      async (from) => {
        const { problems: found } = await (await search(`?limit=100&cursor=${cursor}`, from)).json();
        expect(found).toEqual(problems);
      },
    );
  });

  it("reports a cursor that the index rejects", async () => {
    const body = JSON.stringify({
      ...{ title: "Invalid parameter", status: 400, code: "invalid-cursor" },
      detail: "cursor: is not a cursor of this search",
      problems: [{ parameter: "cursor", message: "is not a cursor of this search" }],
    });
    await withIndex(
      () => ({ status: 400, body }),
      async (from) => {
        const response = await search("?cursor=other", from);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          code: "invalid-cursor",
          problems: [{ parameter: "cursor" }],
        });
      },
    );
  });
});
