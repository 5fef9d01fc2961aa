import { describe, expect, it } from "vitest";
import { serveFiles, serveHttp } from "../../../sdk/test/httpServer.ts";
import { createGuardedFetch } from "../guardedFetch.ts";
import { importOpenApi } from "./importOpenApi.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true }) };

const document = {
  openapi: "3.1.0",
  info: { title: "Weather", version: "2.4.0", description: "Forecasts." },
  servers: [{ url: "https://api.example.com/v2" }],
  paths: {},
};

async function importText(text: string) {
  const { files, origin } = await serveFiles();
  files.set("/openapi", text);
  return { url: `${origin}/openapi`, imported: importOpenApi(`${origin}/openapi`, source) };
}

describe("importOpenApi", () => {
  it("reads title, description, version and the first server of a JSON document", async () => {
    const { url, imported } = await importText(JSON.stringify(document));
    expect(await imported).toEqual({
      url,
      endpoint: "https://api.example.com/v2",
      document: { openapi: "3.1.0", info: document.info, servers: document.servers },
    });
  });

  it("reads a YAML document", async () => {
    const { imported } = await importText(
      "openapi: 3.0.3\ninfo:\n  title: Weather\n  version: '1.0'\nservers:\n  - url: https://api.example.com\n",
    );
    expect(await imported).toMatchObject({
      endpoint: "https://api.example.com/",
      document: { openapi: "3.0.3", info: { title: "Weather" } },
    });
  });

  it("resolves a relative server against the document, and takes its root without one", async () => {
    const relative = await importText(JSON.stringify({ ...document, servers: [{ url: "/v3" }] }));
    expect((await relative.imported).endpoint).toBe(new URL("/v3", relative.url).href);
    const without = await importText(JSON.stringify({ ...document, servers: undefined }));
    expect((await without.imported).endpoint).toBe(new URL("/", without.url).href);
  });

  it("fills a server's variables with their defaults", async () => {
    const servers = [{ url: "https://{region}.example.com", variables: { region: { default: "eu" } } }];
    const { imported } = await importText(JSON.stringify({ ...document, servers }));
    expect((await imported).endpoint).toBe("https://eu.example.com/");
  });

  it.each([
    ["no JSON", "{", "line 1"],
    ["duplicate keys", '{"openapi":"3.0.0","openapi":"3.1.0"}', "/openapi"],
    ["broken YAML", "openapi: [", "openapi"],
    [
      "aliases that multiply",
      "a: &a [1,1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n",
      "alias",
    ],
    ["another kind", '{"name":"a card"}', "/openapi"],
    ["Swagger 2", '{"openapi":"2.0.0","info":{"title":"a","version":"1"}}', "convert"],
    ["no title", '{"openapi":"3.1.0","info":{"version":"1"}}', "/info/title"],
  ])("says what is wrong with a document of %s", async (_, text, place) => {
    const { imported } = await importText(text);
    await expect(imported).rejects.toMatchObject({
      code: "openapi-invalid",
      message: expect.stringContaining(place),
    });
  });

  it("names the status of a host that does not serve it", async () => {
    const origin = await serveHttp((_, response) => response.writeHead(503).end());
    await expect(importOpenApi(`${origin}/openapi.json`, source)).rejects.toMatchObject({
      code: "http-status",
      status: 503,
      retryable: true,
    });
  });
});
