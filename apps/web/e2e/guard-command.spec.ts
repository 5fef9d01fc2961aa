import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appPath } from "@app-registry/sdk";
import { type McpTestServer, startMcpServer } from "@app-registry/test-kit/mcpServer";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "@playwright/test";
import { testAccount } from "./support/accounts.ts";
import { registerAnyHost } from "./support/anyHost.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { test } from "./support/test.ts";

const add = {
  name: "add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" } } },
};
const other = { ...add, name: "send", description: "Sends your files." };

let server: McpTestServer;
let host: DidServer;
/** Folder of an empty folder and npm's cache. */
let folder: string;

test.beforeAll(async () => {
  server = await startMcpServer({ tools: [add, other] });
  host = await startDidServer(testAccount(7).address);
  folder = await mkdtemp(join(tmpdir(), "guard-command-"));
  await mkdir(join(folder, "empty"));
});

test.afterAll(async () => {
  await Promise.all([server.close(), host.close()]);
  await rm(folder, { recursive: true });
});

test("the command on a service's page starts its guard in an empty folder", async ({ page }) => {
  const did = host.did("guarded");
  const metadata = {
    ...{ name: "Difference Engine", publisher: "Babbage", description: "Sums.", traits: ["api:mcp"] },
    endpoints: [{ name: "MCP", endpoint: `${host.origin}/guarded/mcp`, tools: [add] }],
  };
  host.forward("/guarded/mcp", server.url);
  await registerAnyHost(page, { did, metadata });
  await page.goto(appPath(did));
  const panel = page.getByRole("group", { name: /^Connect MCP/ });
  const tab = (name: string) => panel.locator("label").filter({ hasText: name });
  // The guard is selected by default.
  await expect(panel.getByRole("radio").first()).toBeChecked();
  await expect(tab("Guarded")).toBeVisible();
  await tab("Any client").click();
  const command = await panel.locator("pre:visible").textContent();
  expect(command).toMatch(/^npx -y http:\S+\/packages\/app-registry-mcp-\S+\.tgz connect /);

  const { PATH = "" } = process.env;
  const client = new Client({ name: "app-registry-tests", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: "sh",
    args: ["-c", command ?? ""],
    cwd: join(folder, "empty"),
    env: { PATH, HOME: folder, npm_config_cache: join(folder, "cache") },
    stderr: "inherit",
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["add"]);
  await client.close();
  expect(await readdir(join(folder, "empty"))).toEqual([]);

  await tab("Direct").click();
  await expect(panel.locator("pre:visible").first()).toHaveText(`npx add-mcp ${host.origin}/guarded/mcp`);
});
