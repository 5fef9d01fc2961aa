import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { createProposal } from "./createProposal.ts";
import { discoverService } from "./discoverService.ts";
import { discoverySchema } from "./finding.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };

const html = `<!doctype html><html><head><title>Weather &amp; more</title>
  <meta property="og:site_name" content="Example Ltd"><meta name="description" content="Forecasts for everyone.">
  <meta property="og:image" content="/preview.png">
  <link rel="icon" href="/small.png" sizes="16x16"><link rel="apple-touch-icon" href="/touch.png">
  </head><body><meta property="og:title" content="Not in the head"></body></html>`;

const card = {
  name: "Planner",
  description: "Plans routes.",
  url: "https://agent.example.com/a2a",
  protocolVersion: "0.3.0",
  capabilities: {},
  skills: [{ id: "plan", name: "Plan", description: "Plans.", tags: ["Routes", "two words"] }],
};

const openApi = {
  openapi: "3.1.0",
  info: { title: "Weather API", version: "2.4.1" },
  paths: { "/now": { get: {} } },
};

describe("discoverService, with the URL of an MCP server", () => {
  it("reads all lists of a real server", async () => {
    const server = await startEverythingServer();
    onTestFinished(() => server.stop());
    const discovery = await discoverService(server.url, source);
    expect(discoverySchema.parse(discovery)).toEqual(discovery);
    const [finding] = discovery.findings;
    expect(finding).toMatchObject({ kind: "mcp", url: server.url, interfaces: 2 });
    expect(finding?.offers).toEqual([
      expect.stringMatching(/^\d+ tools$/),
      expect.stringMatching(/^\d+ resources$/),
      expect.stringMatching(/^\d+ resource templates$/),
      expect.stringMatching(/^\d+ prompts$/),
    ]);
    expect(finding?.metadata).toMatchObject({
      traits: ["api:mcp"],
      endpoints: [
        {
          name: "MCP",
          endpoint: server.url,
          transport: { http: { url: server.url, method: "POST" } },
          instructions: expect.any(String),
          resourceTemplates: expect.arrayContaining([
            expect.objectContaining({ uriTemplate: expect.any(String) }),
          ]),
        },
      ],
    });
    const { metadata, missing, proposed } = createProposal(discovery);
    expect(missing).toEqual([]);
    expect(proposed).toEqual(["/description", "/publisher"]);
    expect(metadata.publisher).toBe(new URL(server.url).host);
  });

  it("finds a server that requires credentials, with its OAuth endpoints", async () => {
    let origin = "";
    const site = await serveSite({}, (request, response): void => {
      const json = (body: object) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (request.url === "/.well-known/oauth-protected-resource/mcp") {
        return void json({
          resource: `${origin}/mcp`,
          authorization_servers: [`${origin}/login`],
          scopes_supported: ["read"],
        });
      }
      if (request.url === "/.well-known/oauth-authorization-server/login") {
        return void json({
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
        });
      }
      if (request.url !== "/mcp") return void response.writeHead(404).end();
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      response.writeHead(401, { "www-authenticate": challenge }).end();
    });
    origin = site.origin;
    const { findings } = await discoverService(`${origin}/mcp`, source);
    expect(findings[0]).toMatchObject({
      kind: "mcp",
      offers: ["tools that require credentials"],
      metadata: {
        endpoints: [
          {
            name: "MCP",
            endpoint: `${origin}/mcp`,
            authentication: {
              oauth2: {
                authorizationUrl: `${origin}/authorize`,
                tokenUrl: `${origin}/token`,
                scopes: ["read"],
              },
              issuer: `${origin}/login`,
            },
          },
        ],
      },
    });
    // The domain alone leads to the same result.
    expect((await discoverService(origin, source)).findings[0]).toMatchObject({
      kind: "mcp",
      url: `${origin}/mcp`,
    });
  });

  it("finds no MCP server at a host that rejects every request", async () => {
    const { origin } = await serveSite({}, (_, response) => response.writeHead(401).end());
    const { findings, looked } = await discoverService(origin, source);
    expect(findings).toEqual([]);
    expect(looked.find(({ place }) => place === `${origin}/mcp`)).toMatchObject({ outcome: "failed" });
  });

  it("reads the server in a server card", async () => {
    const server = await startEverythingServer();
    onTestFinished(() => server.stop());
    const { origin } = await serveSite({
      "/.well-known/mcp/server-card.json": {
        name: "com.example/weather",
        title: "Weather",
        version: "1.2.0",
        remotes: [{ type: "streamable-http", url: "/api/mcp" }],
      },
    });
    // Nothing responds at the URL in the card, so the finding comes from the card itself.
    expect((await discoverService(origin, source)).findings).toMatchObject([
      { kind: "mcp", version: "1.2.0", url: `${origin}/api/mcp`, metadata: { name: "Weather" } },
    ]);
  });
});

