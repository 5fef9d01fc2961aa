import { checkPublishable, Interfaces, type JsonObject } from "@app-registry/sdk";
import { serveFiles, serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../../fetch/guardedFetch.ts";
import { discoverService } from "../discoverService.ts";
import { isRegistrationFile, registrationFinding } from "./registrationFinding.ts";

const FILE_URL = "https://agent.example.com/agent.json";
const TYPE = "https://eips.ethereum.org/EIPS/eip-8004#registration-v1";
const about = { type: TYPE, name: "Images", description: "Draws images." };
const WALLET = "eip155:10:0x0000000000000000000000000000000000000001";

const read = (...services: object[]) =>
  registrationFinding({ ...about, services } as unknown as JsonObject, FILE_URL);
const at = "https://agent.example.com";

describe("registrationFinding", () => {
  it.each([
    ["MCP", "mcp", `${at}/mcp`, "MCP", "api:mcp"],
    ["A2A", "a2a", `${at}/card`, "A2A", "api:a2a"],
    ["REST", "rest", `${at}/v1`, "REST", "api:rest"],
    ["rest-api", "rest-api", `${at}/v1`, "REST", "api:rest"],
    ["JSON-RPC", "json-rpc", `${at}/rpc`, "JSON-RPC", "api:jsonrpc"],
    ["WebSocket", "websocket", "wss://agent.example.com/ws", "WebSocket", "api:websocket"],
  ])("converts %s, in any capitals, to an endpoint", (written, lower, endpoint, name, trait) => {
    for (const service of [
      { name: written, endpoint, version: "1.0" },
      { name: lower, endpoint, version: "1.0" },
      { type: written, url: endpoint, version: "1.0" },
    ]) {
      const { interfaces, metadata } = read(service);
      expect(interfaces).toBe(Interfaces.Api);
      expect(metadata.traits).toEqual([trait]);
      expect(metadata.endpoints).toMatchObject([{ name, endpoint, interfaceVersions: ["1.0"] }]);
      const did = "did:web:agent.example.com";
      expect(checkPublishable({ ...metadata, publisher: "P" }, interfaces, did)).toEqual([]);
    }
  });

  it.each(["OpenAPI", "swagger"])("takes the document of %s for a schema, not for an endpoint", (name) => {
    const document = { name, endpoint: `${at}/openapi.json`, version: "3.1.0" };
    const described = read(document);
    expect(described).toMatchObject({ interfaces: Interfaces.Api, metadata: { traits: ["api:rest"] } });
    expect(described.metadata.endpoints).toEqual([{ name: "REST", schemaUrl: document.endpoint }]);
    expect(described.notes).toEqual([
      "The registration file names only the description of its API. Enter the API's own address as the endpoint.",
    ]);
    const api = { name: "API", endpoint: `${at}/v1`, version: "2" };
    for (const services of [
      [document, api],
      [api, document],
    ]) {
      const { metadata, notes } = read(...services);
      expect(metadata.endpoints).toEqual([
        { name: "REST", endpoint: `${at}/v1`, interfaceVersions: ["2"], schemaUrl: `${at}/openapi.json` },
      ]);
      expect(notes).toBeUndefined();
    }
    const { metadata, notes } = read(document, { name: "MCP", endpoint: `${at}/mcp` });
    expect(metadata).toMatchObject({ endpoints: [{ name: "MCP" }], traits: ["api:mcp"] });
    expect(notes?.[0]).toContain(`${name.toLowerCase()} (${document.endpoint})`);
  });

  it("names the services that may be APIs but don't become endpoints", () => {
    const { notes } = read(
      { name: "API", endpoint: `${at}/one` },
      { name: "API", endpoint: `${at}/two` },
      { name: "draw\u202e", endpoint: `${at}/draw` },
      { name: "web", endpoint: at },
      { name: "x402", endpoint: `${at}/paid` },
      { name: "x402", endpoint: `${at}/paid2` },
      { name: "wallet", endpoint: WALLET },
    );
    expect(notes).toEqual([
      `Not among the endpoints: api (${at}/two), draw\\u{202e} (${at}/draw). If these are APIs, add them under Endpoints.`,
    ]);
  });

  it.each([
    ["MCP", "https://www.npmjs.com/package/kiln-mcp", "This is the page of a package"],
    ["MCP", `${at}/mcp.json`, "This is a document."],
    ["MCP", `${at}/mcp/{agentId}`, "This address has a placeholder."],
    ["A2A", `${at}/agents/{agentId}/card`, "This address has a placeholder."],
    ["MCP", "http://localhost:3000/mcp", "Others can't reach this address."],
    ["A2A", `${at}/openapi.json`, "For an A2A agent, use the https URL of its agent card"],
  ])("leaves out %s at %s, and says why", (name, endpoint, reason) => {
    const { interfaces, metadata, notes } = read(
      { name, endpoint },
      { name: "OpenAPI", endpoint: `${at}/a.yaml` },
    );
    expect(interfaces).toBe(Interfaces.Api);
    expect(metadata).toMatchObject({
      traits: ["api:rest"],
      endpoints: [{ name: "REST", schemaUrl: `${at}/a.yaml` }],
    });
    expect(notes?.[0]).toContain(`Not among the endpoints: ${name.toLowerCase()} (${endpoint}): ${reason}`);
  });

  it("returns the version and the author", () => {
    const file = { ...about, version: "v8.1", author: "Ada Example" };
    expect(registrationFinding(file, FILE_URL)).toMatchObject({
      version: "8.1.0",
      metadata: { publisher: "Ada Example" },
    });
    const provider = { organization: "Kiln Ltd" };
    expect(registrationFinding({ ...about, provider }, FILE_URL).metadata.publisher).toBe("Kiln Ltd");
    const other = { ...about, version: "next", author: { name: "Ada" }, publisher: "Example Ltd" };
    const { metadata, notes, ...finding } = registrationFinding(other, FILE_URL);
    expect(finding).not.toHaveProperty("version");
    expect(metadata.publisher).toBe("Example Ltd");
    expect(notes).toEqual([expect.stringMatching(/version, "next", isn't/)]);
  });

  it("takes the website of an agent with an API for its external URL alone", () => {
    const finding = read({ name: "web", endpoint: at }, { name: "MCP", endpoint: `${at}/mcp` });
    expect(finding).toMatchObject({ interfaces: Interfaces.Api, metadata: { external_url: at } });
    expect(finding.metadata).not.toHaveProperty("platforms");
  });

  it("converts a website to the platform web", () => {
    expect(read({ name: "web", endpoint: at })).toMatchObject({
      interfaces: Interfaces.Human,
      metadata: { external_url: at, platforms: { web: { launchUrl: at } }, traits: [] },
    });
  });

  it("converts x402 to a payment, and to an endpoint unless it is a document", () => {
    expect(read({ name: "x402", endpoint: `${at}/draw` })).toMatchObject({
      interfaces: Interfaces.Api,
      metadata: {
        payments: [{ type: "x402", url: `${at}/draw` }],
        endpoints: [{ name: "x402", endpoint: `${at}/draw` }],
        traits: ["api:rest", "pay:x402"],
      },
    });
    const listed = read({ name: "x402", endpoint: `${at}/.well-known/x402.json` });
    expect(listed).toMatchObject({ interfaces: 0, metadata: { traits: ["pay:x402"] } });
    expect(listed.metadata).not.toHaveProperty("endpoints");
  });

  it("converts an email address to the support URL, and OASF skills and domains to traits", () => {
    const { metadata, interfaces } = read(
      { name: "email", endpoint: "help@example.com" },
      {
        name: "OASF",
        endpoint: "ipfs://bafy",
        skills: ["computer_vision/image_generation", 7, { name: "x" }],
        domains: ["media_and_entertainment/art", "two words"],
      },
    );
    expect(metadata).toMatchObject({
      supportUrl: "mailto:help@example.com",
      traits: ["image_generation", "art"],
    });
    expect(interfaces).toBe(0);
  });

  it.each([
    ["agentWallet", WALLET],
    ["x-anything", `${at}/anything`],
    ["constructor", at],
    ["MCP", "ipfs://bafy"],
    ["A2A", "images.eth"],
  ])("keeps %s %s among the services, without an interface", (name, endpoint) => {
    const { interfaces, metadata } = read({ name, endpoint, version: "v1" });
    expect(metadata.services).toEqual([{ name, endpoint, version: "v1" }]);
    expect(interfaces).toBe(0);
    expect(metadata.traits).toEqual([]);
    expect(metadata).not.toHaveProperty("endpoints");
  });

  it.each(["services", "endpoints"])("reads ten thousand %s", (field) => {
    const list = Array.from({ length: 10_000 }, (_, index) => ({
      name: ["MCP", "x402", "OASF", "web", "email"][index % 5],
      endpoint: `${at}/${index}`,
      skills: [`a/b${index}`],
    }));
    const { metadata, offers } = registrationFinding({ ...about, [field]: list } as JsonObject, FILE_URL);
    expect(offers).toEqual(["10000 services"]);
    expect(metadata.endpoints).toHaveLength(2);
    expect(metadata.payments).toHaveLength(100);
    expect(metadata.traits).toHaveLength(20);
  });

  it("ignores services of the wrong type", () => {
    const file = { ...about, services: [null, "MCP", 7, [], { name: 1, endpoint: 2 }, { name: "MCP" }] };
    expect(registrationFinding(file as unknown as JsonObject, FILE_URL)).toMatchObject({
      interfaces: 0,
      offers: [],
    });
    for (const services of ["MCP", { MCP: at }, null])
      expect(registrationFinding({ ...about, services }, FILE_URL).interfaces).toBe(0);
  });
});

describe("isRegistrationFile", () => {
  it("accepts a type among others", () => {
    expect(isRegistrationFile({ type: ["https://example.com/card", TYPE] }, FILE_URL)).toBe(true);
    expect(isRegistrationFile({ type: ["https://example.com/card", 1] }, FILE_URL)).toBe(false);
  });

  it("accepts a file with services and registrations, or at the well-known path", () => {
    const place = "https://example.com/.well-known/agent-registration.json";
    const file = { name: "Agent", services: [] };
    expect(isRegistrationFile(file, FILE_URL)).toBe(false);
    expect(isRegistrationFile({ ...file, registrations: [] }, FILE_URL)).toBe(true);
    expect(isRegistrationFile(file, place)).toBe(true);
    expect(isRegistrationFile({ name: "Agent", registrations: [] }, place)).toBe(false);
  });
});

describe("discoverService, for a registration file", () => {
  const source = { guardedFetch: createGuardedFetch({ allowLoopback: true }) };

  it("reads the documents of APIs before other links", async () => {
    const origin: string = await serveHttp((request, response) => {
      const links = ["blog", "docs", "GitHub", "news"].map((name) => ({
        name,
        endpoint: `${origin}/${name}`,
      }));
      const files: Record<string, object> = {
        "/agent.json": { ...about, services: [...links, { name: "A2A", endpoint: `${origin}/card` }] },
        "/card": { name: "Card", supportedInterfaces: [] },
      };
      const file = files[request.url ?? ""];
      response.writeHead(file ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(file));
    });
    const { findings } = await discoverService(`${origin}/agent.json`, source);
    expect(findings.map(({ kind }) => kind)).toEqual(["erc8004", "a2a"]);
  });

  it("does not follow registration files that link to each other", async () => {
    const requested: string[] = [];
    const origin: string = await serveHttp((request, response) => {
      requested.push(request.url ?? "");
      const services = ["/a.json", "/b.json", "/c.json"].map((path) => ({
        name: "A2A",
        endpoint: origin + path,
      }));
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ ...about, services }));
    });
    const { findings } = await discoverService(`${origin}/a.json`, source);
    expect(findings).toHaveLength(3);
    expect(requested.filter((path) => path.endsWith(".json")).toSorted()).toEqual([
      "/a.json",
      "/b.json",
      "/c.json",
    ]);
  });

  it("reads a file without APIs that is an agent card as well as one", async () => {
    const skills = [{ id: "draw", name: "Draw", description: "Draws.", tags: ["drawing"] }];
    const { origin, files } = await serveFiles();
    const card = { ...about, url: origin, skills, registrations: [], endpoints: [{ name: "x", url: "/x" }] };
    files.set("/agent.json", JSON.stringify(card));
    const { findings } = await discoverService(`${origin}/agent.json`, source);
    expect(findings).toMatchObject([{ kind: "a2a", metadata: { endpoints: [{ name: "A2A", skills }] } }]);
  });
});
