import type { JsonObject } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import type { Finding } from "./finding.ts";
import { createProposal, getFindingKey } from "./findingList.ts";

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
  it("uses one finding and offers texts of the others as suggestions with their source", () => {
    const mcp = finding(
      "mcp",
      { name: "Weather", traits: ["api:mcp"], endpoints: [entry()] },
      { version: "1.2.0" },
    );
    const source = { url: site.url, kind: "website" };
    expect(createProposal(createDiscovery(mcp, site))).toEqual({
      did: "did:web:api.example.com",
      version: "1.2.0",
      interfaces: 2,
      metadata: {
        name: "Weather",
        description: "An MCP server.",
        publisher: "api.example.com",
        traits: ["api:mcp"],
        endpoints: [entry()],
      },
      proposed: ["/description", "/publisher"],
      suggestions: [
        { pointer: "/description", value: "A company.", ...source },
        { pointer: "/publisher", value: "Example Ltd", ...source },
        { pointer: "/image", value: "https://example.com/icon.png", ...source },
      ],
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

  it("converts the given finding, and names no other service's host", () => {
    const mcp = finding(
      "mcp",
      { name: "M", traits: ["api:mcp"], endpoints: [entry()] },
      { version: "3.0.0" },
    );
    const rest = { name: "REST", endpoint: "https://rest.example.com/" };
    const api = finding(
      "openapi",
      { traits: ["api:rest"], endpoints: [rest] },
      { url: "https://rest.example.com/openapi.json", offers: ["2 operations"] },
    );
    expect(createProposal(createDiscovery(mcp, api, site), api)).toMatchObject({
      interfaces: 2,
      version: "1.0.0",
      metadata: {
        name: "rest.example.com",
        description: "A REST API that offers 2 operations.",
        publisher: "rest.example.com",
        traits: ["api:rest"],
        endpoints: [rest],
      },
    });
  });

  it("keeps the metadata of a finding of kind metadata unchanged and suggests only what it lacks", () => {
    const own = finding("metadata", { name: "N", description: "D", publisher: "P", unknown: { a: 1 } });
    const { metadata, proposed, suggestions } = createProposal(createDiscovery(own, site));
    expect(metadata).toEqual(own.metadata);
    expect(proposed).toEqual([]);
    expect(suggestions.map(({ pointer }) => pointer)).toEqual(["/image"]);
  });

  it("names the chosen finding's own DID", () => {
    const [eu, us] = ["did:web:eu.tools.example", "did:web:us.tools.example"].map((did) =>
      finding("mcp", { name: "M" }, { did }),
    );
    const discovery = createDiscovery(us as Finding, eu as Finding);
    expect(createProposal(discovery).did).toBe("did:web:us.tools.example");
    expect(createProposal(discovery, eu).did).toBe("did:web:eu.tools.example");
  });
});

describe("getFindingKey", () => {
  it("differs by kind, URL and identifier only", () => {
    const base = finding("a2a", { name: "A" }, { identifier: "urn:a" });
    expect(getFindingKey({ ...base, metadata: {}, version: "2.0.0" })).toBe(getFindingKey(base));
    const others = [{ ...base, identifier: "urn:b" }, { ...base, url: "https://b.example" }, site];
    expect(new Set([base, ...others].map(getFindingKey)).size).toBe(4);
  });
});
