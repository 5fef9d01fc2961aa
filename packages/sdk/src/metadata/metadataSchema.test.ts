import { nearly, nearlyJson } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalizeValue } from "../json.ts";
import { checkPublishable } from "./checkPublishable.ts";
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
        apiKey: { in: "header", name: "X-API-Key", description: "Sign up first." },
        bearer: { format: "JWT", description: "Ask for one." },
        blockchain: { chainId: 1, contractAddress: "0x00", requiredNFT: "any" },
        methods: ["jwt"],
        jwksUrl: "https://id.example/jwks",
        issuer: "https://id.example",
      },
    },
  ],
  payments: [
    {
      type: "x402",
      url: "https://example.com/pay",
      chains: ["eip155:1"],
      price: { amount: "0.01", symbol: "USDC", asset: "0x00" },
      payTo: "0x01",
    },
    { type: "stripe", price: "5 EUR", payTo: { account: 1 } },
  ],
  packages: [
    {
      registryType: "npm",
      identifier: "@example/maps",
      version: "1.0.0",
      registryBaseUrl: "https://registry.npmjs.org",
      fileSha256: "0f".repeat(32),
      runtimeHint: "npx",
      transport: { type: "stdio" },
      environmentVariables: [{ name: "MAPS_KEY" }],
    },
  ],
  traits: ["api:mcp", "pay:x402", " Maps "],
  releaseNotes: "Faster routes.\nNew: trains.",
  deprecation: "Use version 2 from May on.",
  replacedBy: "did:web:example.com:maps2",
  "x-unknown": { deep: [{}, [], null, ""] },
};

describe("metadataSchema", () => {
  it("accepts every field of the current layout, and preserves unknown fields unchanged", () => {
    expect(canonicalizeValue(metadataSchema.parse(full))).toBe(canonicalizeValue(full));
  });

  it("accepts the earlier layout unchanged", () => {
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
    [
      { endpoints: [{ name: "A", authentication: { apiKey: { in: "body", name: "k" } } }] },
      ["endpoints", 0, "authentication", "apiKey", "in"],
    ],
    [
      { endpoints: [{ name: "A", authentication: { apiKey: { in: "header" } } }] },
      ["endpoints", 0, "authentication", "apiKey", "name"],
    ],
    [
      { endpoints: [{ name: "A", authentication: { bearer: "token" } }] },
      ["endpoints", 0, "authentication", "bearer"],
    ],
    [{ payments: [{ type: "x402", url: "javascript:x" }] }, ["payments", 0, "url"]],
    [{ payments: [{ type: "x402", chains: ["ethereum"] }] }, ["payments", 0, "chains", 0]],
    [{ packages: [{ registryType: "npm" }] }, ["packages", 0, "identifier"]],
    [
      { packages: [{ registryType: "npm", identifier: "a", fileSha256: "0F".repeat(32) }] },
      ["packages", 0, "fileSha256"],
    ],
    [
      { packages: [{ registryType: "npm", identifier: "a", registryBaseUrl: "javascript:x" }] },
      ["packages", 0, "registryBaseUrl"],
    ],
    [{ traits: Array.from({ length: 21 }, (_, i) => `t${i}`) }, ["traits"]],
    [{ name: "a".repeat(201) }, ["name"]],
    [{ name: "two\nlines" }, ["name"]],
    [{ publisher: "knaB\u202e" }, ["publisher"]],
    [{ releaseNotes: "a".repeat(4_001) }, ["releaseNotes"]],
    [{ deprecation: "\u202egnihton" }, ["deprecation"]],
    [{ replacedBy: "did:web:Example.com" }, ["replacedBy"]],
    [{ replacedBy: "https://example.com" }, ["replacedBy"]],
  ])("rejects %j and names its place", (change, path) => {
    const { error } = metadataSchema.safeParse({ ...full, ...change });
    expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});

describe("metadataSchema and checkPublishable, for any document", () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      "javascript:alert(1)",
      "https://example.com",
      "api:mcp",
      "MCP",
      "eip155:1",
      "",
      {},
      [],
      null,
    ),
    nearly(fc.constantFrom("https://example.com/a", "ipfs://bafy/x", "mailto:a@b.c"), [
      ":",
      "/",
      "@",
      "\n",
      "%",
      "\u202e",
    ]),
  );
  const document = fc.oneof(
    { weight: 9, arbitrary: nearlyJson(full, values) },
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    }),
  );

  it("never throw, rewrite nothing, and return the same result again", () => {
    fc.assert(
      fc.property(
        document,
        fc.integer({ min: -1, max: 8 }),
        fc.constantFrom("", "did:web:a.b", "x"),
        (metadata, interfaces, did) => {
          const before = fc.stringify(metadata);
          const parsed = metadataSchema.safeParse(metadata);
          if (parsed.success) expect(metadataSchema.parse(parsed.data)).toEqual(parsed.data);
          const problems = checkPublishable(metadata, interfaces, did);
          expect(checkPublishable(metadata, interfaces, did)).toEqual(problems);
          for (const { pointer, code, message } of problems) {
            expect(pointer).toMatch(/^(\/.*)?$/s);
            expect(code).toMatch(/^[a-z-]+$/);
            expect(message).toMatch(/[^ ]$/);
          }
          expect(fc.stringify(metadata)).toBe(before);
          if (problems.length > 0) return;
          // The schema does not change a publishable document, which also has a canonical text to hash.
          expect(canonicalizeValue(metadataSchema.parse(metadata))).toBe(canonicalizeValue(metadata));
        },
      ),
    );
  });
});
