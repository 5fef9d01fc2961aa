import { describe, expect, it } from "vitest";
import { authenticationLines, connectSnippets, mcpUrl } from "./connecting.ts";

describe("connectSnippets", () => {
  it("writes a client configuration for an MCP server, with the transport's own URL", () => {
    const endpoint = {
      name: "MCP",
      endpoint: "https://weather.example",
      transport: { http: { url: "https://weather.example/mcp", method: "POST" } },
    };
    const [snippet] = connectSnippets(endpoint, "api:mcp", "Harbour Weather");
    expect(JSON.parse(snippet?.text ?? "")).toEqual({
      mcpServers: { "harbour-weather": { type: "http", url: "https://weather.example/mcp" } },
    });
  });

  it("falls back to the endpoint's URL when the transport names none", () => {
    expect(mcpUrl({ endpoint: "https://a.example/mcp", transport: { http: { method: "POST" } } })).toBe(
      "https://a.example/mcp",
    );
    expect(mcpUrl({ endpoint: "https://a.example/mcp", transport: null })).toBe("https://a.example/mcp");
  });

  it("quotes a URL so that a shell can't be led astray", () => {
    const [snippet] = connectSnippets(
      { endpoint: "https://a.example/x';touch$IFS/tmp/x;'" },
      "api:rest",
      "A",
    );
    expect(snippet?.text).toBe(String.raw`curl 'https://a.example/x'\'';touch$IFS/tmp/x;'\'''`);
  });

  it("offers nothing to paste for an address that is not a web URL", () => {
    expect(connectSnippets({ endpoint: "javascript:alert(1)" }, "api:rest", "A")).toEqual([]);
    expect(connectSnippets({}, "api:mcp", "A")).toEqual([]);
    expect(connectSnippets({ name: "Contract", endpoint: "https://rpc.example" }, undefined, "A")).toEqual(
      [],
    );
  });

  it("names a service without Latin letters", () => {
    const [snippet] = connectSnippets({ name: "MCP", endpoint: "https://a.example/" }, "api:mcp", "天気");
    expect(JSON.parse(snippet?.text ?? "").mcpServers).toHaveProperty("service");
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
