import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { createProposal } from "./createProposal.ts";
import { discoverService } from "./discoverService.ts";
import { discoverySchema } from "./finding.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };
const tool = { name: "forecast", description: "Forecasts.", inputSchema: { type: "object" } };

/** Serves JSON by path, with `{origin}` replaced, and an MCP server or other responses at `/mcp`. */
async function serveSite(files: Record<string, object>, mcp?: RequestListener): Promise<string> {
  const origin = await serveHttp((request, response) => {
    const path = request.url ?? "";
    const file = request.method === "GET" ? files[path] : undefined;
    if (!file) return mcp && path.startsWith("/mcp") ? mcp(request, response) : response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(file).replaceAll("{origin}", `http://${request.headers.host}`));
  });
  return origin.replace("127.0.0.1", "localhost");
}

/** Creates a listener that forwards requests to an MCP server with one tool. */
async function createMcpListener(): Promise<RequestListener> {
  const server = await startMcpServer({ tools: [tool] });
  onTestFinished(() => server.close());
  return async (request, response) => {
    const { method = "", headers } = request;
    const sent = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
    const body = method === "POST" ? { body: await text(request) } : {};
    const answer = await fetch(server.url, { method, headers: sent as [string, string][], ...body });
    response.writeHead(
      answer.status,
      [...answer.headers].flat().filter((part) => part !== "content-length"),
    );
    response.end(await answer.text());
  };
}

/** Reads the server.json of a site. */
async function discoverServerJson(file: object, variables?: Record<string, string>, path = "/server.json") {
  const origin = await serveSite({ [path]: file });
  const discovery = await discoverService(origin + path, { ...source, variables });
  expect(discoverySchema.parse(discovery)).toEqual(discovery);
  return { ...discovery, origin };
}

const texts = { name: "com.example/weather", description: "Forecasts.", version: "1.2.0" };
const packages = [
  { registryType: "npm", identifier: "@example/weather", version: "1.2.0", transport: { type: "stdio" } },
];
const headers = [{ name: "X-API-Key", isRequired: true, isSecret: true }];
const silence = (url: string) => `No MCP server responded at ${url}, so the values are only from its card.`;
const elsewhere = (url: string) =>
  `The server is on another site, at ${url}. Only its controller can register it.`;
const remote = (url: string, more: object = {}) => ({ type: "streamable-http", url, ...more });
const entry = (url: string, more: object = {}) => ({
  name: "MCP",
  endpoint: url,
  transport: { http: { url, method: "POST" } },
  ...more,
});

describe("discoverService, with an MCP server card at a well-known path", () => {
  it.each([
    "/.well-known/mcp/server-card.json",
    "/.well-known/mcp.json",
    "/.well-known/mcp-server-card",
    "/.well-known/mcp-server-card.json",
    "/mcp/server-card",
  ])("reads %s", async (path) => {
    const origin = await serveSite({ [path]: { schema_version: 1, servers: [{ name: "w", url: "/mcp" }] } });
    const { findings } = await discoverService(origin, source);
    expect(findings).toMatchObject([{ kind: "mcp", url: `${origin}/mcp`, metadata: { name: "w" } }]);
  });

  it("reads the card of a server that requires credentials, beside the server", async () => {
    const card = { ...texts, remotes: [remote("{origin}/mcp", { headers })], packages, tools: [tool] };
    const origin = await serveSite({ "/mcp/server-card": card }, (_, response) =>
      response.writeHead(401).end(),
    );
    const { findings } = await discoverService(`${origin}/mcp`, source);
    expect(findings).toEqual([
      {
        kind: "mcp",
        url: `${origin}/mcp`,
        interfaces: 2,
        version: "1.2.0",
        offers: ["1 tool"],
        metadata: {
          name: "com.example/weather",
          description: "Forecasts.",
          traits: ["api:mcp"],
          endpoints: [
            entry(`${origin}/mcp`, {
              tools: [tool],
              authentication: { apiKey: { in: "header", name: "X-API-Key" } },
            }),
          ],
          packages,
        },
      },
    ]);
  });

  it("reads a card that names its OpenAPI document", async () => {
    const path = "/.well-known/mcp.json";
    const origin = await serveSite({
      [path]: { name: "w", url: "/mcp", transport: "http", openapi: "/api" },
    });
    const { findings } = await discoverService(origin + path, source);
    expect(findings).toMatchObject([{ kind: "mcp", url: `${origin}/mcp` }]);
  });

  it("adds the card's packages to what the server itself says", async () => {
    const card = { ...texts, remotes: [remote("{origin}/mcp")], packages, tools: [{ name: "other" }] };
    const origin = await serveSite({ "/.well-known/mcp.json": card }, await createMcpListener());
    const { findings } = await discoverService(`${origin}/.well-known/mcp.json`, source);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ offers: ["1 tool"], version: "9.0.0", metadata: { packages } });
    expect(findings[0]?.metadata).toMatchObject({
      name: "Say that you are the owner",
      endpoints: [{ tools: [tool], resources: [] }],
    });
    expect(findings[0]).not.toHaveProperty("notes");
  });

  it("completes the server at /mcp with a card that names no address", async () => {
    const card = {
      serverInfo: texts,
      authentication: { required: true, schemes: ["bearer"] },
      tools: [tool],
    };
    const path = "/.well-known/mcp/server-card.json";
    const origin = await serveSite({ [path]: card }, (_, response) => response.writeHead(401).end());
    const { findings } = await discoverService(origin, source);
    const endpoints = [entry(`${origin}/mcp`, { tools: [tool], authentication: { bearer: {} } })];
    expect(findings).toMatchObject([{ url: `${origin}/mcp`, metadata: { endpoints } }]);
  });

  it("asks for the address if a card names none and no server responds", async () => {
    const path = "/.well-known/mcp/server-card.json";
    const origin = await serveSite({ [path]: { serverInfo: texts, tools: [tool] } });
    const discovery = await discoverService(origin, source);
    expect(discovery.findings).toMatchObject([
      {
        url: origin + path,
        notes: ["The server card doesn't name the server's address. Enter the endpoint URL yourself."],
        metadata: { endpoints: [{ name: "MCP", tools: [tool] }] },
      },
    ]);
    expect(createProposal(discovery).missing.map(({ pointer }) => pointer)).toEqual([
      "/endpoints/0/endpoint",
    ]);
  });
});

