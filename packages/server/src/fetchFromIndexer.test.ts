import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { fetchFromIndexer, parseAnswer } from "./fetchFromIndexer.ts";

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** An indexer that answers with a status, and counts how often it was asked. */
async function indexer(status: number, body: unknown) {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return { url, asked };
}

async function ask(...asked: Parameters<typeof fetchFromIndexer>) {
  const answer = await fetchFromIndexer(...asked);
  return answer && { status: answer.status, value: parseAnswer(answer) };
}

describe("asking one of several indexers", () => {
  it("goes on to the next when one is away, is being built or hangs, and stays with the one that answers", async () => {
    const building = await indexer(503, { code: "not-ready" });
    const ready = await indexer(200, { block: 7 });
    const hanging = await serve(() => {});
    const away = await indexer(200, {});
    servers.pop()?.close();
    const urls = [away.url, building.url, hanging, ready.url];

    expect(await ask(urls, "/search?limit=1")).toEqual({ status: 200, value: { block: 7 } });
    expect(await ask(urls, "/search?limit=2")).toEqual({ status: 200, value: { block: 7 } });
    expect(ready.asked).toEqual(["/search?limit=1", "/search?limit=2"]);
    expect(building.asked).toHaveLength(1);
  });

  it("takes no answer of something else for an indexer's", async () => {
    const other = await serve((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    );
    expect(await fetchFromIndexer([other], "/search")).toBeUndefined();
  });

  it("takes a refusal for an answer", async () => {
    const refusing = await indexer(400, { code: "invalid-cursor" });
    const other = await indexer(200, {});
    expect(await fetchFromIndexer([refusing.url, other.url], "/search")).toMatchObject({ status: 400 });
    expect(other.asked).toEqual([]);
  });

  it("says what the last one said when none can answer, and nothing when all are away", async () => {
    const building = await indexer(503, { code: "not-ready", block: 3 });
    const hanging = await serve(() => {});
    expect(await ask([building.url, hanging], "/search", { timeout: 300 })).toEqual({
      status: 503,
      value: { code: "not-ready", block: 3 },
    });
    expect(await fetchFromIndexer([hanging], "/search", { timeout: 100 })).toBeUndefined();
  });
});
