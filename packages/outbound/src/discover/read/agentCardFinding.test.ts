import { AgentCard } from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import type { JsonObject } from "@app-registry/sdk";
import { serveFiles } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { agentCardFinding, isAgentCard } from "./agentCardFinding.ts";

const URL = "https://agent.example.com/.well-known/agent-card.json";

const skills = [
  {
    id: "plan",
    name: "Plan",
    description: "Plans a route.",
    tags: ["Maps", "routing", "two words"],
    examples: ["To Rome"],
  },
  { id: "draw", name: "Draw", description: "Draws a map.", tags: ["maps"] },
];
const shared = {
  name: "Planner",
  description: "Plans routes.",
  version: "1.2.0",
  provider: { organization: "Example Ltd", url: "https://example.com" },
  iconUrl: "https://example.com/icon.png",
  documentationUrl: "https://docs.example.com",
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills,
};
const scopes = { read: "Read", write: "Write" };
const flow = {
  authorizationUrl: "https://example.com/authorize",
  tokenUrl: "https://example.com/token",
  scopes,
};
const configuration = "https://login.example.com/.well-known/openid-configuration";

/** The same card in the format of A2A 1.0, and below in that of 0.3. */
const current = {
  ...shared,
  supportedInterfaces: [
    { url: "https://agent.example.com/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: "https://agent.example.com/json", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url: "https://agent.example.com/old", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  capabilities: { streaming: true },
  securitySchemes: {
    login: { oauth2SecurityScheme: { flows: { authorizationCode: flow } } },
    google: { openIdConnectSecurityScheme: { openIdConnectUrl: configuration } },
    key: { apiKeySecurityScheme: { location: "header", name: "x-key" } },
    token: { httpAuthSecurityScheme: { scheme: "Bearer" } },
  },
};
const older = {
  ...shared,
  protocolVersion: "0.3.0",
  url: "https://agent.example.com/rpc",
  preferredTransport: "JSONRPC",
  additionalInterfaces: [
    { url: "https://agent.example.com/rpc", transport: "JSONRPC" },
    { url: "https://agent.example.com/grpc", transport: "GRPC" },
  ],
  capabilities: { streaming: true },
  securitySchemes: {
    login: { type: "oauth2", flows: { authorizationCode: flow } },
    google: { type: "openIdConnect", openIdConnectUrl: configuration },
    key: { type: "apiKey", in: "header", name: "x-key" },
    token: { type: "http", scheme: "Bearer" },
  },
};

const read = (card: object) => {
  expect(isAgentCard(card as JsonObject)).toBe(true);
  return agentCardFinding(structuredClone(card) as JsonObject, URL);
};

describe("agentCardFinding", () => {
  it.each([
    ["1.0", current, ["1.0", "0.3"]],
    ["0.3", older, ["0.3.0"]],
  ])(
    "converts a card of A2A %s to texts, traits, skills and authentication",
    (_, card, interfaceVersions) => {
      expect(read(card)).toEqual({
        kind: "a2a",
        url: URL,
        interfaces: 2,
        version: "1.2.0",
        offers: ["2 skills"],
        metadata: {
          name: "Planner",
          description: "Plans routes.",
          publisher: "Example Ltd",
          external_url: "https://docs.example.com",
          image: "https://example.com/icon.png",
          traits: ["api:a2a", "maps", "routing"],
          endpoints: [
            {
              name: "A2A",
              endpoint: URL,
              interfaceVersions,
              supportedInterfaces: expect.any(Array),
              skills,
              capabilities: { streaming: true },
              authentication: {
                oauth2: {
                  authorizationUrl: flow.authorizationUrl,
                  tokenUrl: flow.tokenUrl,
                  scopes: ["read", "write"],
                },
                apiKey: { in: "header", name: "x-key" },
                bearer: {},
                methods: ["openIdConnect"],
                issuer: "https://login.example.com",
              },
            },
          ],
        },
      });
    },
  );

  it.each([
    ["1.0", current],
    ["0.3", older],
  ])("reads the same interfaces from a card of A2A %s as the A2A SDK", async (_, card) => {
    const { origin, files } = await serveFiles();
    files.set("/.well-known/agent-card.json", JSON.stringify(card));
    const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
    const official = AgentCard.toJSON(await resolver.resolve(origin)) as typeof current;
    const named = (list: typeof current.supportedInterfaces) =>
      new Set(list.map(({ url, protocolBinding }) => `${protocolBinding} ${url}`));
    const [entry] = read(card).metadata.endpoints as unknown as [typeof current];
    expect(named(entry.supportedInterfaces)).toEqual(named(official.supportedInterfaces));
  });

  it("accepts a card with only a name and a URL", () => {
    const { metadata, offers } = read({ name: "Agent", url: "https://example.com/rpc", capabilities: {} });
    expect(offers).toEqual([]);
    expect(metadata).toEqual({
      name: "Agent",
      traits: ["api:a2a"],
      endpoints: [
        {
          name: "A2A",
          endpoint: URL,
          supportedInterfaces: [{ url: "https://example.com/rpc", protocolBinding: "JSONRPC" }],
          capabilities: {},
        },
      ],
    });
  });

  it("ignores values of the wrong type", () => {
    const { metadata } = read({
      name: "Agent",
      description: { text: "no" },
      supportedInterfaces: [null, "x", { url: 1 }],
      skills: [{ tags: ["ok", 1, null] }, 7],
      provider: "Example",
      securitySchemes: { a: { type: "oauth2", flows: [] }, b: null, __proto__: { type: "http" } },
    });
    expect(metadata).toMatchObject({ name: "Agent", traits: ["api:a2a", "ok"] });
    expect(metadata).not.toHaveProperty("description");
  });
});
