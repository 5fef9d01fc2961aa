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
    ["AsyncAPI", { asyncapi: "3.0.0" }, /AsyncAPI document/],
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
    ["a Postman collection", { info: { _postman_id: "1", name: "A" }, item: [] }, /Postman collection/],
    ["llms.txt", llms, /llms.txt/],
    ["an agent skill", skill, /agent skill/],
    ["an agent skill with CRLF", skill.replaceAll("\n", "\r\n"), /agent skill/],
    [".mcp.json", remote, /MCP client's configuration/],
    [
      "mcp.json of an editor",
      { inputs: [], servers: { weather: { command: "npx" } } },
      /MCP client's configuration/,
    ],
    [
      "a configuration with a byte order mark",
      `\uFEFF${JSON.stringify(remote)}`,
      /MCP client's configuration/,
    ],
    ["package.json", { name: "weather", version: "1.0.0", scripts: {}, author: "B" }, /package's manifest/],
    ["x402 terms", { x402Version: 1, accepts: [{}] }, /x402 payment terms/],
    ["a list of x402 resources", { x402Version: 2, resources: [] }, /x402 payment terms/],
  ])("recognizes %s", (_, document, sentence) => {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    expect(describeForeignDocument(text)).toMatch(sentence);
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
