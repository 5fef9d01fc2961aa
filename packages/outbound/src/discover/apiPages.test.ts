import { describe, expect, it } from "vitest";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { discoverService } from "./discoverService.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };
const api = { openapi: "3.1.0", info: { title: "Town", version: "1.0.0" } };

describe("discoverService, with a page of an API's documentation", () => {
  it.each([
    ["Swagger UI", `<div id="swagger-ui"></div><script>SwaggerUIBundle({ url: "./spec" })</script>`],
    ["Redoc", `<redoc spec-url='/docs/spec'></redoc>`],
    ["Redoc by its script", `<script>Redoc.init( "/docs/spec", {})</script>`],
    [
      "Scalar",
      `<script id="api-reference" data-url="/docs/spec"></script><script src="@scalar/api"></script>`,
    ],
    ["Scalar by its script", `<script>Scalar.createApiReference("#app", { "url": "/docs/spec" })</script>`],
  ])("reads the document that a page of %s names", async (_, body) => {
    const page = `<html><head><title>Docs</title></head><body>${body}</body></html>`;
    const { origin } = await serveSite({ "/docs/ui": page, "/docs/spec": api });
    const { findings, needsChoice } = await discoverService(`${origin}/docs/ui`, source);
    expect(findings).toMatchObject([{ kind: "openapi", url: `${origin}/docs/spec` }]);
    expect(needsChoice).toBeUndefined();
  });

  const swaggerUi = (script: string) =>
    `<html><head><title>Swagger UI</title></head><body><div id="swagger-ui"></div>
    <script src="./swagger-ui-bundle.js"> </script><script src="${script}"> </script></body></html>`;

  it.each([
    ["Fastify", "/docs", "/docs/static/swagger-initializer.js", "url: resolveUrl('./json'),"],
    ["Spring", "/docs/", "swagger-initializer.js", 'url: "/docs/json",'],
  ])("reads the document that the script of a page of %s names", async (_, path, script, options) => {
    const { origin } = await serveSite({
      ...{ [path]: swaggerUi(script), "/docs/json": api },
      [new URL(script, `http://localhost${path}`).pathname]: `SwaggerUIBundle({ ${options} })`,
    });
    for (const address of [origin + path, ...(path === "/docs" ? [origin] : [])]) {
      const { findings, needsChoice } = await discoverService(address, source);
      expect(findings).toMatchObject([{ kind: "openapi", url: `${origin}/docs/json` }]);
      expect(needsChoice).toBeUndefined();
    }
  });

  it("reads the document inside the script of a page of Express", async () => {
    const options = { swaggerDoc: { ...api, servers: [{ url: "/v1" }] }, customOptions: {} };
    const { origin } = await serveSite({
      "/api-docs/": swaggerUi("./swagger-ui-init.js"),
      "/api-docs/swagger-ui-init.js": `  var options = ${JSON.stringify(options, null, 2)};\n  url = 1`,
    });
    for (const address of [`${origin}/api-docs/`, origin]) {
      const { findings, needsChoice } = await discoverService(address, source);
      expect(findings).toMatchObject([
        { kind: "openapi", metadata: { name: "Town", endpoints: [{ endpoint: `${origin}/v1` }] } },
      ]);
      expect(findings[0]?.metadata.endpoints).not.toMatchObject([{ schemaUrl: expect.anything() }]);
      expect(findings[0]?.notes?.at(-1)).toContain(`${origin}/api-docs/swagger-ui-init.js`);
      expect(needsChoice).toBeUndefined();
    }
  });

  it("proposes no website for a page whose document can't be read", async () => {
    const { origin } = await serveSite({ "/ui/": swaggerUi("./swagger-initializer.js") });
    const { findings, notes } = await discoverService(`${origin}/ui/`, source);
    expect(findings).toEqual([]);
    expect(notes).toEqual([
      `${origin}/ui/ shows the documentation of an API. Enter the address of its OpenAPI document.`,
    ]);
  });

  it.each(["/doc", "/documentation/json", "/swagger.json", "/.well-known/openapi.json", "/api-docs.json"])(
    "reads %s of a host that offers nothing else",
    async (path) => {
      const { origin } = await serveSite({ "/": "<title>Town</title>", [path]: api });
      const { findings, needsChoice } = await discoverService(origin, source);
      expect(findings).toMatchObject([{ kind: "openapi", url: origin + path }, { kind: "website" }]);
      expect(needsChoice).toBeUndefined();
    },
  );
});

describe("discoverService, with a page that links to a service description", () => {
  it("reads it", async () => {
    const page = '<link rel="service-desc" href="docs/api.json"><title>A</title>';
    const { origin } = await serveSite({ "/": page, "/docs/api.json": api });
    const { findings } = await discoverService(origin, source);
    expect(findings).toMatchObject([
      { kind: "openapi", url: `${origin}/docs/api.json` },
      { kind: "website" },
    ]);
  });
});

describe("discoverService, at an address that is refused", () => {
  it("says that an MCP server never answers, and not that it refuses GET", async () => {
    const { origin } = await serveSite({}, (request, response): void => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hi\n\n");
    });
    const { notes } = await discoverService(`${origin}/mcp`, { ...source, timeout: 3_000 });
    expect(notes?.[0]).toMatch(/answer to initialize within the time limit\.$/);
  });

  it("says that a server refuses the host name", async () => {
    const { origin } = await serveSite({}, (_, response) => response.writeHead(421).end());
    const { notes } = await discoverService(`${origin}/mcp`, source);
    expect(notes?.[0]).toBe(`${origin}/mcp answers 421: the server refuses this host name.`);
  });

  it("explains how a port is written in a DID", async () => {
    const { notes } = await discoverService("did:web:localhost:3000:weather", source);
    expect(notes?.[0]).toBe(
      "3000 is a part of the path in did:web:localhost:3000:weather. A port is written %3A: localhost%3A3000.",
    );
  });
});
