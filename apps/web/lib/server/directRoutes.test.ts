import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installDirectRoutes, setDirectApi } from "./directRoutes.ts";
import { respondWithEtag } from "./etag.ts";

const long = "long ".repeat(500);
const next = () => createServer((_, response) => void response.end("next"));
const servers = { site: next(), operations: next() };

async function get(path: string, headers = {}, server: Server = servers.site, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const [answer] = await once(request({ port, path, headers, method }).end(), "response");
  const parts: Buffer[] = await answer.toArray();
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) };
}

beforeAll(async () => {
  installDirectRoutes(servers.operations);
  setDirectApi(async (asked) => {
    const { pathname, search } = new URL(asked.url);
    const body = search === "?long" ? long : `${pathname} ${asked.headers.get("x-asked")}`;
    return respondWithEtag(asked, body, { "content-type": "text/plain", vary: "Origin" });
  });
  for (const server of Object.values(servers)) await once(server.listen(0), "listening");
});
afterAll(() => {
  for (const server of Object.values(servers)) server.close();
});

describe("installDirectRoutes", () => {
  it("answers frequent reads with the API's response to the same path and headers", async () => {
    for (const path of ["/api/search", "/api/data-url/did:web:localhost%253A3000:a/v/1.0.0"]) {
      const { status, headers, bytes } = await get(`${path}?q=1`, { "x-asked": "yes" });
      expect([status, String(bytes)]).toEqual([200, `${path} yes`]);
      expect(headers).toMatchObject({
        "content-length": String(bytes.length),
        vary: "Origin, Accept-Encoding",
      });
    }
  });

  it("leaves other paths, methods and servers to their listeners", async () => {
    for (const path of [
      "/",
      "/api/search/",
      "/api//search",
      "/api/searches",
      "/api/data-url/a//b",
      "/api/health",
      "/api/data-url/../../healthz",
      "/api/data-url/%2e%2E/%2e./healthz",
      "/api/data-url/did:web:a.b/v/1.0.0/.",
    ])
      expect(String((await get(path)).bytes), path).toBe("next");
    expect(String((await get("/api/search", {}, servers.site, "POST")).bytes)).toBe("next");
    expect(String((await get("/api/search", {}, servers.operations)).bytes)).toBe("next");
  });

  it("compresses long bodies for clients that accept gzip", async () => {
    const zipped = await get("/api/search?long", { "accept-encoding": "br, gzip;q=0.5" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(String(gunzipSync(zipped.bytes))).toBe(long);
    for (const accepted of ["GZIP", "*", "gzip, deflate, br"]) {
      const { headers } = await get("/api/search?long", { "accept-encoding": accepted });
      expect(headers["content-encoding"], accepted).toBe("gzip");
    }
    for (const accepted of ["gzip;q=0", "gzip;q=00", "gzip;q=0;x", "not-gzip", 'br;x="gzip"', "x-gzip", ""])
      expect(String((await get("/api/search?long", { "accept-encoding": accepted })).bytes)).toBe(long);
    const plain = { "accept-encoding": "identity;q=1, gzip;q=0.5" };
    expect((await get("/api/search?long", plain)).headers).not.toHaveProperty("content-encoding");
    expect(String((await get("/api/search?long", { "accept-encoding": "gzip; q=0.0, br" })).bytes)).toBe(
      long,
    );
    expect((await get("/api/search", { "accept-encoding": "gzip" })).headers).not.toHaveProperty(
      "content-encoding",
    );
  });

  it("answers 304 without a body to a client that has the current one", async () => {
    const { headers } = await get("/api/search");
    const again = await get("/api/search", { "if-none-match": headers.etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(again.headers).not.toHaveProperty("content-length");
  });
});
