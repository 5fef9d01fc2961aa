import { describe, expect, it } from "vitest";
import { connectSnippets, mcpUrl } from "./connectSnippets.ts";

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