describe("discoverService, with the URL of a document", () => {
  it("reads an agent card, and suggests missing texts from the site's page", async () => {
    const { origin, asked } = await serveSite({ "/": html, "/.well-known/agent-card.json": card });
    const discovery = await discoverService(`${origin}/.well-known/agent-card.json`, source);
    expect(discovery.findings.map(({ kind }) => kind)).toEqual(["a2a", "website"]);
    const { metadata, suggestions, ...proposal } = createProposal(discovery);
    expect(metadata).toMatchObject({
      name: "Planner",
      publisher: new URL(origin).host,
      traits: ["api:a2a", "routes"],
      endpoints: [
        { name: "A2A", endpoint: `${origin}/.well-known/agent-card.json`, interfaceVersions: ["0.3.0"] },
      ],
    });
    expect(metadata).not.toHaveProperty("image");
    const page = { url: `${origin}/`, kind: "website" };
    expect(suggestions).toEqual([
      { pointer: "/publisher", value: "Example Ltd", ...page },
      { pointer: "/image", value: `${origin}/touch.png`, ...page },
      { pointer: "/external_url", value: `${origin}/`, ...page },
    ]);
    expect(proposal).toMatchObject({ proposed: ["/publisher"], missing: [], interfaces: 2 });
    expect(asked).toEqual(["GET /.well-known/agent-card.json", "GET /"]);
  });

  it.each([
    ["JSON", "/api.json", openApi],
    [
      "YAML",
      "/api.yaml",
      "openapi: 3.0.3\ninfo:\n  title: Weather API\n  version: 2.4.1\npaths:\n  /now: {}\nservers:\n- url: /\n",
    ],
  ])("reads an OpenAPI document in %s", async (_, path, document) => {
    const { origin } = await serveSite({ [path]: document });
    const { findings } = await discoverService(origin + path, source);
    expect(findings).toMatchObject([
      {
        kind: "openapi",
        version: "2.4.1",
        metadata: {
          name: "Weather API",
          traits: ["api:rest"],
          endpoints: [
            {
              name: "REST",
              endpoint: `${origin}/`,
              schemaUrl: `${origin}${path}`,
              interfaceVersions: ["2.4.1"],
            },
          ],
        },
      },
    ]);
  });

  it("reads a registration file with its agent card and keeps unknown fields", async () => {
    const file = (origin: string) => ({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "Planner",
      description: "Plans routes.",
      image: `${origin}/icon.png`,
      services: [
        { name: "web", endpoint: `${origin}/` },
        { name: "A2A", endpoint: `${origin}/.well-known/agent-card.json`, version: "0.3.0" },
        { name: "ENS", endpoint: "planner.eth", version: "v1" },
        { name: "email", endpoint: "help@example.com" },
      ],
      x402Support: true,
      registrations: [{ agentId: 22, agentRegistry: "eip155:1:0x742d35cc6634c0532925a3b844bc454e4438f44e" }],
    });
    const files: Record<string, string | object> = { "/.well-known/agent-card.json": card };
    const { origin } = await serveSite(files);
    files["/agent.json"] = file(origin);
    const { findings } = await discoverService(`${origin}/agent.json`, source);
    expect(findings.map(({ kind }) => kind)).toEqual(["erc8004", "a2a"]);
    const { registrations, services } = file(origin);
    expect(findings[0]).toMatchObject({
      interfaces: 3,
      metadata: {
        registrations,
        services,
        traits: ["api:a2a", "pay:x402"],
        payments: [{ type: "x402" }],
        platforms: { web: { launchUrl: `${origin}/` } },
        supportUrl: "mailto:help@example.com",
        endpoints: [
          { name: "A2A", endpoint: `${origin}/.well-known/agent-card.json`, interfaceVersions: ["0.3.0"] },
        ],
      },
    });
  });

  it("reports the reason a document can't be read", async () => {
    const { origin } = await serveSite({ "/a.json": '{"name":1,"name":2}', "/b.json": { swagger: "2.0" } });
    const reasonAt = async (path: string) => (await discoverService(origin + path, source)).looked[0]?.reason;
    expect(await reasonAt("/a.json")).toMatch(/twice/);
    expect(await reasonAt("/b.json")).toMatch(/is not an OpenAPI 3 document/);
  });

  it("accepts 64-bit limits in the schemas of an API but not in a metadata JSON", async () => {
    const limit = '"x":9223372036854775807}';
    const texts = { name: "A", description: "B", publisher: "C" };
    const { origin } = await serveSite({
      "/api.json": JSON.stringify(openApi).replace(/\}$/, `,${limit}`),
      "/metadata.json": JSON.stringify(texts).replace(/\}$/, `,${limit}`),
    });
    expect((await discoverService(`${origin}/api.json`, source)).findings).toMatchObject([
      { kind: "openapi" },
    ]);
    const { findings, looked } = await discoverService(`${origin}/metadata.json`, source);
    expect(findings).toEqual([]);
    expect(looked[0]?.reason).toMatch(/beyond 2\^53/);
  });
});

