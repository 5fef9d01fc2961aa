import { describe, expect, it } from "vitest";
import { authenticationLines, mcpUrl } from "./endpointView.ts";

describe("mcpUrl", () => {
  it("prefers the transport's own URL, and falls back to the endpoint's", () => {
    const transport = { http: { url: "https://a.example/mcp", method: "POST" } };
    expect(mcpUrl({ endpoint: "https://a.example", transport })).toBe("https://a.example/mcp");
    expect(mcpUrl({ endpoint: "https://a.example/mcp", transport: { http: { method: "POST" } } })).toBe(
      "https://a.example/mcp",
    );
    expect(mcpUrl({ endpoint: "https://a.example/mcp", transport: null })).toBe("https://a.example/mcp");
  });

  it("is undefined for an address that is not a web URL", () => {
    expect(mcpUrl({ endpoint: "javascript:alert(1)" })).toBeUndefined();
    expect(mcpUrl({})).toBeUndefined();
  });
});

describe("authenticationLines", () => {
  it("reads OAuth 2 with its addresses and scopes", () => {
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

  it("reads a chain's account and an agent's methods", () => {
    expect(authenticationLines({ blockchain: { chainId: 1, requiredNFT: "0xabc" } })).toContainEqual({
      term: "Chain",
      text: "1",
    });
    expect(authenticationLines({ methods: ["bearer"], jwksUrl: "https://a.example/jwks" })).toHaveLength(2);
  });

  it("is empty for what declares nothing readable", () => {
    for (const value of [undefined, null, "none", [], {}, { oauth2: "yes" }]) {
      expect(authenticationLines(value)).toEqual([]);
    }
  });
});
