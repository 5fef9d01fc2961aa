import type { JsonObject } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { createProposal } from "./createProposal.ts";
import type { Finding } from "./finding.ts";

const finding = (kind: Finding["kind"], metadata: JsonObject, more: Partial<Finding> = {}): Finding => ({
  kind,
  url: "https://api.example.com/mcp",
  interfaces: kind === "website" ? 1 : 2,
  offers: [],
  metadata,
  ...more,
});
const createDiscovery = (...findings: Finding[]) => ({
  input: "https://api.example.com/mcp",
  dids: [{ did: "did:web:api.example.com", why: "" }],
  findings,
  looked: [],
});
const entry = (more: JsonObject = {}) => ({ name: "MCP", endpoint: "https://api.example.com/mcp", ...more });
const site = finding("website", {
  name: "Example",
  description: "A company.",
  publisher: "Example Ltd",
  image: "https://example.com/icon.png",
  platforms: { web: { launchUrl: "https://example.com/" } },
});

describe("createProposal", () => {
  it("fills missing texts from the other findings and ignores their other fields", () => {
    const mcp = finding(
      "mcp",
      { name: "Weather", traits: ["api:mcp"], endpoints: [entry()] },
      { version: "1.2.0" },
    );
    expect(createProposal(createDiscovery(mcp, site))).toEqual({
      did: "did:web:api.example.com",
      version: "1.2.0",
      interfaces: 2,
      metadata: {
        name: "Weather",
        description: "A company.",
        publisher: "Example Ltd",
        image: "https://example.com/icon.png",
        traits: ["api:mcp"],
        endpoints: [entry()],
      },
      proposed: [],
      missing: [],
    });
  });

  it("generates a description from the offered capabilities, and a name and publisher from the host", () => {
    const instructions = "# Weather\nTells the weather.";
    const mcp = finding("mcp", { endpoints: [entry({ instructions })] }, { offers: ["2 tools", "1 prompt"] });
    const { metadata, proposed } = createProposal(createDiscovery(mcp));
    const description = "An MCP server that offers 2 tools and 1 prompt.";
    expect(metadata).toMatchObject({ name: "api.example.com", publisher: "api.example.com", description });
    expect(proposed).toEqual(["/name", "/description", "/publisher"]);
  });

  it("merges the chosen findings", () => {
    const mcp = finding("mcp", { name: "M", traits: ["api:mcp"], endpoints: [entry()] });
    const api = finding("openapi", {
      name: "A",
      traits: ["api:rest"],
      endpoints: [{ name: "REST", endpoint: "https://api.example.com/" }, entry({ tools: [] })],
    });
    const { metadata, interfaces } = createProposal(createDiscovery(mcp, api, site), [
      "mcp",
      "openapi",
      "website",
    ]);
    expect(interfaces).toBe(3);
    expect(metadata).toMatchObject({
      name: "M",
      traits: ["api:mcp", "api:rest"],
      endpoints: [entry(), { name: "REST" }],
      platforms: { web: { launchUrl: "https://example.com/" } },
    });
    expect(metadata.endpoints).toHaveLength(2);
  });

  it("lists the problems that prevent publishing", () => {
    const { missing } = createProposal(createDiscovery(site));
    expect(missing.map(({ pointer }) => pointer)).toEqual(["/screenshotUrls"]);
  });
});