describe("discoverService, with a domain", () => {
  it("reads the conventional paths of the host and lists specific findings first, the page last", async () => {
    const { origin, asked } = await serveSite({
      "/": html,
      "/.well-known/agent-card.json": card,
      "/openapi.json": openApi,
    });
    const discovery = await discoverService(new URL(origin).host, source);
    expect(discovery.findings.map(({ kind }) => kind)).toEqual(["a2a", "openapi", "website"]);
    expect(discovery.dids[0]).toEqual({
      did: `did:web:localhost%3A${new URL(origin).port}`,
      why: expect.stringContaining("the host of the service"),
    });
    expect(discovery.findings[2]?.metadata).toEqual({
      name: "Weather & more",
      description: "Forecasts for everyone.",
      publisher: "Example Ltd",
      external_url: `${origin}/`,
      image: `${origin}/touch.png`,
      screenshotUrls: [`${origin}/preview.png`],
      platforms: { web: { launchUrl: `${origin}/` } },
    });
    // Nothing tells which of the two is meant.
    expect(discovery).toMatchObject({ needsChoice: true });
    expect(discovery).not.toHaveProperty("notes");
    expect(asked.length).toBeLessThan(25);
  });

  it("tries the chosen kind first and stops once it is found", async () => {
    const files = { "/.well-known/agent-card.json": card, "/openapi.json": openApi };
    const { origin, asked } = await serveSite(files);
    const { findings } = await discoverService(origin, { ...source, kind: "openapi" });
    expect(findings.map(({ kind }) => kind)).toEqual(["openapi"]);
    expect(asked.some((line) => line.includes("agent") || line.startsWith("POST"))).toBe(false);
  });

  it("follows catalogs and the service description link of the page on the same site", async () => {
    const { origin } = await serveSite({
      "/": '<link rel="service-desc" href="docs/api.json"><title>A</title>',
      "/docs/api.json": openApi,
      "/.well-known/ai-catalog.json": {
        specVersion: "1.0",
        entries: [
          {
            identifier: "urn:a",
            displayName: "A",
            mediaType: "application/a2a-agent-card+json",
            url: "/agents/a.json",
          },
        ],
      },
      "/agents/a.json": card,
    });
    const { findings } = await discoverService(origin, { ...source });
    expect(findings.map(({ url }) => url)).toEqual(expect.arrayContaining([`${origin}/docs/api.json`]));
    const { findings: catalogued } = await discoverService(`${origin}/.well-known/ai-catalog.json`, source);
    expect(catalogued.map(({ url }) => url)).toContain(`${origin}/agents/a.json`);
  });

  it("returns no findings for an empty host and lists the requested locations", async () => {
    const { origin } = await serveSite({});
    const discovery = await discoverService(origin, source);
    expect(discovery.findings).toEqual([]);
    expect(discovery.looked.length).toBeGreaterThan(10);
    expect(discovery.looked.every(({ outcome }) => outcome === "absent")).toBe(true);
    expect(createProposal(discovery)).toMatchObject({ metadata: {}, interfaces: 0 });
  });

  it("finds only a website if the host returns its page for every path", async () => {
    const { origin } = await serveSite({}, (_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(html),
    );
    const { findings } = await discoverService(origin, source);
    expect(findings.map(({ kind }) => kind)).toEqual(["website"]);
  });

  it.each([
    ["text/html; charset=iso-8859-1", [0x63, 0x61, 0x66, 0xe9]],
    ["text/html; charset=nonsense", [0x63, 0x61, 0x66, 0xe9]],
    ["text/html; charset=shift_jis", [0x83, 0x4a]],
    ["text/html", [0x63, 0x61, 0x66, 0xc3, 0xa9]],
  ])("decodes a page served as %s", async (type, bytes) => {
    const origin = await serveHttp((_, response) =>
      response
        .writeHead(200, { "content-type": type })
        .end(Buffer.concat([Buffer.from("<title>"), Buffer.from(bytes)])),
    );
    const { findings } = await discoverService(origin, { ...source, kind: "website" });
    expect(findings[0]?.metadata.name).toBe(type.includes("jis") ? "カ" : "café");
  });
});
