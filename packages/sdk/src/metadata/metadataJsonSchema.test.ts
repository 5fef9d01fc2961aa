import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { checkPublishable } from "./checkPublishable.ts";
import { metadataJsonSchema } from "./describedFields.ts";
import { metadataSchema } from "./metadataSchema.ts";

const about = { name: "Maps", description: "Maps of\neverywhere.", publisher: "Example Ltd" };
const entry = { name: "REST", endpoint: "https://example.com/v1" };
const withImage = (image: unknown) => ({ ...about, image });
const withEndpoint = (endpoint: unknown) => ({ ...about, endpoints: [{ ...entry, endpoint }] });
const withNamed = (name: string, endpoint: string) => ({ ...about, endpoints: [{ name, endpoint }] });
const withResource = (uri: string) => ({
  ...about,
  endpoints: [{ ...entry, resources: [{ uri, name: "A" }] }],
});

const publishable: [what: string, document: object][] = [
  ["the required fields", about],
  ["unknown fields", { ...about, properties: {}, "x-note": [null] }],
  ["the API of a host of repositories", withEndpoint("https://gitlab.com/api/v4/mcp")],
  ["a document of another API", withEndpoint("https://example.com/data.json")],
  ["an agent card", withNamed("A2A", "https://example.com/agents/7.json")],
  ["an international host", withEndpoint("https://bücher.example/straße")],
  ["an IPv6 host and a port", withEndpoint("wss://[::1]:8443/socket")],
  ["a host in capitals and a user name in the path", withEndpoint("HTTPS://Example.COM/@team")],
  ["gRPC", withEndpoint("grpcs://example.com:443")],
  ["a picture on IPFS", withImage("ipfs://bafy/icon.png")],
  ["a mail address", { ...about, supportUrl: "mailto:help@example.com" }],
  ["a contract without an RPC", { ...about, endpoints: [{ name: "Contract", schemaUrl: "ar://abi" }] }],
  ["the earlier layout", { ...about, endpoint: { url: "https://example.com" } }],
  ["traits to normalize", { ...about, traits: [" API:rest ", "pay.x402_1-a"] }],
  ["a resource of any scheme", withResource("file:///javascript:")],
  ["a successor", { ...about, replacedBy: "did:web:example.com%3A8443:te-am:%C3%BC" }],
  ["a successor that is a contract", { ...about, replacedBy: `did:pkh:eip155:1:0x${"a".repeat(40)}` }],
  ["200 letters", { ...about, name: "ü".repeat(200) }],
];

const refused: [what: string, document: unknown][] = [
  ["a list", []],
  ["no name", { ...about, name: undefined }],
  ["a blank name", { ...about, name: " \u00a0" }],
  ["a name of two lines", { ...about, name: "a\nb" }],
  ["a bidirectional override", { ...about, description: "a\u202eb" }],
  ["201 letters", { ...about, name: "a".repeat(201) }],
  ["a script as a picture", withImage("javascript:alert(1)")],
  ["a script in disguise", withImage("java\nscript:alert(1)")],
  ["a picture as data", withImage("data:image/png;base64,AA==")],
  ["a picture without a scheme", withImage("icon.png")],
  ["a number as a picture", withImage(1)],
  ["a user name in a URL", withEndpoint("https://bank.example@evil.example")],
  ["a user name behind a backslash", withEndpoint("https:\\\\bank.example:pw@evil.example")],
  ["a user name on IPFS", withImage("ipfs://a@b/c")],
  ["no host", withEndpoint("https://")],
  ["a space in a URL", withEndpoint("https://example.com/a b")],
  ["another scheme", withEndpoint("ftp://example.com")],
  ["IPFS for a page", { ...about, external_url: "ipfs://bafy" }],
  ["a long URL", withEndpoint(`https://example.com/${"a".repeat(2_048)}`)],
  ["a template in a URL", withEndpoint("https://example.com/agents/{agentId}?x={y}")],
  ["an encoded template", withEndpoint("https://example.com/%7Btenant%7D/mcp")],
  ["a placeholder", withEndpoint("https://mcp.your-domain.com")],
  ["a package", withEndpoint("https://www.NPMJS.com/package/kiln-mcp")],
  ["a source repository", withEndpoint("https://github.com/example/mcp")],
  ["a source repository in the earlier layout", { ...about, endpoint: { url: "https://github.com/a/b" } }],
  ["a JSON document as an MCP server", withNamed("MCP", "https://example.com/mcp.json?a")],
  ["a text as an MCP server", withNamed("mcp", "https://example.com/README.md")],
  ["an OpenAPI document as an agent card", withNamed("A2A", "https://example.com/openapi.json")],
  ["an interface as an agent card", withNamed("A2A", "grpcs://example.com:443")],
  ["an entry without a URL", withEndpoint(undefined)],
  ["a script as a resource", withResource("\u0001jAva\tscript\u0000:alert(1)")],
  ["an invalid trait", { ...about, traits: ["b!"] }],
  ["21 traits", { ...about, traits: Array.from({ length: 21 }, (_, index) => `t${index}`) }],
  ["a successor that is no DID", { ...about, replacedBy: "did:web:Example.com" }],
  ["a successor with a forbidden path", { ...about, replacedBy: "did:web:example.com:.." }],
  ["an invalid chain", { ...about, payments: [{ type: "x402", chains: ["1"] }] }],
  ["the earlier layout without a URL", { ...about, endpoint: {} }],
];

describe("metadataJsonSchema", () => {
  const schema = metadataJsonSchema();
  const validate = new Ajv2020({ strict: true }).compile(schema);
  const validateText = (document: unknown) => validate(JSON.parse(JSON.stringify(document)));

  it("has an identifier, a dialect and the fields of metadataSchema, and allows unknown fields", () => {
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "urn:app-registry:metadata",
      required: ["name", "description", "publisher"],
      additionalProperties: {},
    });
    expect(Object.keys(schema.properties as object)).toEqual(Object.keys(metadataSchema.shape));
  });

  it.each(publishable)("accepts %s, like checkPublishable", (_, document) => {
    expect(checkPublishable(document, 0, "")).toEqual([]);
    expect(validateText(document), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(refused)("refuses %s, like checkPublishable", (_, document) => {
    expect(checkPublishable(document, 0, "")).not.toEqual([]);
    expect(validateText(document)).toBe(false);
  });
});
