import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { type McpTestServer, startMcpServer } from "@app-registry/test-kit/mcpServer";
import type { ClientOptions } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createGuardFixture, type GuardFixture } from "../../test/guardFixture.ts";
import { startModernSdkServer } from "../../test/sdkServer.ts";

const old = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const modern = "2026-07-28";

const echo = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { message: { type: "string", "x-mcp-header": "Said" } } },
};

const createClient = (revision: string): ClientOptions =>
  revision === modern
    ? { versionNegotiation: { mode: { pin: modern } } }
    : { supportedProtocolVersions: [revision] };

let fixture: GuardFixture;
let server: McpTestServer;
let did: string;

beforeAll(async () => {
  fixture = await createGuardFixture();
  server = await startMcpServer({
    tools: [echo],
    resources: [{ uri: "docs://manual", name: "manual" }],
    prompts: [{ name: "greet" }],
    answer: (method, params) => {
      const { message } = (params.arguments ?? {}) as { message?: string };
      if (method === "tools/call") return { content: [{ type: "text", text: `Echo: ${message}` }] };
      if (method === "resources/read") return { contents: [{ uri: "docs://manual", text: "Read me." }] };
      if (method === "prompts/get") return { messages: [] };
      return undefined;
    },
  });
  did = await fixture.publish(server.url);
});

afterAll(async () => {
  await Promise.all([fixture.close(), server.close()]);
});

/** Calls `echo` through the guard with clients of some revisions, and checks the negotiated revisions. */
async function echoes(service: string, revisions: string[]): Promise<void> {
  await Promise.all(
    revisions.map(async (revision) => {
      const { client, end } = await fixture.connect(service, { client: createClient(revision) });
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
      const { content } = await client.callTool({ name: "echo", arguments: { message: revision } });
      expect(content).toEqual([{ type: "text", text: `Echo: ${revision}` }]);
      await end();
    }),
  );
}

describe("clients of both generations", () => {
  it.each([...old, modern])("use a server of revision %s", async (revision) => {
    server.offered.revision = revision;
    server.log.length = 0;
    await echoes(did, [...old, modern]);
    const methods = server.log.map(({ method }) => method);
    expect(methods.includes("initialize")).toBe(revision !== modern);
    const call = server.log.find(({ method }) => method === "tools/call");
    expect(call?.headers["mcp-protocol-version"]).toBe(revision);
    expect(call?.headers["mcp-param-said"] !== undefined).toBe(revision === modern);
  });

  it.each(["streamableHttp", "sse"] as const)("use the reference server over %s", async (transport) => {
    const everything = await startEverythingServer(transport);
    onTestFinished(everything.stop);
    await echoes(await fixture.publish(everything.url), ["2025-11-25", modern]);
  });

  it("use a server of the SDK that rejects initialize", async () => {
    const sdk = await startModernSdkServer();
    onTestFinished(sdk.close);
    await echoes(await fixture.publish(sdk.url), ["2025-11-25", modern]);
  });
});

describe("a client that tries 2026-07-28 first", () => {
  it("uses revision 2026-07-28", async () => {
    server.offered.revision = "2025-06-18";
    const { client, end } = await fixture.connect(did, { client: { versionNegotiation: { mode: "auto" } } });
    expect(client.getNegotiatedProtocolVersion()).toBe(modern);
    expect(await client.readResource({ uri: "docs://manual" })).toMatchObject({
      contents: [{ text: "Read me." }],
    });
    expect(await client.getPrompt({ name: "greet" })).toMatchObject({ messages: [] });
    expect(await end()).toMatch(/^Connected to did:web:/m);
  });
});

describe("the guard", () => {
  it("answers a message of 11 MB from the client", async () => {
    server.offered.revision = "2025-06-18";
    const { client, end } = await fixture.connect(did, { program: "guard" });
    const params = { name: "echo", arguments: { message: "short", long: "x".repeat(11_000_000) } };
    const { content } = await client.callTool(params, { timeout: 600_000 });
    expect(content).toEqual([{ type: "text", text: "Echo: short" }]);
    await end();
  });

  it.each([401, 403, 405, 500])("uses initialize if server/discover ends with HTTP %i", async (status) => {
    server.offered.revision = "2025-06-18";
    server.offered.raw = ({ method }, response) => {
      if (method !== "server/discover") return false;
      response.writeHead(status).end("No");
      return true;
    };
    const { client, end } = await fixture.connect(did);
    expect((await client.listTools()).tools).toEqual([echo]);
    server.offered.raw = undefined;
    await end();
  });

  it("reports an unsupported revision of a server in one sentence", async () => {
    server.offered.revision = "2099-01-01";
    const { code, stderr } = await fixture.cli(["connect", did, "--without", "origin"]);
    server.offered.revision = "2025-06-18";
    expect(stderr).toContain("The service doesn't support a revision of MCP that this command knows.");
    expect(stderr).not.toContain("2099");
    expect(code).toBe(1);
  });
});
