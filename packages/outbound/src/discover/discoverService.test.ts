import type { RequestListener } from "node:http";
import { checkPublishable } from "@app-registry/sdk";
import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { discoverService } from "./discoverService.ts";
import { discoverySchema } from "./finding.ts";
import { createProposal } from "./findingList.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };

const MIB = 1024 * 1024;

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

const price = { amount: "0.01", asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: "USDC" };

/** Requires payment by x402 version 2 for requests to a path, of one method or any. */
function requirePayment(path: string, terms: object = {}, method?: string): RequestListener {
  const way = { scheme: "exact", network: "eip155:8453", amount: "10000", asset: price.asset };
  const header = Buffer.from(JSON.stringify({ x402Version: 2, accepts: [way], ...terms })).toString("base64");
  return (request, response) => {
    const isPaid = request.url === path && (method === undefined || request.method === method);
    response.writeHead(isPaid ? 402 : 404, isPaid ? { "payment-required": header } : {}).end("{}");
  };
}

describe("discoverService, with a service that requires payment", () => {
  it("finds the API and its price at an address that responds with 402", async () => {
    const resource = { description: "Forecasts by the hour.", serviceName: "Weather" };
    const { origin } = await serveSite({}, requirePayment("/v1/now", { resource }));
    const url = `${origin}/v1/now`;
    const discovery = await discoverService(url, source);
    expect(discovery.findings).toMatchObject([{ kind: "openapi", url, interfaces: 2 }]);
    expect(discovery.looked).toContainEqual(
      expect.objectContaining({ place: url, lookedFor: "a document or a page", outcome: "found" }),
    );
    const { metadata, proposed } = createProposal(discovery);
    expect(metadata).toMatchObject({
      ...{ name: "Weather", description: resource.description },
      payments: [{ type: "x402", url, chains: ["eip155:8453"], price }],
      traits: ["api:rest", "pay:x402", "pay:x402:eip155:8453"],
    });
    expect([checkPublishable(metadata, 2, ""), proposed]).toEqual([[], ["/publisher"]]);
  });

  it("finds the price of a resource that only responds to POST", async () => {
    const { origin } = await serveSite({}, requirePayment("/v1/now", {}, "POST"));
    const { findings } = await discoverService(`${origin}/v1/now`, source);
    expect(findings).toMatchObject([{ kind: "openapi", metadata: { payments: [{ price }] } }]);
  });

  it("adds the price to the API of the same host", async () => {
    const { origin } = await serveSite({ "/openapi.json": openApi }, requirePayment("/now"));
    const { findings } = await discoverService(`${origin}/now`, source);
    expect(findings).toMatchObject([
      {
        kind: "openapi",
        url: `${origin}/openapi.json`,
        metadata: {
          name: "Weather API",
          payments: [{ url: `${origin}/now`, price }],
          traits: ["api:rest", "pay:x402", "pay:x402:eip155:8453"],
        },
      },
    ]);
  });

  it.each([
    ["an operation that documents 402", { get: { responses: { 402: { description: "Pay." } } } }, "/v1/now"],
    ["the endpoint", { get: {} }, "/v1"],
  ])("reads the price of an API from %s", async (_, now, path) => {
    const api = { ...openApi, servers: [{ url: "/v1" }], paths: { "/now": now, "/{id}": now } };
    const { origin } = await serveSite({ "/openapi.json": api }, requirePayment(path));
    const { findings } = await discoverService(`${origin}/openapi.json`, source);
    expect(findings).toMatchObject([
      { url: `${origin}/openapi.json`, metadata: { payments: [{ url: origin + path, price }] } },
    ]);
    expect(findings[0]).not.toHaveProperty("notes");
  });

  it("finds an MCP server and its price at a conventional path", async () => {
    const { origin } = await serveSite({}, requirePayment("/mcp"));
    const { findings } = await discoverService(`${origin}/mcp`, source);
    expect(findings).toMatchObject([
      {
        kind: "mcp",
        offers: ["tools that require payment"],
        metadata: { payments: [{ price }], traits: ["api:mcp", "pay:x402", "pay:x402:eip155:8453"] },
      },
    ]);
  });

  it("says that an address requires payment but states no price", async () => {
    const { origin } = await serveSite({}, requirePayment("/v1/now", { accepts: "cash" }));
    const { findings, looked } = await discoverService(`${origin}/v1/now`, source);
    expect(findings).toEqual([]);
    expect(looked.find(({ place }) => place === `${origin}/v1/now`)).toMatchObject({
      outcome: "failed",
      reason: `${origin}/v1/now requires payment (HTTP 402), but doesn't state its price as x402 defines. Add the price under Payments.`,
    });
  });

  it("finds nothing at the other paths of a host that requires payment for every request", async () => {
    const { origin } = await serveSite({}, (_, response) => response.writeHead(402).end());
    expect((await discoverService(origin, source)).findings).toEqual([]);
  });
});

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
    const { metadata, proposed } = createProposal(discovery);
    expect(checkPublishable(metadata, 2, "")).toEqual([]);
    expect(proposed).toEqual(["/description", "/publisher"]);
    expect(metadata.publisher).toBe(new URL(server.url).host);
  });

  it("names the tools that it leaves out, escaped and at most five", async () => {
    const tools = ["knaB\u202e", "b", "c", "d", "e", "f", "g"].map((name) => ({
      name,
      inputSchema: "\u202e",
    }));
    const { url, close } = await startMcpServer({
      tools: [...tools, { name: "good", inputSchema: { type: "object" } }],
      prompts: [{ name: "p", arguments: "x".repeat(1_000) }],
    });
    onTestFinished(close);
    const [finding] = (await discoverService(url, source)).findings;
    expect(finding?.offers).toEqual(["1 tool"]);
    const [ofTools, ofPrompts] = finding?.notes ?? [];
    const why = "(inputSchema: expected object, received string)";
    const named = `"knaB\\u{202e}" ${why}, "b" ${why}, "c" ${why}, "d" ${why}, "e" ${why} and 2 more`;
    expect(ofTools).toBe(
      `Left out 7 tools: ${named}. Fix this on the server, then read the address again. Until then, live checks report a difference.`,
    );
    expect(ofPrompts).toMatch(/^Left out 1 prompt: "p" \(arguments: expected array, received string\)\. /);
    expect(finding?.notes).toHaveLength(2);
  });

  it("names the tools whose names MCP doesn't allow", async () => {
    const named = (name: string) => ({ name, inputSchema: { type: "object" } });
    const { url, close } = await startMcpServer({
      tools: [named("a.b_C-1"), named("two words"), named("a".repeat(129))],
    });
    onTestFinished(close);
    const { findings } = await discoverService(url, source);
    expect(findings[0]?.notes).toEqual([expect.stringContaining('because of "two words", "aaaa')]);
  });

  it("says why the lists of a server can't be read, and not that it refuses GET", async () => {
    const fail = (method: string) =>
      method === "tools/list" ? { code: -32_603, message: "Down" } : undefined;
    const { url, close } = await startMcpServer({ tools: [], fail });
    onTestFinished(close);
    const { findings, notes } = await discoverService(url, source);
    expect(findings).toEqual([]);
    expect(notes).toEqual([`${url} is an MCP server, but its list of tools can't be read: Down`]);
  });

  // @threat services: A link, variable or OAuth metadata that leads users to another host
  it("offers the address of a server that requires credentials, and reads nothing else of it", async () => {
    const { origin, asked } = await serveSite({}, (request, response): void => {
      const challenge = 'Bearer resource_metadata="https://login.evil.example/resource"';
      if (request.url !== "/mcp") return void response.writeHead(404).end();
      response.writeHead(401, { "www-authenticate": challenge }).end();
    });
    for (const address of [`${origin}/mcp`, origin]) {
      const discovery = await discoverService(address, source);
      expect(discovery).toMatchObject({
        needsChoice: true,
        findings: [
          {
            ...{ kind: "mcp", url: `${origin}/mcp`, isUnchecked: true },
            notes: [expect.stringContaining("requires credentials (HTTP 401)")],
          },
        ],
      });
      expect(discovery.findings[0]?.metadata.endpoints).toEqual([
        {
          name: "MCP",
          endpoint: `${origin}/mcp`,
          transport: { http: { url: `${origin}/mcp`, method: "POST" } },
        },
      ]);
    }
    expect(asked.filter((line) => /oauth|resource/.test(line))).toEqual([]);
  });

  it("finds no MCP server at a host that rejects every request", async () => {
    const { origin } = await serveSite({}, (_, response) => response.writeHead(401).end());
    const { findings, looked } = await discoverService(origin, source);
    expect(findings).toEqual([]);
    expect(looked.find(({ place }) => place === `${origin}/mcp`)).toMatchObject({ outcome: "failed" });
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
    expect(proposal).toMatchObject({ proposed: ["/publisher"], interfaces: 2 });
    expect(asked).toEqual(["GET /.well-known/agent-card.json", "GET /"]);
  });

  it.each([
    ...["vnd.oai.openapi", "vnd.oai.openapi+json", "octet-stream", "x-yaml"].map((type) => [
      ...[type, `application/${type}`, "openapi: 3.1\ninfo: {version: 2.4.1}\n"],
    ]),
    ["text", "text/plain", "openapi: 3.1\ninfo: {version: 2.4.1}\n"],
    ["a byte order mark", "application/json", `\uFEFF${JSON.stringify(openApi)}`],
    ["duplicate keys", "application/json", JSON.stringify(openApi).replace("{", '{"info":{},')],
    ["3 MiB", "application/json", JSON.stringify({ ...openApi, "x-text": "a".repeat(3 * MIB) })],
  ])("reads an OpenAPI document of %s", async (_, type, text) => {
    const { origin } = await serveSite({}, (_, response) =>
      response.writeHead(200, { "content-type": type }).end(text),
    );
    const { findings } = await discoverService(`${origin}/openapi`, source);
    expect(findings[0]).toMatchObject({ kind: "openapi", version: "2.4.1" });
  });

  it("reads large OpenAPI documents of one host up to 16 MiB in total", async () => {
    const large = JSON.stringify({ ...openApi, "x-text": "a".repeat(6 * MIB) });
    const linkset = ["/1.json", "/2.json", "/3.json"].map((href) => ({ "service-desc": [{ href }] }));
    const { origin } = await serveSite({
      "/catalog.json": { linkset },
      "/1.json": large,
      "/2.json": large,
      "/3.json": large,
    });
    const { findings, looked } = await discoverService(`${origin}/catalog.json`, source);
    expect(findings.map(({ isUnchecked = false }) => isUnchecked)).toEqual([false, false, true]);
    expect(looked.filter(({ reason }) => reason?.includes("larger than 1,048,576 bytes"))).toHaveLength(1);
  });

  const arrays = 4 * MIB - 20;
  it.each([
    ["JSON", `{"a":"${"a".repeat(MIB)}"}`, "is larger than 1,048,576 bytes."],
    ["a page", `<html>${" ".repeat(MIB)}`, "is larger than 1,048,576 bytes."],
    ["text", "a".repeat(MIB + 1), "is larger than 1,048,576 bytes."],
    [
      "an OpenAPI document",
      JSON.stringify({ ...openApi, "x-text": "a".repeat(8 * MIB) }),
      "is larger than 8,388,608 bytes.",
    ],
    [
      "nested arrays, without parsing them",
      `{"openapi":"3.1.0","info":${"[".repeat(arrays)}${"]".repeat(arrays)}}`,
      "has too many values. At most 1,000,000 are read.",
    ],
  ])("rejects a document that is too large: %s", async (_, text, reason) => {
    const { origin } = await serveSite({ "/large.json": text });
    const { findings, looked } = await discoverService(`${origin}/large.json`, source);
    expect(findings).toEqual([]);
    expect(looked[0]).toMatchObject({ outcome: "failed", reason: `${origin}/large.json ${reason}` });
  });

  it("reads an agent card with a byte order mark, but not metadata, whose hash would differ", async () => {
    const metadata = { name: "A", description: "B.", publisher: "C" };
    const { origin } = await serveSite({
      "/card.json": `\uFEFF${JSON.stringify(card)}`,
      "/metadata.json": `\uFEFF${JSON.stringify(metadata)}`,
    });
    expect((await discoverService(`${origin}/card.json`, source)).findings[0]).toMatchObject({ kind: "a2a" });
    const { findings, looked } = await discoverService(`${origin}/metadata.json`, source);
    expect(findings).toEqual([]);
    expect(looked[0]?.reason).toMatch(/byte order mark/);
  });

  it("reports the reason a document can't be read", async () => {
    const { origin } = await serveSite({ "/a.json": '{"name":1,"name":2}', "/b.json": { swagger: "1.2" } });
    const reasonAt = async (path: string) => (await discoverService(origin + path, source)).looked[0]?.reason;
    expect(await reasonAt("/a.json")).toMatch(/twice/);
    expect(await reasonAt("/b.json")).toMatch(/isn't OpenAPI 3 or Swagger 2.0/);
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
    expect(discovery.findings[2]?.metadata).toMatchObject({ image: `${origin}/touch.png` });
    // Nothing tells which of the two is meant.
    expect(discovery).toMatchObject({ needsChoice: true });
    expect(discovery).not.toHaveProperty("notes");
    expect(asked.length).toBeLessThan(25);
  });

  it("lists the chosen kind first", async () => {
    const { origin } = await serveSite({ "/.well-known/agent-card.json": card, "/openapi.json": openApi });
    const { findings } = await discoverService(origin, { ...source, kind: "openapi" });
    expect(findings.map(({ kind }) => kind)).toEqual(["openapi", "a2a"]);
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
