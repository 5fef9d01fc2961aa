import { freePort } from "@app-registry/test-kit/freePort";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { fetchFromIndexer, parseAnswer } from "./fetchFromIndexer.ts";

/** Starts an indexer that responds with a status and counts its requests. */
async function indexer(status: number, body: unknown) {
  const asked: string[] = [];
  const url = await serveHttp((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return { url, asked };
}

async function ask(...asked: Parameters<typeof fetchFromIndexer>) {
  const answer = await fetchFromIndexer(...asked);
  return answer && { status: answer.status, value: parseAnswer(answer) };
}

describe("fetchFromIndexer, with several indexers", () => {
  it("tries the next one if one is unavailable, being built or slow, and stays with the one that responds", async () => {
    const building = await indexer(503, { code: "not-ready" });
    const ready = await indexer(200, { block: 7 });
    const hanging = await serveHttp(() => {});
    const away = `http://127.0.0.1:${await freePort()}`;
    const urls = [away, building.url, hanging, ready.url];

    expect(await ask(urls, "/search?limit=1")).toEqual({ status: 200, value: { block: 7 } });
    expect(await ask(urls, "/search?limit=2")).toEqual({ status: 200, value: { block: 7 } });
    expect(ready.asked).toEqual(["/search?limit=1", "/search?limit=2"]);
    expect(building.asked).toHaveLength(1);
  });

  it("rejects a response that is not from an indexer", async () => {
    const other = await serveHttp((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    );
    expect(await fetchFromIndexer([other], "/search")).toBeUndefined();
  });

  it("returns a client error", async () => {
    const refusing = await indexer(400, { code: "invalid-cursor" });
    const other = await indexer(200, {});
    expect(await fetchFromIndexer([refusing.url, other.url], "/search")).toMatchObject({ status: 400 });
    expect(other.asked).toEqual([]);
  });

  it("returns the last error if all fail, and undefined if none responds", async () => {
    const building = await indexer(503, { code: "not-ready", block: 3 });
    const hanging = await serveHttp(() => {});
    expect(await ask([building.url, hanging], "/search", { timeout: 300 })).toEqual({
      status: 503,
      value: { code: "not-ready", block: 3 },
    });
    expect(await fetchFromIndexer([hanging], "/search", { timeout: 100 })).toBeUndefined();
  });
});
