import { describe, expect, it } from "vitest";
import { describeForeignDocument } from "./foreignDocument.ts";

const introspection = { __schema: { queryType: { name: "Query" }, types: [] } };
const skill = "---\nname: plan-routes\ndescription: Plans routes.\n---\n\n# Plan routes\n";
const llms = "# Weather\n\n> Forecasts.\n\n## Docs\n\n- [API](https://example.com/api.md): The API\n";
const remote = { mcpServers: { weather: { type: "http", url: "https://example.com/mcp" } } };

describe("describeForeignDocument", () => {
  it.each<[string, string | object, RegExp]>([
    ["OpenAPI", { openapi: "3.1.0", info: {} }, /OpenAPI document/],
    ["Swagger in YAML", "info: {}\nswagger: '2.0'\n", /OpenAPI document/],
    ["AsyncAPI", { asyncapi: "3.0.0" }, /AsyncAPI document.*schema URL/],
    ["AsyncAPI in YAML", "# A comment\nasyncapi: '2.6.0'\r\ninfo: {}\r\n", /AsyncAPI document/],
    ["OpenRPC", { openrpc: "1.3.2", methods: [] }, /OpenRPC document/],
    ["GraphQL SDL", '"""Root"""\ntype Query {\n  now: String\n}\n', /GraphQL schema/],
    ["GraphQL SDL with directives", 'schema @link(url: "a") {\n  query: Query\n}\n', /GraphQL schema/],
    [
      "GraphQL SDL of one line",
      "extend type Query implements Node & Root @key { now: String }",
      /GraphQL schema/,
    ],
    ["GraphQL introspection", { data: introspection }, /GraphQL schema/],
    ["GraphQL introspection without data", introspection, /GraphQL schema/],
    [
      "a Postman collection",
      { info: { _postman_id: "1", name: "A" }, item: [] },
      /Postman collection. Export/,
    ],
    ["llms.txt", llms, /llms.txt/],
    ["an agent skill", skill, /agent skill/],
    ["an agent skill with CRLF", skill.replaceAll("\n", "\r\n"), /agent skill/],
    [".mcp.json", remote, /MCP client's configuration/],
    ["mcp.json of an editor", { inputs: [], servers: remote.mcpServers }, /MCP client's configuration/],
    [
      "a configuration with a byte order mark",
      `\uFEFF${JSON.stringify(remote)}`,
      /MCP client's configuration/,
    ],
    ["gemini-extension.json", { name: "weather", version: "1.0.0", ...remote }, /plugin or extension/],
    [
      "gemini-extension.json without servers",
      { name: "weather", contextFileName: "A.md" },
      /plugin or extension/,
    ],
    [
      "a plugin manifest",
      { name: "weather", description: "A.", author: { name: "B" } },
      /plugin or extension/,
    ],
    ["a plugin marketplace", { name: "a", owner: { name: "b" }, plugins: [] }, /marketplace of plugins/],
    ["package.json", { name: "weather", version: "1.0.0", scripts: {}, author: "B" }, /package's manifest/],
    [
      "an MCP bundle",
      { manifest_version: "0.3", name: "a", version: "1.0.0", author: {}, server: {} },
      /MCP bundle/,
    ],
    ["x402 terms", { x402Version: 1, accepts: [{}] }, /x402 payment terms. Enter the address of the paid/],
    ["a list of x402 resources", { x402Version: 2, resources: [] }, /x402 payment terms/],
    [
      "a domain proof with a card",
      { agentId: 7, agentRegistry: "eip155:1:0x1", agentCard: "https://a.example/a.json\u202e" },
      /^This only proves the domain of agent 7\. Enter https:\/\/a\.example\/a\.json\\u\{202e\}\.$/,
    ],
    [
      "a domain proof",
      { registrations: [{ agentId: { toString: 1 }, agentRegistry: "eip155:1:0x1" }] },
      /^This only proves the domain of agent \S+\. Enter the address of its registration file\.$/,
    ],
    [
      "a domain proof with the agent's file",
      {
        name: "A",
        agent: "https://a.example/agent.json",
        registrations: [{ agentId: 7, agentRegistry: "r" }],
      },
      /^This only proves the domain of agent 7\. Enter https:\/\/a\.example\/agent\.json\.$/,
    ],
    ["a DXT manifest", { dxt_version: "0.1", name: "a", version: "1.0.0", server: {} }, /MCP bundle/],
  ])("recognizes %s", (_, document, sentence) => {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    expect(describeForeignDocument(text)).toMatch(sentence);
  });

  it.each([
    ["/.well-known/agent-card.json", "an A2A agent card, which needs name, url"],
    ["/.well-known/agent.json", "an A2A agent card, which needs name, url"],
    ["/.well-known/agent-registration.json", "an ERC-8004 registration file, which needs type"],
    ["/.well-known/mcp.json", "an MCP server card, which needs name and remotes"],
    ["/.well-known/mcp/server-card.json", "an MCP server card, which needs name and remotes"],
    ["/server.json", "the server.json of an MCP server with a URL, which needs name and remotes"],
    ["/.well-known/api-catalog", "a catalog, which needs linkset, or specVersion and entries"],
    ["/.well-known/ai-catalog.json", "a catalog, which needs linkset"],
  ])("says what an unknown object at %s lacks", (path, sentence) => {
    const document = JSON.stringify({ name: "A", x402Version: 1 });
    expect(describeForeignDocument(document, `https://a.example${path}`)).toContain(sentence);
  });

  it.each<[string, string | object]>([
    ["metadata", { name: "A", description: "B.", publisher: "C", author: "D", hooks: {} }],
    ["an incomplete metadata document", { name: "A", version: "1", main: "x", endpoints: [] }],
    [
      "an agent card",
      { name: "A", description: "B.", version: "1.0.0", skills: [], url: "https://a.example" },
    ],
    ["a server list", { servers: [{ name: "a" }] }],
    ["an unknown object", { a: 1 }],
    ["broken JSON", '{"asyncapi":'],
    ["a key in a nested object", { a: { asyncapi: "3.0.0" } }],
    ["prose", "An asyncapi: document\n# is not - [this](one)\n"],
    ["TypeScript", "type Query = {\n  now: string;\n};\ninterface Foo {}\n"],
    ["Go", "type Query struct {\n\tNow string\n}\n"],
    ["an empty text", ""],
  ])("returns undefined for %s", (_, document) => {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    expect(describeForeignDocument(text)).toBeUndefined();
  });

  it.each(["type a @", "type A implements ", "- [a", "a ", "\n", "---\nname: a\n", "{", '"', " "])(
    "reads a megabyte of %j in linear time",
    (unit) => {
      const text = `# ${unit.repeat(Math.floor(1_000_000 / unit.length))}`;
      expect(describeForeignDocument(text)).toBeUndefined();
      expect(describeForeignDocument(text.slice(2))).toBeUndefined();
    },
  );
});

describe("describeForeignDocument, at a conventional path", () => {
  it("names the addresses in a card of an unknown format", () => {
    const endpoints = { identity: "https://example.com/id", mcp: "https://ai.example.com/mcp" };
    const card = { name: "Coach", type: "node", endpoints, capabilities: ["advice"] };
    expect(
      describeForeignDocument(JSON.stringify(card), "https://example.com/.well-known/agent-card.json"),
    ).toBe(
      "This isn't an A2A agent card, which needs name, url or supportedInterfaces, and skills. " +
        "Complete it, or enter the address that it names: https://ai.example.com/mcp (endpoints.mcp).",
    );
  });
});
