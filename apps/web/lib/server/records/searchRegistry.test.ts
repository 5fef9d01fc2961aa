import { parseSearchParams, type SearchPage, type SearchQuery, searchPageSchema } from "@app-registry/sdk";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Registry } from "../registry.ts";
import { provideRegistry } from "../test/registryFixture.ts";
import { serve } from "../test/serve.ts";
import { searchRegistry, serveSearch } from "./searchRegistry.ts";

/** Page of the index, and the searches that it received. */
let page: SearchPage = { results: [], nextCursor: "abc", source: "index", block: 7 };
let asked: SearchQuery[] = [];
async function searchIndex(query: SearchQuery) {
  asked.push(query);
  return page;
}

const fixture = provideRegistry();
/** Same registry with an index. */
let indexed: Registry;
beforeAll(async () => {
  indexed = { ...fixture.registry, searchIndex };
});
beforeEach(() => {
  asked = [];
});

describe("GET /api/search", () => {
  const search = (query: string, from = fixture.registry, init: RequestInit = {}) =>
    serve((request) => serveSearch(request, from, async () => {}))(
      new Request(`http://localhost/api/search${query}`, init),
    );

  it("uses the chain while the index is being built, page by page", async () => {
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

  it("uses the chain while the database of the index doesn't answer", async () => {
    const { did } = await fixture.register();
    const from = fixture.registryWith({ DATABASE_READ_URL: "postgresql://127.0.0.1:9/postgres" });
    const page = searchPageSchema.parse(await (await search("", from)).json());
    expect(page.source).toBe("chain");
    expect(page.results.map((result) => result.did)).toContain(did);
  });

  it("does not ask the chain for a client that has gone", async () => {
    const gone = new AbortController();
    let isCounted = false;
    const found = searchRegistry(
      {
        ...fixture.registry,
        async searchIndex() {
          gone.abort();
          return undefined;
        },
      },
      {},
      {
        signal: gone.signal,
        async onChain() {
          isCounted = true;
        },
      },
    );
    await expect(found).rejects.toBe(gone.signal.reason);
    expect(isCounted).toBe(false);
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

  it("returns the index's page, and how far it is behind the chain", async () => {
    const query = "?q=a+b&traits=api%3Amcp%2Cpay%3Ax402&minVersion=1.2.3&status=any&sort=updated";
    const found = await (await search(query, indexed)).json();
    const lag = Number(await fixture.registry.publicClient.getBlockNumber()) - page.block;
    expect(found).toEqual({ ...page, lag: expect.any(Number) });
    expect(found.lag).toBeLessThanOrEqual(lag);
    expect(asked).toEqual([parseSearchParams(new URLSearchParams(query))]);
  });

  it("lets no cache keep a page that is older than the block the client asks for", async () => {
    const cacheControl = async (minBlock: number) =>
      (await search(`?minBlock=${minBlock}`, indexed)).headers.get("cache-control");
    expect(await cacheControl(page.block)).toMatch(/^public/);
    expect(await cacheControl(page.block + 1)).toBe("no-store");
  });

  it("returns 304 for the ETag of its last response until the result changes, from either source", async () => {
    const againWith = async (etag: string, from = fixture.registry, method = "GET") => {
      const headers = { "if-none-match": etag };
      const response = await search("", from, { method, headers });
      return { status: response.status, etag: response.headers.get("etag"), text: await response.text() };
    };
    const answer = await search("", indexed);
    const etag = answer.headers.get("etag") ?? "";
    expect([answer.status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{20,}"$/)]);
    expect(answer.headers.get("cache-control")).toBe(
      "public, max-age=0, s-maxage=2, stale-while-revalidate=30",
    );
    for (const tag of [etag, etag.slice(2), `"x", ${etag}`]) {
      expect(await againWith(tag, indexed)).toEqual({ status: 304, etag, text: "" });
    }
    expect(await againWith(etag, indexed, "HEAD")).toEqual({ status: 304, etag, text: "" });
    page = { ...page, block: 8 };
    const changed = await againWith(etag, indexed);
    expect(changed.status).toBe(200);
    expect(changed.etag).not.toBe(etag);
    const ofChain = (await search("")).headers.get("etag") ?? "";
    expect(await againWith(ofChain)).toEqual({ status: 304, etag: ofChain, text: "" });
  });
});
