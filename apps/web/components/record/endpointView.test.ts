import { describe, expect, it } from "vitest";
import { agentLines, authenticationLines, mcpUrl } from "./endpointView.ts";

describe("mcpUrl", () => {
  it("returns the transport's URL, or the endpoint's if it has none", () => {
    const transport = { http: { url: "https://a.example/mcp", method: "POST" } };
    expect(mcpUrl({ endpoint: "https://a.example", transport })).toBe("https://a.example/mcp");
    expect(mcpUrl({ endpoint: "https://a.example/mcp", transport: { http: { method: "POST" } } })).toBe(
      "https://a.example/mcp",
    );
    expect(mcpUrl({ endpoint: "https://a.example/mcp", transport: null })).toBe("https://a.example/mcp");
  });

  it("returns undefined for an address that is not a web URL", () => {
    expect(mcpUrl({ endpoint: "javascript:alert(1)" })).toBeUndefined();
    expect(mcpUrl({})).toBeUndefined();
  });
});

describe("authenticationLines", () => {
  it("returns the addresses and scopes of OAuth 2", () => {
    const oauth2 = {
      authorizationUrl: "https://a.example/auth",
      tokenUrl: "https://a.example/token",
      scopes: ["r", "w"],
    };
    expect(authenticationLines({ oauth2 })).toEqual([
      { term: "Access", text: "OAuth 2" },
      { term: "Authorize at", text: oauth2.authorizationUrl, url: oauth2.authorizationUrl },
      { term: "Token from", text: oauth2.tokenUrl, url: oauth2.tokenUrl },
      { term: "Scopes", text: "r, w" },
    ]);
  });

  it("returns where an API key belongs, and an empty declaration of a bearer token", () => {
    const apiKey = { in: "header", name: "X-API-Key", description: "Sign up first.", value: "sk-1" };
    expect(authenticationLines({ apiKey, bearer: {} })).toEqual([
      { term: "Access", text: "API key" },
      { term: "Key location", text: "header" },
      { term: "Key name", text: "X-API-Key" },
      { term: "How to get a key", text: "Sign up first." },
      { term: "Access", text: "Bearer token" },
    ]);
  });

  it("returns the account of a chain and the methods of an agent", () => {
    expect(authenticationLines({ blockchain: { chainId: 1, requiredNFT: "0xabc" } })).toContainEqual({
      term: "Chain",
      text: "1",
    });
    expect(authenticationLines({ methods: ["bearer"], jwksUrl: "https://a.example/jwks" })).toHaveLength(2);
  });

  it("returns an empty list without a readable declaration", () => {
    for (const value of [undefined, null, "none", [], {}, { oauth2: "yes" }]) {
      expect(authenticationLines(value)).toEqual([]);
    }
  });
});

describe("agentLines", () => {
  it("returns the media types, extensions and prices of an agent", () => {
    const pricing = { model: "per-request", amount: "0.01" };
    const extensions = [{ uri: "https://a.example/x402" }, { uri: "urn:a:b", required: true }, null, "urn:c"];
    expect(
      agentLines({
        defaultInputModes: ["text/plain", "image/png"],
        defaultOutputModes: ["text/plain"],
        capabilities: { streaming: true, extensions },
        pricing,
      }),
    ).toEqual([
      { term: "Input", text: "text/plain, image/png" },
      { term: "Output", text: "text/plain" },
      { term: "Extensions", text: "https://a.example/x402, urn:a:b" },
      { term: "Pricing", text: JSON.stringify(pricing) },
    ]);
    expect(agentLines({ pricing: "Free" })).toEqual([{ term: "Pricing", text: "Free" }]);
  });

  it("limits the length of prices, and omits values of the wrong type", () => {
    expect(agentLines({ pricing: { a: "x".repeat(10_000) } })[0]?.text).toHaveLength(300);
    for (const value of [undefined, null, true, [], { extensions: "urn:a" }, { extensions: [{ uri: 1n }] }])
      expect(agentLines({ capabilities: value })).toEqual([]);
    expect(agentLines({ pricing: null })).toEqual([]);
  });
});
