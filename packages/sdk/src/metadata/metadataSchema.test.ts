import { describe, expect, it } from "vitest";
import { canonicalizeValue } from "../json.ts";
import { metadataJsonSchema } from "./metadataJsonSchema.ts";
import { metadataSchema } from "./metadataSchema.ts";

const full = {
  name: "Maps",
  description: "Maps of\neverywhere.",
  publisher: "Example Ltd",
  image: "ipfs://bafy/icon.png",
  external_url: "https://example.com",
  supportUrl: "mailto:help@example.com",
  platforms: {
    web: { launchUrl: "https://example.com/app" },
    ios: { downloadUrl: "https://apps.example/1", artifactDid: "did:web:example.com:ios" },
  },
  screenshotUrls: ["https://example.com/1.png"],
  portalUrl: "https://world.example/maps",
  endpoints: [
    {
      name: "MCP",
      endpoint: "https://example.com/mcp",
      interfaceVersions: ["1.0"],
      tools: [
        { name: "now", description: "", inputSchema: { type: "object", properties: {} }, annotations: {} },
        { name: "route", inputSchema: { $defs: {}, anyOf: [{}], default: null } },
      ],
      resources: [{ uri: "demo://resource/{id}", name: "r", mimeType: "text/plain" }],
      prompts: [{ name: "p", arguments: [{ name: "a", description: "A", required: true }] }],
      transport: { http: { url: "https://example.com/mcp", method: "POST" }, "x-other": {} },
      authentication: {
        oauth2: {
          authorizationUrl: "https://id.example/a",
          tokenUrl: "https://id.example/t",
          scopes: ["read"],
        },
        blockchain: { chainId: 1, contractAddress: "0x00", requiredNFT: "any" },
        methods: ["jwt"],
        jwksUrl: "https://id.example/jwks",
        issuer: "https://id.example",
      },
    },
  ],
  payments: [{ type: "x402", url: "https://example.com/pay", chains: ["eip155:1"] }],
  traits: ["api:mcp", "pay:x402", " Maps "],
  "x-unknown": { deep: [{}, [], null, ""] },
};

describe("metadataSchema", () => {
  it("takes every field of the current layout, keeps unknown ones and rewrites nothing", () => {
    expect(canonicalizeValue(metadataSchema.parse(full))).toBe(canonicalizeValue(full));
  });

  it("takes the earlier layout and rewrites nothing", () => {
    const { endpoints: _endpoints, ...rest } = full;
    const earlier = {
      ...rest,
      endpoint: { url: "https://example.com/v1", schemaUrl: "https://example.com/openapi.json", note: {} },
      interfaceVersions: ["1.0"],
    };
    expect(canonicalizeValue(metadataSchema.parse(earlier))).toBe(canonicalizeValue(earlier));
  });

  it.each([
    [{ name: undefined }, ["name"]],
    [{ image: "javascript:alert(1)" }, ["image"]],
    [{ external_url: "JAVASCRIPT:alert(1)" }, ["external_url"]],
    [{ supportUrl: "data:text/html,x" }, ["supportUrl"]],
    [{ portalUrl: "ipfs://bafy" }, ["portalUrl"]],
    [{ screenshotUrls: ["https://a.b/1.png", "java\nscript:x"] }, ["screenshotUrls", 1]],
    [{ platforms: { web: { launchUrl: "javascript:x" } } }, ["platforms", "web", "launchUrl"]],
    [{ endpoints: [{ name: "A", endpoint: "javascript:x" }] }, ["endpoints", 0, "endpoint"]],
    [{ endpoints: [{ name: "A", schemaUrl: "file:///x" }] }, ["endpoints", 0, "schemaUrl"]],
    [{ endpoint: { url: "javascript:x" } }, ["endpoint", "url"]],
    [
      { endpoints: [{ name: "M", resources: [{ name: "r", uri: "java\tscript:x" }] }] },
      ["endpoints", 0, "resources", 0, "uri"],
    ],
    [{ payments: [{ type: "x402", url: "javascript:x" }] }, ["payments", 0, "url"]],
    [{ payments: [{ type: "x402", chains: ["ethereum"] }] }, ["payments", 0, "chains", 0]],
    [{ traits: Array.from({ length: 21 }, (_, i) => `t${i}`) }, ["traits"]],
    [{ name: "a".repeat(201) }, ["name"]],
    [{ name: "two\nlines" }, ["name"]],
    [{ publisher: "knaB\u202e" }, ["publisher"]],
  ])("refuses %j at its place", (change, path) => {
    const { error } = metadataSchema.safeParse({ ...full, ...change });
    expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});

describe("metadataJsonSchema", () => {
  it("is a JSON Schema of the same fields that allows others", () => {
    const schema = metadataJsonSchema();
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(schema.required).toEqual(["name", "description", "publisher"]);
    expect(Object.keys(schema.properties as object)).toEqual(Object.keys(metadataSchema.shape));
    expect(schema.additionalProperties).toEqual({});
  });
});