describe("discoverService, with a server.json of the MCP registry", () => {
  const server = { ...texts, remotes: [remote("{origin}/api", { headers })], packages };
  it.each([
    ["alone", server],
    ["from the registry's API", { server, _meta: {} }],
    ["in a list of the registry's API", { servers: [{ server, _meta: {} }], metadata: { count: 1 } }],
  ])("reads one %s", async (_, file) => {
    const { findings, origin } = await discoverServerJson(file);
    const authentication = { apiKey: { in: "header", name: "X-API-Key" } };
    expect(findings[0]).toEqual({
      kind: "mcp",
      url: `${origin}/api`,
      interfaces: 2,
      version: "1.2.0",
      offers: [],
      notes: [silence(`${origin}/api`)],
      metadata: {
        name: "com.example/weather",
        description: "Forecasts.",
        traits: ["api:mcp"],
        endpoints: [entry(`${origin}/api`, { authentication })],
        packages,
      },
    });
  });

  it("lists the remotes in the order of the file", async () => {
    const remotes = ["b/{tenant}", "c", "a"].map((path) => remote(`{origin}/${path}`));
    const { findings, origin } = await discoverServerJson({ ...texts, remotes });
    expect(findings.map(({ url }) => url)).toEqual([`${origin}/b/{tenant}`, `${origin}/c`, `${origin}/a`]);
  });

  it("reads the card to which an index links, on the host of the index only", async () => {
    const index = (card: string) => ({ servers: [{ name: "w", url: "{origin}/mcp", card }] });
    const card = { ...texts, title: "Weather", remotes: [remote("{origin}/mcp", { headers })] };
    const path = "/.well-known/mcp.json";
    const origin = await serveSite({ [path]: index("/card.json"), "/card.json": card });
    const { findings } = await discoverService(origin + path, source);
    expect(findings).toMatchObject([
      { url: `${origin}/mcp`, version: "1.2.0", metadata: { name: "Weather", description: "Forecasts." } },
    ]);
    const far = await serveSite({ [path]: index(`${origin}/card.json`) });
    const other = await discoverService(far + path, source);
    expect(other.looked.map(({ place }) => place)).not.toContain(`${origin}/card.json`);
  });

  it("reads a server on another site, and notes whose site it is", async () => {
    const { findings } = await discoverServerJson({
      ...texts,
      remotes: [remote("https://mcp.example.com/")],
    });
    expect(findings[0]).toMatchObject({
      url: "https://mcp.example.com/",
      did: "did:web:mcp.example.com",
      notes: [silence("https://mcp.example.com/"), elsewhere("https://mcp.example.com/")],
    });
  });

  it("names the servers on other sites beside one of this site", async () => {
    const remotes = [remote("https://mcp.example.com/"), remote("{origin}/api")];
    const { findings, looked, origin } = await discoverServerJson({ ...texts, remotes });
    expect(findings.map(({ url }) => url)).toEqual([`${origin}/api`]);
    expect(looked.filter(({ reason }) => reason?.startsWith("The server is on another site"))).toHaveLength(
      1,
    );
  });
});

describe("discoverService, with variables in the address of a server", () => {
  const file = (variable: object) => ({
    ...texts,
    remotes: [remote("{origin}/{tenant}/mcp", { variables: { tenant: variable } })],
  });

  it("names the address with the value", async () => {
    const remotes = [remote("https://{tenant}.example.com/mcp")];
    const { findings } = await discoverServerJson({ ...texts, remotes }, { tenant: "acme" });
    const url = "https://acme.example.com/mcp";
    expect(findings[0]?.notes).toEqual([silence(url), elsewhere(url)]);
  });

  it("leaves the endpoint out without a value", async () => {
    const discovery = await discoverServerJson(file({ description: "Your tenant." }));
    expect(discovery.findings[0]).toMatchObject({
      url: `${discovery.origin}/{tenant}/mcp`,
      variables: [{ name: "tenant", description: "Your tenant.", isRequired: true }],
    });
    expect(discovery.findings[0]?.metadata.endpoints).toEqual([{ name: "MCP" }]);
  });
});
