import { describe, expect, it } from "vitest";
import { fillFromAgentCard, fillFromMcp, fillFromOpenApi } from "./fill.ts";

const tool = { name: "echo", inputSchema: { type: "object", properties: {} } };
const mcp = {
  url: "https://mcp.example.com/mcp",
  transport: "streamable-http" as const,
  server: { name: "everything", title: "Everything" },
  tools: [tool],
  resources: [],
  resourceTemplates: [],
  prompts: [{ name: "greet" }],
};

describe("filling from an MCP server", () => {
  const draft = { traits: ["api:mcp"], endpoints: [{ name: "MCP" }] };

  it("takes over what it offers, as it offers it", () => {
    const { metadata, filled } = fillFromMcp(draft, mcp);
    expect(metadata).toEqual({
      traits: ["api:mcp"],
      name: "Everything",
      endpoints: [
        {
          name: "MCP",
          endpoint: mcp.url,
          tools: [tool],
          resources: [],
          prompts: [{ name: "greet" }],
          transport: { http: { url: mcp.url, method: "POST" } },
        },
      ],
    });
    expect(filled).toEqual(["the endpoint", "1 tool", "0 resources", "1 prompt", "the name"]);
  });

  it("keeps texts that the person wrote, and fills the same endpoint again", () => {
    const once = fillFromMcp({ ...draft, name: "Mine" }, mcp).metadata;
    const twice = fillFromMcp(once, { ...mcp, tools: [] }).metadata;
    expect(twice.name).toBe("Mine");
    expect(twice.endpoints).toHaveLength(1);
    expect(twice.endpoints).toMatchObject([{ tools: [] }]);
  });

  it("leaves the contract's endpoint alone", () => {
    const contract = { name: "Contract", schemaUrl: "https://example.com/abi.json" };
    const { metadata } = fillFromMcp({ endpoints: [contract] }, mcp);
    expect(metadata.endpoints).toMatchObject([contract, { name: "MCP", endpoint: mcp.url }]);
  });

  it("leaves out texts that the metadata does not take", () => {
    const server = { name: "everything", websiteUrl: "javascript:alert(1)", icons: [{ src: "data:,x" }] };
    const { metadata } = fillFromMcp({}, { ...mcp, server });
    expect(metadata).not.toHaveProperty("external_url");
    expect(metadata).not.toHaveProperty("image");
  });
});

describe("filling from an agent card", () => {
  it("takes the card's place as the endpoint, and its texts where there are none", () => {
    const url = "https://agent.example.com/.well-known/agent-card.json";
    const card = {
      name: "Agent",
      description: "Helps.",
      provider: { organization: "Example Ltd" },
      protocolVersion: "0.3.0",
    };
    expect(fillFromAgentCard({}, { url, card }).metadata).toEqual({
      name: "Agent",
      description: "Helps.",
      publisher: "Example Ltd",
      endpoints: [{ name: "A2A", endpoint: url, interfaceVersions: ["0.3.0"] }],
    });
  });
});

describe("filling from an OpenAPI document", () => {
  it("takes the first server as the endpoint and the document as its schema", () => {
    const url = "https://example.com/openapi.json";
    const endpoint = "https://api.example.com/v2";
    const contact = { name: "Example Ltd", email: "help@example.com" };
    const info = { title: "Weather", version: "2.4.0", summary: "Forecasts.", contact };
    const { metadata, filled } = fillFromOpenApi({}, { url, endpoint, document: { openapi: "3.1.0", info } });
    expect(metadata).toEqual({
      name: "Weather",
      description: "Forecasts.",
      publisher: "Example Ltd",
      supportUrl: "mailto:help@example.com",
      endpoints: [{ name: "REST", endpoint, schemaUrl: url, interfaceVersions: ["2.4.0"] }],
    });
    expect(filled).toEqual([
      "the endpoint",
      "the schema URL",
      "the name",
      "the description",
      "the publisher",
      "the support URL",
    ]);
  });
});
