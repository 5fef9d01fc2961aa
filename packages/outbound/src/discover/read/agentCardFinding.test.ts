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
              defaultInputModes: ["text/plain"],
              defaultOutputModes: ["text/plain"],
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

  it("preserves extensions, modes and prices", () => {
    const extension = { uri: "https://example.com/x402/v1", required: true, params: { network: "eip155:1" } };
    const card = {
      ...current,
      capabilities: { streaming: true, extensions: [extension] },
      pricing: { model: "per-request", amount: "0.01", currency: "USD" },
    };
    const { capabilities, defaultInputModes, defaultOutputModes, pricing } = card;
    expect(read(card).metadata.endpoints).toMatchObject([
      { capabilities, defaultInputModes, defaultOutputModes, pricing },
    ]);
  });

  const legacy = (authentication: unknown) => {
    const card = { name: "Old", url: "https://agent.example.com/a2a", skills, authentication };
    return (read(card).metadata.endpoints as JsonObject[])[0]?.authentication;
  };

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("copies no secret from the authentication of A2A 0.2", () => {
    const more = { credentials: "sk-live-1", token: "sk-live-2", extra: { password: "sk-live-3" } };
    const schemes = ["bearer", "Bearer sk-live-4aaaa", "sk_test_4eC39HqLyjWDarjtT1zdp7dc"];
    expect(legacy({ schemes, ...more })).toEqual({ bearer: {} });
    expect(legacy({ schemes: ["apiKey", "HMAC"] })).toEqual({ methods: ["apikey", "hmac"] });
  });

  it.each([{ schemes: ["None"] }, { schemes: { bearer: true } }, { schemes: [1, null] }])(
    "requires no method for the authentication %j",
    (authentication) => expect(legacy(authentication) ?? {}).not.toHaveProperty("methods"),
  );

  it("uses the first 100 of ten thousand interfaces", () => {
    const interfaces = Array.from({ length: 10_000 }, (_, index) => ({
      url: `https://agent.example.com/${index}`,
      protocolBinding: "JSONRPC",
      transport: "JSONRPC",
    }));
    const list = (card: object) => (read(card).metadata.endpoints as JsonObject[])[0]?.supportedInterfaces;
    expect(list({ ...current, supportedInterfaces: interfaces })).toHaveLength(100);
    expect(list({ ...older, additionalInterfaces: interfaces })).toHaveLength(100);
  });

  it.each([
    "http://localhost:9000/",
    "https://192.168.1.10/a2a",
    "http://[fd00::1]/",
    "http://agent:8000/",
    "http://agent.local./",
    "localhost:50051",
    "grpc://10.0.0.1:443",
    "https://user@localhost/",
    "https://agent.example.com/scorecard.html",
  ])("leaves out the address %s of no running agent, and names it", (url) => {
    const good = { url: "https://agent.example.com/rpc" };
    const notes = [
      `The agent card names "${url}", which isn't the public address of a running service. Enter its own address.`,
    ];
    expect(read({ ...current, supportedInterfaces: [good, { url }] })).toMatchObject({
      notes,
      metadata: { endpoints: [{ endpoint: URL, supportedInterfaces: [good] }] },
    });
    const { metadata, ...alone } = read({ ...current, supportedInterfaces: [{ url }] });
    expect(alone.notes).toEqual(notes);
    expect((metadata.endpoints as JsonObject[])[0]).not.toHaveProperty("endpoint");
  });

  it.each([
    "https://agent.example.com/rpc",
    "grpc.example.com:443",
    "https://[2606:4700::1111]/",
    "https://localhost.example.com/",
    "",
  ])("does not warn about %j", (url) => {
    const interfaces = [{ url: "https://agent.example.com/rpc" }, { url }];
    expect(read({ ...current, supportedInterfaces: interfaces })).not.toHaveProperty("notes");
  });

  it("names the first of many private addresses, and accepts them on a loopback host", () => {
    const card = {
      ...current,
      supportedInterfaces: Array.from({ length: 50 }, (_, index) => ({ url: `http://localhost:${index}/` })),
    };
    expect(read(card).notes?.[0]).toMatch(/localhost:2\/" and 47 more, which/);
    expect(agentCardFinding(card as JsonObject, "http://127.0.0.1:3000/card.json")).not.toHaveProperty(
      "notes",
    );
  });

  it("notes that all interfaces are on another site", () => {
    const [far, near] = [{ url: "https://agent.example.net/rpc" }, { url: "https://example.com/rpc" }];
    expect(read({ ...current, supportedInterfaces: [far, { url: "other.example.org:443" }] }).notes).toEqual([
      "The agent is on another site, at https://agent.example.net/rpc. Only its controller can register it.",
    ]);
    expect(read({ ...current, supportedInterfaces: [far, near] })).not.toHaveProperty("notes");
  });

  it("notes a version of another form", () => {
    expect(read({ ...current, version: "2024-10" }).notes).toEqual([
      `The document's version, "2024-10", isn't major.minor.patch with numbers from 0 to 255. Choose the version to publish yourself.`,
    ]);
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

describe("agentCardFinding, with an address that can't be called", () => {
  it.each([
    ["ENTER_THE_A2A_ENDPOINT"],
    ["https://your-agent.example/a2a"],
    ["/a2a"],
    ["the agent's endpoint"],
    ["https://github.com/weather/agent"],
  ])("creates no endpoint for %s, and names it", (address) => {
    for (const card of [
      { ...shared, url: address },
      { ...shared, supportedInterfaces: [{ url: address, protocolBinding: "JSONRPC" }] },
    ]) {
      const { metadata, notes } = agentCardFinding(card as unknown as JsonObject, URL);
      const [entry] = metadata.endpoints as JsonObject[];
      expect(entry).not.toHaveProperty("endpoint");
      expect(entry).not.toHaveProperty("supportedInterfaces");
      expect(notes).toEqual([
        `The agent card names "${address}", which isn't the public address of a running service. Enter its own address.`,
      ]);
    }
  });

  it("keeps the other interfaces", () => {
    const interfaces = ["https://agent.example.com/a2a", "<url>", "grpc.example.com:443"].map((url) => ({
      url,
      protocolBinding: "JSONRPC",
    }));
    const card = { ...shared, supportedInterfaces: interfaces } as unknown as JsonObject;
    const [entry] = agentCardFinding(card, URL).metadata.endpoints as JsonObject[];
    expect(entry).toMatchObject({ endpoint: URL, supportedInterfaces: [interfaces[0], interfaces[2]] });
  });

  it("notes skills that are only texts, and reads the provider's name", () => {
    const card = { ...shared, url: "https://agent.example.com/a2a", skills: ["plan", "draw"] };
    const { metadata, notes } = agentCardFinding({ ...card, provider: { name: "Maps Ltd" } }, URL);
    expect(metadata.publisher).toBe("Maps Ltd");
    expect(notes).toEqual([
      "Skills that are only texts are left out: A2A requires an object with an id and a description for each.",
    ]);
  });
});

describe("isAgentCard", () => {
  it.each([[[{ name: "quote", endpoint: "/quote" }]], [{ mcp: { endpoint: "/mcp" } }]])(
    "returns false for another format, with the capabilities %j and no skills",
    (capabilities) => {
      expect(isAgentCard({ name: "Swap", url: "https://swap.example.com", capabilities })).toBe(false);
    },
  );
});
