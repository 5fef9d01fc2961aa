import { describe, expect, it } from "vitest";
import { emptyDraft } from "../draft/draft.ts";
import { draftReducer } from "../draft/reducer.ts";
import { fillFromAgentCard, fillFromMcp } from "./fill.ts";

const tool = { name: "echo", inputSchema: { type: "object", properties: {} } };
const mcp = {
  url: "https://mcp.example.com/mcp",
  transport: "streamable-http" as const,
  server: { name: "everything", title: "Everything" },
  tools: [tool],
  resources: [],
  prompts: [{ name: "greet" }],
};

describe("filling from an MCP server", () => {
  const draft = draftReducer(emptyDraft(), { type: "apiType", trait: "api:mcp" });

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
    const named = draftReducer(draft, { type: "set", pointer: "/name", value: "Mine" });
    const once = fillFromMcp(named, mcp).metadata;
    const twice = fillFromMcp({ ...named, metadata: once }, { ...mcp, tools: [] }).metadata;
    expect(twice.name).toBe("Mine");
    expect(twice.endpoints).toHaveLength(1);
    expect(twice.endpoints).toMatchObject([{ tools: [] }]);
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
    expect(fillFromAgentCard(emptyDraft(), { url, card }).metadata).toEqual({
      name: "Agent",
      description: "Helps.",
      publisher: "Example Ltd",
      endpoints: [{ name: "A2A", endpoint: url, interfaceVersions: ["0.3.0"] }],
    });
  });
});
