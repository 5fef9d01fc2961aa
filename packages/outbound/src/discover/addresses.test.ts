import { describe, expect, it } from "vitest";
import { serveFourServices } from "../../test/fourServices.ts";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { detectDocument } from "./detectDocument.ts";
import { discoverService } from "./discoverService.ts";
import { discoverySchema } from "./finding.ts";
import { createProposal } from "./findingList.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };

/** Reads a document at a path of a host that serves nothing else, with `{origin}` replaced. */
async function discoverAt(path: string, document: object) {
  const files: Record<string, string> = {};
  const { origin } = await serveSite(files);
  files[path] = JSON.stringify(document).replaceAll("{origin}", origin);
  const discovery = await discoverService(origin + path, source);
  expect(discoverySchema.parse(discovery)).toEqual(discovery);
  return { ...discovery, origin };
}

const api = (path: string) => ({ ...{ name: "REST" }, endpoint: `{origin}${path}` });
const description = (path: string) => ({ name: "REST", schemaUrl: `{origin}${path}` });
const mcp = (path: string) => ({
  ...{ name: "MCP", endpoint: `{origin}${path}` },
  transport: { http: { url: `{origin}${path}`, method: "POST" } },
});

describe("discoverService, with a document of no known kind", () => {
  it.each<[what: string, path: string, document: object, entries: object[]]>([
    [
      "an agent.json with an MCP server in its capabilities",
      "/.well-known/agent.json",
      {
        name: "Sums",
        url: "{origin}",
        capabilities: { mcp: { endpoint: "{origin}/api/mcp" } },
        mcp: { endpoint: "{origin}/api/mcp", tools: [{ name: "sum" }] },
      },
      [mcp("/api/mcp")],
    ],
    [
      "an agent.json with a list of capabilities",
      "/.well-known/agent.json",
      {
        ...{ name: "Trust", url: "{origin}", version: "1.0.0", capabilities: [{ name: "score" }] },
        endpoints: { mcp: { url: "{origin}/api/mcp" }, rest: { base_url: "{origin}/api/v1" } },
      },
      [mcp("/api/mcp"), api("/api/v1")],
    ],
    [
      "an mcp.json with a URL and methods",
      "/.well-known/mcp.json",
      { name: "Town", url: "{origin}/api/public?action=mcp", methods: [{ name: "search" }] },
      [mcp("/api/public?action=mcp")],
    ],
    [
      "an mcp.json with a list of servers",
      "/mcp.json",
      { schema_version: 1, servers: [{ name: "acme", transport: "streamable-http", url: "{origin}/x" }] },
      [mcp("/x")],
    ],
    [
      "the configuration of an MCP client",
      "/config.json",
      { mcpServers: { town: { type: "http", url: "{origin}/x" }, local: { command: "npx" } } },
      [mcp("/x")],
    ],
    [
      "a server card with an endpoint",
      "/card.json",
      { serverInfo: { name: "site" }, transport: { endpoint: "{origin}/" }, tools: [{ name: "t" }] },
      [mcp("/")],
    ],
    [
      "an ai-plugin.json",
      "/.well-known/ai-plugin.json",
      {
        ...{ schema_version: "v1", name_for_human: "Facts", logo_url: "{origin}/logo" },
        ...{ legal_info_url: "{origin}/terms", auth: { authorization_url: "{origin}/x" } },
        api: { type: "openapi", url: "{origin}/.well-known/openapi.yaml" },
      },
      [description("/.well-known/openapi.yaml")],
    ],
    [
      "an agents.json with a nested MCP server",
      "/.well-known/agents.json",
      {
        ...{ $schema: "https://agentsjson.org/schema/v1", name: "facts", url: "{origin}" },
        mcp: { transport: "streamable-http", endpoint: "{origin}/x", stdio: { command: "npx" } },
      },
      [mcp("/x")],
    ],
    [
      "an agents.json that names its OpenAPI document by a relative URL",
      "/.well-known/agents.json",
      { name: "gate", url: "{origin}", openapi: "/openapi.json", flows: [{ name: "login" }] },
      [description("/openapi.json")],
    ],
    [
      "a list of paid requests",
      "/.well-known/x402.json",
      { version: 1, resources: ["GET {origin}/check", "POST {origin}/build"] },
      [api("/check"), api("/build")],
    ],
    [
      "an API catalog",
      "/.well-known/api-catalog",
      {
        linkset: [
          { anchor: "{origin}/v", "service-desc": [{ href: "{origin}/openapi.json" }] },
          { anchor: "{origin}/mcp", describedby: [{ href: "{origin}/.well-known/mcp/server-card.json" }] },
        ],
      },
      [mcp("/mcp"), description("/openapi.json"), api("/v")],
    ],
  ])("offers the addresses in %s, and fills in none", async (_, path, document, entries) => {
    const discovery = await discoverAt(path, document);
    const { findings, needsChoice, origin } = discovery;
    expect(needsChoice).toBe(true);
    expect(findings.map(({ metadata }) => metadata.endpoints)).toEqual(
      JSON.parse(JSON.stringify(entries).replaceAll("{origin}", origin)).map((entry: object) => [entry]),
    );
    for (const { isUnchecked, notes } of findings) {
      expect(isUnchecked).toBe(true);
      expect(notes?.[0]).toContain(`Named in the document at ${origin}${path} (`);
      expect(notes?.[0]).toContain("; nothing was checked. ");
    }
  });

  it("offers its texts and its tools as suggestions, with their source", async () => {
    const tools = [{ name: "sum", inputSchema: { type: "object" } }];
    const card = {
      serverInfo: { name: "Sums", version: "1.5.0-alpha" },
      ...{ description: "Adds.", vendor: { name: "Sums Ltd" }, endpoint: "{origin}/sse", tools },
    };
    const discovery = await discoverAt("/.well-known/mcp/server.json", card);
    const { suggestions, version } = createProposal(discovery);
    expect(suggestions.map(({ pointer, value }) => [pointer, value])).toEqual([
      ["/name", "Sums"],
      ["/description", "Adds."],
      ["/publisher", "Sums Ltd"],
      ["/endpoints/0/tools", tools],
    ]);
    expect(new Set(suggestions.map(({ url }) => url))).toEqual(
      new Set([`${discovery.origin}/.well-known/mcp/server.json`]),
    );
    expect(version).toBe("1.0.0");
    expect(discovery.findings[0]?.notes?.at(-1)).toMatch(/version, "1\.5\.0-alpha", isn't/);
    const { suggestions: others } = createProposal(
      await discoverAt("/mcp.json", { ...card, tools: [{ name: "sum" }] }),
    );
    expect(others.map(({ pointer }) => pointer)).not.toContain("/endpoints/0/tools");
  });

  it("fills in the service that answers at one of them", async () => {
    const { origin } = await serveFourServices({
      "/agents.json": { name: "Town", mcp: "/mcp", a2a: "/none", api: { openapi: "/openapi.json" } },
    });
    const { findings, needsChoice } = await discoverService(`${origin}/agents.json`, source);
    const answered = findings.filter(({ isUnchecked }) => !isUnchecked).map(({ kind }) => kind);
    expect(answered).toEqual(["mcp", "a2a", "openapi", "website"]);
    expect(findings[0]).toMatchObject({ metadata: { name: "red" } });
    expect(needsChoice).toBe(true);
  });

  it("reads the agent card below an address", async () => {
    const card = { name: "Tailor", url: "https://example.com/rpc", skills: [{ id: "a", name: "A" }] };
    const files = {
      "/agents/7/.well-known/agent-card.json": card,
      "/agents.json": { agents: [{ name: "Tailor", a2a_url: "/agents/7" }] },
    };
    const { origin } = await serveSite(files);
    for (const path of ["/agents.json", "/agents/7", "/agents/7/"]) {
      const { findings, needsChoice } = await discoverService(origin + path, source);
      expect(findings).toMatchObject([
        { kind: "a2a", url: `${origin}/agents/7/.well-known/agent-card.json` },
      ]);
      expect(needsChoice).toBeUndefined();
    }
  });

  it("requests addresses on other sites only for the document that was entered", async () => {
    const { origin } = await serveFourServices();
    const document = { name: "Town", mcp: `${origin}/mcp` };
    const far = await serveSite({ "/agents.json": document, "/.well-known/mcp.json": document });
    const other = far.origin.replace("localhost", "127.0.0.1");
    const entered = await discoverService(`${other}/agents.json`, source);
    expect(entered.findings).toMatchObject([
      { kind: "mcp", url: `${origin}/mcp`, metadata: { name: "red" } },
      { kind: "website" },
    ]);
    expect(entered.findings[0]?.notes).toEqual([
      `The service is on another site, at ${origin}/mcp. Only its controller can register it.`,
    ]);
    const { findings, needsChoice } = await discoverService(other, source);
    expect(findings).toMatchObject([{ kind: "mcp", isUnchecked: true }, { kind: "website" }]);
    expect(findings[0]?.notes?.[0]).toContain("It's on another site. If it's yours, enter its address.");
    expect(needsChoice).toBe(true);
  });

  it.each<[what: string, document: object, listed: string[]]>([
    ["a path with a version", { paid: [{ url: "{origin}/v1/echo" }] }, ["openapi {origin}/v1/echo"]],
    ["a host named mcp", { name: "A", url: "https://mcp.example.com" }, ["mcp https://mcp.example.com/"]],
    [
      "relative URLs below endpoints",
      { endpoints: { apis: "/api/all", docs: "/docs" } },
      ["openapi {origin}/api/all"],
    ],
    ["paths with parameters", { resources: ["{origin}/events/:id", "{origin}/v1"] }, ["openapi {origin}/v1"]],
    [
      "texts",
      { resources: ["{origin}/llms.txt", "{origin}/sitemap.xml", "{origin}/v1"] },
      ["openapi {origin}/v1"],
    ],
  ])("knows %s", async (_, document, listed) => {
    const { findings, origin } = await discoverAt("/a.json", document);
    expect(findings.map(({ kind, url }) => `${kind} ${url}`)).toEqual(
      listed.map((line) => line.replace("{origin}", origin)),
    );
  });

  it("names a document that nothing else leads to", async () => {
    const links = [{ rel: "describedby", href: "/server-card.json" }];
    const { findings, notes, origin } = await discoverAt("/catalog.json", {
      linkset: [{ anchor: "/", links }],
    });
    expect(findings).toEqual([]);
    expect(notes?.at(-1)).toContain(`${origin}/server-card.json`);
  });

  it("names the addresses of unknown kinds if it has no others", async () => {
    const { findings, notes, origin } = await discoverAt("/a.json", { name: "A", start: "{origin}/begin" });
    expect(findings).toEqual([]);
    expect(notes?.at(-1)).toBe(
      `The document at ${origin}/a.json names ${origin}/begin. Enter the one at which your service runs.`,
    );
  });
});

describe("detectDocument", () => {
  it("refuses addresses that only the author of a document can reach, and names them", async () => {
    const text = JSON.stringify({ api: { type: "openapi", url: "http://localhost:5003/openapi.yaml" } });
    const document = { text, url: "https://a.example/.well-known/ai-plugin.json", contentType: "" };
    await expect(detectDocument(document)).rejects.toThrow(
      'names "http://localhost:5003/openapi.yaml", which isn\'t the public address of a running service.',
    );
  });
});

describe("discoverService, with a document at a well-known place that can't be read", () => {
  it("names it before it proposes a website", async () => {
    const { origin } = await serveSite({ "/": "<title>Town</title>", "/.well-known/mcp.json": { a: 1 } });
    const { findings, notes, looked } = await discoverService(origin, source);
    expect(findings).toMatchObject([{ kind: "website" }]);
    expect(notes).toEqual([
      `/.well-known/mcp.json is there and can't be read: The JSON at ${origin}/.well-known/mcp.json names no address of a service. Enter the address at which the service runs.`,
    ]);
    const outcome = (path: string) => looked.find(({ place }) => place === origin + path)?.outcome;
    expect(outcome("/.well-known/mcp.json")).toBe("failed");
    expect(outcome("/.well-known/agent-card.json")).toBe("absent");
  });
});
