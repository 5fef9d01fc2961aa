import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEverythingServer } from "../../../outbound/test/everythingServer.ts";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";
import { type McpTestServer, startMcpServer } from "../../test/mcpServer.ts";
import { compileCache } from "../../test/runCli.ts";

const program = fileURLToPath(new URL("../../bin/app-registry.js", import.meta.url));

let fixture: CliFixture;
let key: Key;
let everything: Awaited<ReturnType<typeof startEverythingServer>>;
let server: McpTestServer;

const pay = { name: "pay", description: "Pays a bill.", inputSchema: { type: "object" } };

beforeAll(async () => {
  [fixture, everything] = await Promise.all([createCliFixture(), startEverythingServer()]);
  server = await startMcpServer({
    tools: [pay],
    answer: (method) => (method === "tools/call" ? { content: [{ type: "text", text: "paid" }] } : undefined),
  });
  key = await fixture.newKey();
});

afterAll(async () => {
  await Promise.all([fixture.close(), everything.stop(), server.close()]);
});

/** Publishes what `init` reads of a server, as version 1.0.0 or the one that is named. */
async function publish(url: string, did = fixture.newDid(key), version = "1.0.0"): Promise<string> {
  const { stdout } = await fixture.cli(["init", url, "--name", did, "--out", "-"]);
  const file = await fixture.write(`${encodeURIComponent(did)}-${version}.json`, stdout);
  const command = version === "1.0.0" ? "publish" : "update";
  const { code, stderr } = await fixture.cli([command, file, "--did", did, "--version", version], key);
  expect(code, stderr).toBe(0);
  return did;
}

/** An MCP client that starts the command, as those of agents do. */
async function connect(did: string, ...options: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "connect", did, ...options],
    env: { ...compileCache, APP_URL: fixture.service.baseUrl, TOKEN: "secret" },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  const notes = transport.stderr ? text(transport.stderr as Readable) : "";
  await client.connect(transport);
  return {
    client,
    /** Ends the connection. @returns what the command told its user */
    end: async () => {
      await client.close();
      return notes;
    },
  };
}

describe("connect", () => {
  it("stands before a real MCP server, whose tools can be called through it", async () => {
    const { client, end } = await connect(await publish(everything.url), "--without", "origin");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("echo");
    const result = await client.callTool({ name: "echo", arguments: { message: "hello" } });
    expect(result.content).toEqual([{ type: "text", text: "Echo: hello" }]);
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(0);
    const { contents } = await client.readResource({ uri: String(resources[0]?.uri) });
    expect(contents).toHaveLength(1);
    expect(await end()).toMatch(/^Connected to did:web:/m);
  });

  it("refuses a tool that was changed until the publisher registers it, with the user's header", async () => {
    const did = await publish(server.url);
    const { client, end } = await connect(
      did,
      ...["--without", "origin", "--header", `Authorization: Bearer \${TOKEN}`],
    );
    expect(await client.callTool({ name: "pay" })).toMatchObject({ content: [{ text: "paid" }] });
    server.offered.tools = [{ ...pay, description: "Pays a bill, twice." }];
    await expect(client.callTool({ name: "pay" })).rejects.toThrow(
      `The tool pay of ${did} is blocked: it differs from the registered version (version 1.0.0).`,
    );
    await publish(server.url, did, "1.0.1");
    await expect
      .poll(() => client.callTool({ name: "pay" }).catch(() => undefined), { timeout: 20_000 })
      .toMatchObject({ content: [{ text: "paid" }] });
    expect(server.log.at(-1)?.headers.authorization).toBe("Bearer secret");
    const notes = await end();
    expect(notes).toContain('- description: "Pays a bill."');
    expect(notes).toContain(`Now using version 1.0.1 of ${did}.`);
    expect(notes).not.toContain("secret");
  });

  it("does not begin when a fact fails, and says which", async () => {
    const { code, stderr } = await fixture.cli(["connect", await publish(everything.url)]);
    expect(stderr).toMatch(/Verification of did:web:\S+ failed: origin fails: /);
    expect(stderr).toContain("--without origin");
    expect(code).toBe(1);
  });

  it.each([
    [["--without", "luck"], /"luck" is not a fact/],
    [["--header", "nothing"], /--header must have the form Name: value/],
    [["--header", `Authorization: \${NO_SUCH}`], /--header uses NO_SUCH, which is not set/],
    [["--on-drift", "pray"], /allowed choices are block, warn, allow/i],
    [["--json"], /connect doesn't support --json/],
  ])("refuses %j", async (options, message) => {
    const { code, stderr, stdout } = await fixture.cli(["connect", "did:web:a.example", ...options]);
    expect(`${stderr}${stdout}`).toMatch(message);
    expect(code).toBe(2);
  });
});
