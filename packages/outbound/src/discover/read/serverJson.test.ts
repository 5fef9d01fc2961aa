import { describe, expect, it } from "vitest";
import { serveSite } from "../../../test/serveSite.ts";
import { createGuardedFetch } from "../../fetch/guardedFetch.ts";
import { discoverService } from "../discoverService.ts";
import { readServerJson } from "./serverJson.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };
const at = "https://api.example.com/server.json";
const mcp = "https://api.example.com/mcp";
const info = { name: "weather", description: "Forecasts.", version: "1.2.0" };

const read = (document: object) => readServerJson(document as never, at);
const listRemotes = (...remotes: object[]) => read({ ...info, remotes })?.[0]?.remotes ?? [];
const listUrls = (document: object) =>
  read(document)?.flatMap(({ remotes }) => remotes.map(({ template }) => template));

describe("readServerJson", () => {
  it.each([
    ["a list", [{ type: "streamable-http", url: "/mcp" }]],
    ["an object by type", { "streamable-http": { url: "/mcp" } }],
    [
      "a list with the older transport",
      [
        { type: "sse", url: "/sse" },
        { type: "streamable-http", url: "/mcp" },
      ],
    ],
  ])("reads remotes in %s", (_, remotes) => {
    expect(listUrls({ ...info, remotes })).toEqual([mcp]);
  });

  it("reads the latest version of each server in a list of the MCP registry", () => {
    const entry = (path: string, about: object) => ({
      server: { name: `com.example/${path}`, remotes: [{ type: "sse", url: `/${path}` }] },
      _meta: { "io.modelcontextprotocol.registry/official": about },
    });
    const servers = [
      entry("a", { isLatest: true, status: "active" }),
      entry("old", { isLatest: false, status: "active" }),
      entry("gone", { isLatest: true, status: "deleted" }),
    ];
    expect(listUrls({ servers, metadata: { count: 3 } })).toEqual(["https://api.example.com/a"]);
  });

  it("returns undefined for other documents", () => {
    expect(read({ name: "a", servers: [{ url: mcp }] })).toBeUndefined();
    expect(read({ name: "a", packages: ["a"] })).toBeUndefined();
  });

  it("explains why no server can be registered", () => {
    const lists = "This lists packages to install weather, but no server with an address.";
    expect(() => read({ ...info, packages: [{ registryType: "npm", identifier: "x" }] })).toThrow(lists);
    expect(() => listRemotes({ url: "https://YOUR_HOST/mcp" })).toThrow(
      'The server.json names "https://YOUR_HOST/mcp", which isn\'t the public address of a running service. Enter its own address.',
    );
    const variables = { key: { isSecret: true } };
    expect(() => listRemotes({ url: "/{key}/mcp", variables })).toThrow(
      'The server\'s address contains the secret "key", and a record is public. Enter an address without it.',
    );
  });

  it("reads a limited number of remotes", () => {
    expect(listRemotes(...Array.from({ length: 10_000 }, (_, index) => ({ url: `/${index}` })))).toHaveLength(
      10,
    );
  });

  it.each(["?&", "{a}", "?a={a}", "?a={", "/{"])("refuses an endless address of %s", (unit) => {
    expect(() => listRemotes({ url: `${mcp}${unit.repeat(400_000)}x` })).toThrow(/isn't the public address/);
  });

  it.each([
    ["Authorization", {}, { bearer: {} }],
    ["Authorization", { value: "Basic {credentials}" }, { methods: ["basic"] }],
    ["X-API-Key", {}, { apiKey: { in: "header", name: "X-API-Key" } }],
  ])("declares the required header %s %j", (name, more, authentication) => {
    const headers = [{ name, isRequired: true, isSecret: true, ...more }];
    expect(listRemotes({ url: mcp, headers })).toMatchObject([{ authentication }]);
  });

  it("declares no other and no optional header", () => {
    const headers = [
      { name: "X-Region", isRequired: true },
      { name: "X-Key", isSecret: true, isRequired: false },
      { name: "bad name", isRequired: true },
    ];
    expect(listRemotes({ url: mcp, headers })[0]).not.toHaveProperty("authentication");
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("copies no secret from the description of a header or from the query", () => {
    const headers = [{ name: "X-Key", isSecret: true, description: "Send a1b2c3d4e5f6a1b2c3d4e5f6" }];
    expect(listRemotes({ url: mcp, headers })[0]?.authentication).toEqual({
      apiKey: { in: "header", name: "X-Key" },
    });
    const variables = { key: { isSecret: true } };
    expect(listRemotes({ url: `${mcp}?key={key}&v=1`, variables })).toMatchObject([
      { template: `${mcp}?v=1`, authentication: { apiKey: { in: "query", name: "key" } } },
    ]);
  });
});

describe("discoverService, with a server.json", () => {
  const headers = [{ name: "Authorization", isRequired: true, isSecret: true }];
  const packages = [{ registryType: "npm", identifier: "@example/weather", $comment: "x" }];

  it("fills in what it says of a server that doesn't answer, with the default of a variable", async () => {
    const variables = { tenant: { default: "main" } };
    const remotes = [{ type: "streamable-http", url: "/{tenant}/mcp", variables, headers }];
    const { origin } = await serveSite({ "/server.json": { ...info, remotes, packages } });
    const url = `${origin}/main/mcp`;
    const discovery = await discoverService(`${origin}/server.json`, source);
    expect(discovery.needsChoice).toBeUndefined();
    expect(discovery.findings[0]).toEqual({
      ...{ kind: "mcp", url, interfaces: 2, version: "1.2.0", offers: [] },
      variables: [{ name: "tenant", value: "main" }],
      notes: [
        `No MCP server responded at ${url}, so the values are only from its server.json. ${url} did not respond as an MCP server over HTTP (HTTP status 404).`,
      ],
      metadata: {
        ...{ name: "weather", description: "Forecasts.", traits: ["api:mcp"] },
        packages: [{ registryType: "npm", identifier: "@example/weather" }],
        endpoints: [
          {
            ...{ name: "MCP", endpoint: url, transport: { http: { url, method: "POST" } } },
            authentication: { bearer: {} },
          },
        ],
      },
    });
    const filled = await discoverService(`${origin}/server.json`, {
      ...source,
      variables: { tenant: "acme" },
    });
    expect(filled.findings[0]?.url).toBe(`${origin}/acme/mcp`);
  });

  it("leaves the endpoint out without a value", async () => {
    const { origin } = await serveSite({ "/server.json": { ...info, remotes: [{ url: "/{tenant}/mcp" }] } });
    const { findings } = await discoverService(`${origin}/server.json`, source);
    expect(findings[0]).toMatchObject({ url: `${origin}/{tenant}/mcp`, variables: [{ name: "tenant" }] });
    expect(findings[0]?.metadata.endpoints).toEqual([{ name: "MCP" }]);
  });
});
