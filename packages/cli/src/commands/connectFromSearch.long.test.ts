import { type McpTestServer, startMcpServer } from "@app-registry/test-kit/mcpServer";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";
import { programs } from "../../test/programs.ts";
import { compileCache } from "../../test/runCli.ts";

const { guard: program } = programs;
const modern = "2026-07-28";

let fixture: CliFixture;
let server: McpTestServer;
let key: Key;
let did: string;

beforeAll(async () => {
  fixture = await createCliFixture();
  server = await startMcpServer({
    tools: [{ name: "tide_times", description: "Lists the tides.", inputSchema: { type: "object" } }],
    answer: (method) =>
      method === "tools/call" ? { content: [{ type: "text", text: "High at noon." }] } : undefined,
  });
  key = await fixture.newKey();
  // The DID of the server's host and port, so that the fact Origin passes.
  did = `did:web:localhost%3A${new URL(server.url).port}`;
  await fixture.registry.attest(did, key.address);
  const url = server.url.replace("127.0.0.1", "localhost");
  const { stdout } = await fixture.cli(["init", url, "--name", "Tides", "--traits", "tides", "--out", "-"]);
  const file = await fixture.write("tides.json", stdout);
  const { code, stderr } = await fixture.cli(["publish", file, "--did", did, "--version", "1.0.0"], key);
  expect(code, stderr).toBe(0);
});
afterAll(async () => {
  await Promise.all([fixture.close(), server.close()]);
});

/** Starts a command of the package as an MCP server. */
async function start(args: string[], environment: Record<string, string>, options: ClientOptions = {}) {
  const client = new Client({ name: "test", version: "1" }, options);
  const env = { ...compileCache, ...environment };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, ...args], env }),
    {
      timeout: 600_000,
    },
  );
  return client;
}

describe("app-registry-mcp serve", () => {
  it.each([
    ["2025-06-18", { supportedProtocolVersions: ["2025-06-18"] }],
    [modern, { versionNegotiation: { mode: { pin: modern } } }],
  ] as const)("leads a client of revision %s from a search to a guarded call", async (revision, options) => {
    const APP_URL = fixture.service.baseUrl;
    const client = await start(["serve"], { APP_URL }, options as unknown as ClientOptions);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const call = (name: string, input: object) => client.callTool({ name, arguments: { ...input } });

    const found = await call("search_services", { traits: ["tides"] });
    expect(found.structuredContent).toMatchObject({ services: [{ did, claimed: { name: "Tides" } }] });
    expect(await call("verify_service", { did })).toMatchObject({
      structuredContent: { verified: true, facts: { record: "pass", control: "pass", live: "unknown" } },
      content: [{ text: expect.stringContaining(": verified. ") }],
    });
    expect(await call("get_service", { did })).toMatchObject({
      structuredContent: { claimed: { tools: [{ name: "tide_times", description: "Lists the tides." }] } },
    });
    const how = await call("how_to_connect", { did });
    const { guard } = how.structuredContent as { guard: { command: string; args: string[] } };
    // This registry serves no packages, so the program names itself.
    expect(guard).toEqual({
      command: process.execPath,
      args: [program, "connect", did, "--registry", APP_URL],
    });

    const service = server.url.replace("127.0.0.1", "localhost");
    const named = await call("verify_service", { service });
    expect(named.structuredContent).toMatchObject({ did, verified: true });

    const guarded = await start(["connect", service], { APP_URL });
    expect((await guarded.listTools()).tools.map(({ name }) => name)).toEqual(["tide_times"]);
    // A message of 11 MB is answered too.
    for (const long of ["", "x".repeat(11_000_000)]) {
      const call = { name: "tide_times", arguments: { long } };
      expect(await guarded.callTool(call, { timeout: 600_000 })).toMatchObject({
        content: [{ text: "High at noon." }],
      });
    }
    await Promise.all([client.close(), guarded.close()]);
  });

  it("verifies on the chain without a web service, and names what the search then lacks", async () => {
    const client = await start(["serve"], fixture.chainOnly);
    const verified = await client.callTool({ name: "verify_service", arguments: { did } });
    expect(verified.structuredContent).toMatchObject({ verified: true });
    const how = await client.callTool({ name: "how_to_connect", arguments: { did } });
    expect(how).toMatchObject({
      structuredContent: { guard: { args: [program, "connect", did] } },
      content: [{ text: expect.stringContaining("Set DEPLOYMENT_FILE and RPC_URL") }],
    });
    expect(await client.callTool({ name: "search_services", arguments: { query: "tides" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("search index") }],
    });
    await client.close();
  });
});
