import { describe, expect, it } from "vitest";
import { authenticationLines, mcpUrl } from "./endpointView.ts";

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
