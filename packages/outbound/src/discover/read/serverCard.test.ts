import { describe, expect, it } from "vitest";
import { readServerCards, serverCardFinding } from "./serverCard.ts";

const at = "https://api.example.com/.well-known/mcp/server-card.json";
const mcp = "https://api.example.com/mcp";

/** Returns the URLs of the servers in a document. */
const listUrls = (document: object, url = at) =>
  readServerCards(document as never, url)?.map(({ template }) => template);

/** Returns the finding of the first server in a document. */
function createFinding(document: object) {
  const [server] = readServerCards(document as never, at) ?? [];
  if (!server) throw new Error("The document has no server.");
  return serverCardFinding({ ...server, url: new URL(mcp) }, new URL(at));
}
const readEntry = (document: object) => (createFinding(document).metadata.endpoints as object[])[0];

describe("readServerCards", () => {
  it("ignores the MCP server that an agent card names", () => {
    const card = { name: "Agent", mcp_server: mcp, capabilities: ["search"] };
    expect(readServerCards(card, "https://example.com/.well-known/agent-card.json")).toBeUndefined();
  });

  it("reads the tools that the capabilities define", () => {
    const tools = [{ name: "search", inputSchema: { type: "object" } }];
    const capabilities = { tools: { enabled: true, definitions: tools }, resources: { types: ["post"] } };
    const card = { serverInfo: { name: "blog" }, transport: { endpoint: mcp }, capabilities };
    expect(readEntry(card)).toMatchObject({ tools });
    expect(createFinding(card).notes).toBeUndefined();
  });

  const info = { name: "weather", version: "1.0.0" };
  it.each([
    ["remotes", { remotes: [{ type: "streamable-http", url: mcp }] }],
    ["a relative remote", { remotes: [{ type: "streamable-http", url: "/mcp" }] }],
    ["serverInfo and transport.endpoint", { serverInfo: info, transport: { type: "http", endpoint: mcp } }],
    ["serverInfo and a relative transport", { serverInfo: info, transport: { endpoint: "/mcp" } }],
    ["transport.url", { ...info, transport: { type: "streamable-http", url: mcp } }],
    ["transport by kind", { ...info, transport: { streamable_http: mcp, sse: `${mcp}/sse` } }],
    ["a list of transports", { ...info, transports: [{ type: "stdio" }, { type: "http", endpoint: mcp }] }],
    ["transports by kind", { ...info, transports: { "streamable-http": { url: mcp } } }],
    ["url and transport", { ...info, url: mcp, transport: "http", capabilities: { tools: true } }],
    ["endpoint", { ...info, endpoint: mcp, transport: "streamable-http" }],
    ["endpoint beside the home page", { ...info, url: "https://example.com", endpoint: mcp, tools: [] }],
    ["serverUrl", { ...info, serverUrl: mcp }],
    ["mcp_url", { ...info, mcp_url: mcp }],
    ["mcp_endpoint", { ...info, mcp_endpoint: mcp, transport: ["streamable-http", "stdio"] }],
    ["endpoints.mcp", { ...info, endpoints: { mcp: "/mcp", token: "/mcp/token" } }],
    ["a list of endpoints", { ...info, endpoints: [{ url: mcp, transport: "streamable-http" }] }],
    ["a list of servers", { schema_version: 1, servers: [{ name: "weather", url: mcp }] }],
    ["servers by name", { mcpServers: { weather: { url: mcp }, local: { command: "npx" } } }],
    ["server.json of the MCP registry's API", { server: { ...info, remotes: [{ url: mcp }] }, _meta: {} }],
  ])("reads the URL in %s", (_, document) => {
    expect(listUrls(document)).toEqual([mcp]);
  });

  it("prefers the name of a card or an entry to the key of its only server", () => {
    const named = (document: object) => createFinding(document).metadata.name;
    const mcpServers = { weather: { url: mcp, transport: "http" } };
    expect(named({ name: "Weather Tools", url: mcp, mcpServers })).toBe("Weather Tools");
    expect(named({ name: "List", mcpServers: { weather: { url: mcp, name: "Own" } } })).toBe("Own");
    expect(named({ mcpServers })).toBe("weather");
  });

  it("names the servers of a list that have no address", () => {
    const graph = { name: "Graph", package: "@example/graph", transport: "stdio" };
    const mcpServers = { docs: { url: mcp, transport: "http" }, graph, local: { command: "npx" } };
    expect(createFinding({ name: "Example", mcpServers }).notes).toEqual([
      "The card also lists servers without an address, which were left out: Graph, local.",
    ]);
  });

  it.each(["/.mcp.json", "/mcp.json", "/.vscode/mcp.json"])("does not take %s for a card", (path) => {
    const servers = { weather: { type: "http", url: mcp } };
    for (const document of [{ mcpServers: servers }, { servers, inputs: [] }])
      expect(listUrls(document, `https://api.example.com${path}`)).toBeUndefined();
  });

  it("recognizes a card at a well-known path that has tools and no address", () => {
    expect(listUrls({ ...info, tools: [{ name: "forecast" }] })).toEqual([undefined]);
    expect(listUrls({ ...info, tools: [] }, "https://api.example.com/mcp/tools.json")).toBeUndefined();
  });

  it("reads a placeholder in angle brackets as a variable", () => {
    const endpoint = "https://<your-project>.example.com/mcp";
    const [server] = readServerCards({ ...info, endpoint, transport: "http" } as never, at) ?? [];
    expect(server?.template).toBe("https://{your-project}.example.com/mcp");
    expect(server?.variables).toEqual([{ name: "your-project", isRequired: true }]);
  });

  it.each([
    ["a home page", { name: "Example", url: "https://api.example.com", description: "A site." }],
    ["an A2A agent card", { name: "A", url: mcp, skills: [], capabilities: {}, transport: "JSONRPC" }],
    ["a local server", { ...info, transport: "stdio", install: "npx -y weather" }],
    ["an address with a space", { ...info, url: "https://api.example.com/m cp", transport: "http" }],
    ["a note about a missing server", { status: "not_live", serverCard: at }],
    [
      "an AsyncAPI document",
      { asyncapi: "3.0.0", servers: { main: { host: "x.example", protocol: "wss" } } },
    ],
  ])("does not recognize %s", (_, document) => {
    expect(listUrls(document)).toBeUndefined();
  });

  it("reads the latest version of each server in a list of the MCP registry", () => {
    const official = "io.modelcontextprotocol.registry/official";
    const entry = (path: string, about: object) => ({
      server: { name: `com.example/${path}`, remotes: [{ type: "sse", url: `/${path}` }] },
      _meta: { [official]: about },
    });
    const servers = [
      entry("a", { isLatest: true, status: "active" }),
      entry("old", { isLatest: false, status: "active" }),
      entry("b", { isLatest: true, status: "active" }),
      entry("gone", { isLatest: true, status: "deleted" }),
    ];
    expect(listUrls({ servers, metadata: { count: 4 } })).toEqual([
      "https://api.example.com/a",
      "https://api.example.com/b",
    ]);
  });

  it("explains why no server of a document can be registered", () => {
    const explain = (document: object) => () => readServerCards(document as never, at);
    const lists = "This lists packages to install weather, but no server with an address.";
    const local = `${lists} A program on its user's computer has none and can't be registered. If the server also runs at a URL, enter that URL.`;
    const entry = { registryType: "npm", identifier: "x" };
    expect(explain({ ...info, packages: [entry] })).toThrow(local);
    expect(explain({ ...info, packages: [{ ...entry, transport: { type: "stdio" } }] })).toThrow(local);
    const served = { ...entry, transport: { type: "streamable-http", url: "http://localhost:8000/mcp" } };
    expect(explain({ ...info, packages: [entry, served] })).toThrow(
      `${lists} Run the server yourself and enter its address.`,
    );
    const listed = {
      name: "Weather Ltd",
      servers: [{ name: "weather", transport: "npm", package: "weather" }],
    };
    expect(explain(listed)).toThrow(local);
    expect(explain({ ...info, remotes: [{ url: "MCP_SERVER_URL" }] })).toThrow(
      "The server card names \"MCP_SERVER_URL\", which isn't the address of a running service. Enter the service's own address.",
    );
    const variables = { key: { isSecret: true } };
    expect(explain({ remotes: [{ url: "https://api.example.com/{key}/mcp", variables }] })).toThrow(
      'The server\'s address contains the secret "key", and a record is public. Enter an address without it.',
    );
  });

  it("reads a limited number of remotes", () => {
    const remotes = Array.from({ length: 10_000 }, (_, index) => ({ url: `/${index}` }));
    expect(listUrls({ remotes })).toHaveLength(10);
  });

  it.each(["?&", "{a}", "?a={a}", "?a={", "/{"])("ignores an endless address of %s", (unit) => {
    expect(listUrls({ ...info, url: `${mcp}${unit.repeat(400_000)}x`, transport: "http" })).toBeUndefined();
  });

  it("lists the variables of a URL with their defaults and choices", () => {
    const remote = {
      url: "https://{region}.example.com/{tenant}/mcp?v={version}",
      variables: {
        region: { description: "Where\u202e?", choices: ["eu", "us"], default: "eu", isRequired: true },
        tenant: { is_required: true },
        version: { value: 2 },
      },
    };
    const [server] = readServerCards({ remotes: [remote] } as never, at) ?? [];
    expect(server?.variables).toEqual([
      {
        name: "region",
        description: "Where\\u{202e}?",
        choices: ["eu", "us"],
        default: "eu",
        value: "eu",
        isRequired: false,
      },
      { name: "tenant", isRequired: true },
      { name: "version", value: "2", isRequired: false },
    ]);
  });
});

