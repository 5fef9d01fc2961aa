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
