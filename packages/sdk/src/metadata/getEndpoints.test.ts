import { describe, expect, it } from "vitest";
import { endpointName, getEndpoints } from "./getEndpoints.ts";
import type { Metadata } from "./metadataSchema.ts";

it.each([
  ["api:mcp", "MCP"],
  ["api:a2a", "A2A"],
  ["api:rest", "REST"],
  ["api:soap", "soap"],
])("endpointName(%s) returns %s", (trait, name) => {
  expect(endpointName(trait)).toBe(name);
});

const about = { name: "Maps", description: "Maps.", publisher: "Example Ltd" };

describe("getEndpoints", () => {
  it("returns the entries of the current layout unchanged", () => {
    const endpoints = [
      {
        name: "MCP",
        endpoint: "https://example.com/mcp",
        tools: [{ name: "t", inputSchema: { properties: {} } }],
      },
      { name: "Contract", schemaUrl: "https://example.com/abi.json", "x-note": [1] },
    ];
    expect(getEndpoints({ ...about, endpoints })).toEqual(endpoints);
  });

  it("returns the endpoint of the earlier layout as an entry", () => {
    const metadata = {
      ...about,
      endpoint: { url: "https://example.com/v1", schemaUrl: "https://example.com/openapi.json" },
      interfaceVersions: ["1.0"],
    };
    expect(getEndpoints(metadata)).toEqual([
      {
        name: "API",
        endpoint: "https://example.com/v1",
        schemaUrl: "https://example.com/openapi.json",
        interfaceVersions: ["1.0"],
      },
    ]);
  });

  it("returns the entries of both layouts if a document has both", () => {
    const metadata = {
      ...about,
      endpoints: [{ name: "REST", endpoint: "https://example.com/v2" }],
      endpoint: { url: "https://example.com/v1" },
    };
    expect(getEndpoints(metadata).map(({ endpoint }) => endpoint)).toEqual([
      "https://example.com/v2",
      "https://example.com/v1",
    ]);
  });

  it.each([{}, { endpoints: "x", endpoint: "y" }, { endpoints: [1, null, []], endpoint: null }])(
    "returns no entries for an invalid document: %j",
    (metadata) => {
      expect(getEndpoints(metadata as unknown as Metadata)).toEqual([]);
    },
  );
});
