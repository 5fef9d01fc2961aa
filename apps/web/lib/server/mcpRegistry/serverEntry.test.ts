import { describe, expect, it } from "vitest";
import { type ListedServer, serverEntry, serverEntrySchema } from "./serverEntry.ts";

const publicUrl = "https://registry.example";
const listed: ListedServer = {
  did: "did:web:mcp.example.com:weather",
  version: "2.1.0",
  tokenId: "7",
  owner: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  status: 0,
  dataUrl: "https://mcp.example.com/metadata.json",
  dataHash: `0x${"ab".repeat(32)}`,
  name: "Weather",
  description: "Forecasts for every city.",
  image: "https://mcp.example.com/icon.png",
  endpoints: [
    { name: "REST", endpoint: "https://mcp.example.com/rest" },
    { name: "MCP", endpoint: "https://mcp.example.com/mcp" },
  ],
  updatedAt: 1_760_000_000,
  changedAt: 1_770_000_000,
  latest: true,
};

describe("serverEntry", () => {
  it("describes the service, its endpoint and its record", () => {
    expect(serverEntrySchema.strict().parse(serverEntry(listed, publicUrl))).toEqual({
      server: {
        $schema: expect.stringContaining("server.schema.json"),
        name: "com.example.mcp/weather",
        title: "Weather",
        description: "Forecasts for every city.",
        version: "2.1.0",
        websiteUrl: "https://registry.example/apps/did:web:mcp.example.com:weather",
        icons: [{ src: "https://mcp.example.com/icon.png" }],
        remotes: [{ type: "streamable-http", url: "https://mcp.example.com/mcp" }],
      },
      _meta: {
        "io.modelcontextprotocol.registry/official": {
          status: "active",
          publishedAt: "2025-10-09T08:53:20.000Z",
          updatedAt: "2026-02-02T02:40:00.000Z",
          isLatest: true,
        },
        "app-registry/record": {
          did: listed.did,
          tokenId: "7",
          owner: listed.owner,
          dataUrl: listed.dataUrl,
          dataHash: listed.dataHash,
          verification: "https://registry.example/api/apps/did:web:mcp.example.com:weather/v/2.1.0",
        },
      },
    });
  });

  it("fits the limits of the MCP registry for any metadata", () => {
    const entry = serverEntry(
      { ...listed, name: "😀".repeat(80), description: " \n ", image: "http://a.test/icon.png" },
      publicUrl,
    );
    const { title = "", description, icons } = entry?.server ?? {};
    expect(title.length).toBeLessThanOrEqual(100);
    expect(encodeURIComponent(title)).not.toBe("");
    expect(description).toBe(title);
    expect(icons).toBeUndefined();
  });

  it("returns the transport of a server that only supports HTTP with SSE", () => {
    const endpoints = [{ name: "MCP", endpoint: "https://a.test/sse", transport: "sse" as const }];
    expect(serverEntry({ ...listed, endpoints }, publicUrl)?.server.remotes).toEqual([
      { type: "sse", url: "https://a.test/sse" },
    ]);
  });

  it.each([1, 2] as const)("is deprecated with the status %i", (status) => {
    const entry = serverEntry({ ...listed, status }, publicUrl);
    expect(entry?._meta["io.modelcontextprotocol.registry/official"].status).toBe("deprecated");
  });

  it("returns undefined without an MCP endpoint or a valid name", () => {
    expect(serverEntry({ ...listed, endpoints: [] }, publicUrl)).toBeUndefined();
    expect(serverEntry({ ...listed, did: `did:web:a.test:${"x".repeat(200)}` }, publicUrl)).toBeUndefined();
  });
});