describe("serverCardFinding", () => {
  const tool = { name: "forecast", description: "Forecasts.", inputSchema: { type: "object" } };

  it("contains what the card says", () => {
    expect(
      createFinding({
        $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        name: "com.example/weather",
        title: "Weather",
        description: "Forecasts for everyone.",
        version: "1.2.0",
        websiteUrl: "https://example.com",
        icons: [{ src: "https://example.com/icon.png" }],
        remotes: [{ type: "streamable-http", url: mcp }],
        packages: [
          {
            registryType: "npm",
            identifier: "@example/weather",
            version: "1.2.0",
            transport: { type: "stdio" },
          },
        ],
        tools: [tool],
      }),
    ).toEqual({
      kind: "mcp",
      url: mcp,
      interfaces: 2,
      version: "1.2.0",
      offers: ["1 tool"],
      metadata: {
        name: "Weather",
        description: "Forecasts for everyone.",
        external_url: "https://example.com",
        image: "https://example.com/icon.png",
        traits: ["api:mcp"],
        endpoints: [
          { name: "MCP", endpoint: mcp, transport: { http: { url: mcp, method: "POST" } }, tools: [tool] },
        ],
        packages: [
          {
            registryType: "npm",
            identifier: "@example/weather",
            version: "1.2.0",
            transport: { type: "stdio" },
          },
        ],
      },
    });
  });

  it.each([
    ["without a schema", [{ name: "forecast", description: "Forecasts." }], "1 tool"],
    ["with a schema only for some", [tool, { name: "alerts" }], "2 tools"],
    ["as names", ["forecast", "alerts"], "2 tools"],
  ])("leaves out tools %s, with a note", (_, tools, count) => {
    const finding = createFinding({ serverInfo: {}, endpoint: mcp, tools, prompts: [] });
    expect(finding.metadata.endpoints).toEqual([
      { name: "MCP", endpoint: mcp, transport: { http: { url: mcp, method: "POST" } } },
    ]);
    expect(finding.offers).toEqual([]);
    expect(finding.notes).toEqual([
      `The server card names ${count} without an input schema for each, so the tools are left out.`,
    ]);
  });

  it("notes tools that are grouped, and reads tools by name", () => {
    const { name, ...unnamed } = tool;
    const grouped = createFinding({
      serverInfo: {},
      endpoint: mcp,
      tools: { read: [{ name }], note: "All." },
    });
    expect(grouped.notes).toEqual([
      "The server card names 1 tool without an input schema for each, so the tools are left out.",
    ]);
    expect(readEntry({ serverInfo: {}, endpoint: mcp, tools: { [name]: unnamed } })).toMatchObject({
      tools: [tool],
    });
  });

  it("leaves comments out of packages, and reads the vendor's name", () => {
    const package1 = { registryType: "npm", identifier: "@example/weather", transport: { type: "stdio" } };
    const packages = [{ ...package1, $comment: "Old.", _meta: {} }];
    const vendor = { name: "Example Ltd", url: "https://example.com" };
    expect(createFinding({ remotes: [{ url: mcp }], packages, vendor }).metadata).toMatchObject({
      publisher: "Example Ltd",
      packages: [package1],
    });
  });

  it("reads input_schema and the lists in capabilities", () => {
    const { inputSchema, ...named } = tool;
    const capabilities = { tools: [{ ...named, input_schema: inputSchema }] };
    expect(readEntry({ serverInfo: {}, endpoint: mcp, capabilities })).toMatchObject({ tools: [tool] });
  });

  it.each([
    ["Authorization", {}, { bearer: {} }],
    [
      "authorization",
      { value: "Bearer {token}", description: "A token." },
      { bearer: { description: "A token." } },
    ],
    ["Authorization", { value: "Basic {credentials}" }, { methods: ["basic"] }],
    ["Authorization", { value: "{key}" }, { apiKey: { in: "header", name: "Authorization" } }],
    [
      "X-API-Key",
      { description: "A key." },
      { apiKey: { in: "header", name: "X-API-Key", description: "A key." } },
    ],
  ])("declares the required header %s with %j", (name, more, authentication) => {
    const headers = [{ name, isRequired: true, isSecret: true, ...more }];
    expect(readEntry({ remotes: [{ url: mcp, headers }] })).toMatchObject({ authentication });
  });

  it("names other required headers in a note and omits optional ones", () => {
    const headers = [
      { name: "X-Region", isRequired: true },
      { name: "X-Key", isSecret: true, isRequired: false },
      { name: "Accept", isRequired: true },
      { name: "bad name", isRequired: true },
    ];
    const { notes, metadata } = createFinding({ remotes: [{ url: mcp, headers }] });
    expect(notes).toEqual(["Callers must also send these headers: X-Region."]);
    expect(metadata.endpoints).toEqual([expect.not.objectContaining({ authentication: expect.anything() })]);
  });

  it.each([
    ["none", {}],
    [{ type: "none" }, {}],
    [{ required: false, schemes: ["bearer"] }, {}],
    ["bearer", { authentication: { bearer: {} } }],
    [
      { type: "bearer", description: "A token." },
      { authentication: { bearer: { description: "A token." } } },
    ],
    [{ type: "http", scheme: "bearer" }, { authentication: { bearer: {} } }],
    [{ required: true, schemes: ["bearer"] }, { authentication: { bearer: {} } }],
    [{ type: "apikey", header: "X-Key" }, { authentication: { apiKey: { in: "header", name: "X-Key" } } }],
    [
      { type: "oauth2", authorization_servers: ["https://id.example.com"] },
      { authentication: { methods: ["oauth2"], issuer: "https://id.example.com" } },
    ],
  ])("declares the authentication %j", (authentication, expected) => {
    const entry = readEntry({ serverInfo: {}, endpoint: mcp, authentication });
    expect(entry).toEqual({ ...readEntry({ serverInfo: {}, endpoint: mcp }), ...expected });
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("copies no secret from the words and descriptions of an authentication", () => {
    const key = "a1b2c3d4e5f6a1b2c3d4e5f6";
    const headers = [{ name: "X-Key", isSecret: true, description: `Send ${key}` }];
    const card = {
      authentication: `Token ${key}`,
      remotes: [{ url: "https://api.example.com/mcp", headers }],
    };
    expect(JSON.stringify(readServerCards(card, at)?.map(({ authentication }) => authentication))).toBe(
      '[{"apiKey":{"in":"header","name":"X-Key"}}]',
    );
  });

  it("moves a secret from the query to the authentication", () => {
    const remote = { url: `${mcp}?key={key}&v=1`, variables: { key: { isSecret: true } } };
    expect(listUrls({ remotes: [remote] })).toEqual([`${mcp}?v=1`]);
    expect(readEntry({ remotes: [{ ...remote, url: `${mcp}?key={key}` }] })).toMatchObject({
      authentication: { apiKey: { in: "query", name: "key" } },
    });
  });
});

describe("serverCardFinding, with further addresses", () => {
  it("reads the website beside a more specific address, and names other descriptions", () => {
    const card = {
      name: "weather",
      tools: [],
      url: "https://weather.example.com",
      mcp_server: mcp,
      openapi: "https://api.example.com/openapi.json",
    };
    const { metadata, notes } = createFinding(card);
    expect(metadata.external_url).toBe("https://weather.example.com");
    expect(notes).toEqual([
      "Also named, but not read: https://api.example.com/openapi.json (openapi). If it's yours, enter that address.",
    ]);
  });
});
