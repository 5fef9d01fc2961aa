import { describe, expect, it } from "vitest";
import { toLiteralUrl } from "./allowlist.ts";

describe("toLiteralUrl", () => {
  it.each([
    ["https://mcp.example.com/mcp", "https://mcp.example.com/mcp"],
    // Clients compare the address that they connect to.
    ["HTTPS://MCP.Example.com/Mcp", "https://mcp.example.com/Mcp"],
    ["https://example.com:443/mcp", "https://example.com/mcp"],
    ["https://example.com:8443/mcp", "https://example.com:8443/mcp"],
    ["https://example.com", "https://example.com/"],
    ["https://example.com/mcp/", "https://example.com/mcp/"],
    ["https://example.com/a/../mcp", "https://example.com/mcp"],
    ["https://example.com/a/%2e%2e/mcp", "https://example.com/mcp"],
    ["https://example.com\\mcp", "https://example.com/mcp"],
    ["https://bücher.example/mcp", "https://xn--bcher-kva.example/mcp"],
    ["https://example.com/@scope/mcp?profile=a&v=1", "https://example.com/@scope/mcp?profile=a&v=1"],
    ["http://localhost:3000/mcp", "http://localhost:3000/mcp"],
  ])("returns the address of %s as clients compare it", (endpoint, url) => {
    expect(toLiteralUrl(endpoint)).toBe(url);
  });

  it.each([
    ["a wildcard in the path", "https://example.com/*"],
    ["a wildcard in the host", "https://*.example.com/mcp"],
    ["a wildcard as a percent triplet", "https://example.com/%2A"],
    ["a variable", `https://example.com/mcp?key=${"$"}{HOME}`],
    ["a variable without braces", "https://example.com/$HOME"],
    ["a template", "https://example.com/{tenant}/mcp"],
    ["a pattern", "https://example.com/(a|b)"],
    ["an encoded slash", "https://example.com/team%2Fmcp"],
    ["a path parameter", "https://example.com/team;a=b/mcp"],
    ["a user name", "https://bank.example@example.com/mcp"],
    ["a fragment", "https://example.com/mcp#x"],
    ["an empty fragment's sign in a query", "https://example.com/mcp?a=%23"],
    ["a trailing dot", "https://example.com./mcp"],
    ["plain http", "http://example.com/mcp"],
    ["plain http to a loopback address", "http://127.0.0.1/mcp"],
    ["another scheme", "wss://example.com/mcp"],
    ["an invisible character", "https://example.com/mcp\u200b"],
    ["a line break", "https://example.com/\nmcp"],
    ["markup", "https://example.com/<script>"],
    ["a command", "npx -y server"],
    ["an IPv6 address", "https://[::1]/mcp"],
    // @threat services: An allowlist that is altered, lags, or allows more than was proven
  ])("returns undefined for %s", (_, endpoint) => {
    expect(toLiteralUrl(endpoint)).toBeUndefined();
  });
});
