import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { appPath } from "@app-registry/sdk";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { patience } from "@app-registry/test-kit/vitestProjects";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "@playwright/test";
import { build, preview } from "vite";
import { registerAnyHost } from "./support/registry.ts";
import { test } from "./support/test.ts";

test("the example that verifies in the browser shows who controls a service and each fact", async ({
  page,
  baseURL,
}) => {
  const site = await mkdtemp(join(tmpdir(), "verify-in-browser-"));
  const options = {
    root: fileURLToPath(new URL("../../../examples/verify-in-browser/", import.meta.url)),
    configFile: false,
    logLevel: "warn",
    build: { outDir: site, emptyOutDir: true },
  } as const;
  await build(options);
  const server = await preview({ ...options, preview: { port: 0, host: "localhost" } });
  const did = "did:web:forecasts.example";
  const metadata = {
    ...{ name: "Weather", description: "Forecasts for every town", publisher: "Example Ltd" },
    traits: ["api:rest"],
    endpoints: [{ name: "REST", endpoint: "https://forecasts.example/v1" }],
  };
  await registerAnyHost(baseURL, { did, metadata });

  await page.goto(server.resolvedUrls?.local[0] ?? "");
  await page.getByLabel("Registry").fill(baseURL ?? "");
  await page.getByLabel("DID").fill(did);
  await page.getByRole("button", { name: "Verify" }).click();
  const result = page.getByRole("status", { name: "Result" });
  await expect(result).toHaveText("Controlled by forecasts.example");
  await expect(page.getByRole("term")).toHaveText([
    "record: pass",
    "control: pass",
    "content: pass",
    "attested: pass",
    "origin: pass",
  ]);
  await expect(page.getByRole("definition").nth(1)).toContainText("controls the DID: attested by 0x");
  await server.close();
  await rm(site, { recursive: true });
});

test("the guard's command on a service's page starts in an empty folder", async ({ page, baseURL, host }) => {
  const add = {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: { type: "object", properties: { a: { type: "number" } } },
  };
  const server = await startMcpServer({ tools: [add, { ...add, name: "send" }] });
  // The program gets npm's cache and an empty folder.
  const folder = await mkdtemp(join(tmpdir(), "guard-command-"));
  const empty = join(folder, "empty");
  await mkdir(empty);
  const did = host.root;
  const metadata = {
    ...{ name: "Difference Engine", publisher: "Babbage", description: "Sums.", traits: ["api:mcp"] },
    endpoints: [{ name: "MCP", endpoint: `${host.origin}/mcp`, tools: [add] }],
  };
  host.forward("/mcp", server.url);
  await registerAnyHost(baseURL, { did, metadata });
  await page.goto(appPath(did));
  const panel = page.getByRole("group", { name: /^Connect MCP/ });
  const tab = (name: string) => panel.locator("label").filter({ hasText: name });
  // The guard is selected by default.
  await expect(panel.getByRole("radio").first()).toBeChecked();
  await expect(tab("Guarded")).toBeVisible();
  await tab("Any client").click();
  const command = await panel.locator("pre:visible").first().textContent();
  expect(command).toMatch(/^npx -y http:\S+\/packages\/app-registry-mcp-\S+\.tgz connect /);

  const { PATH = "" } = process.env;
  const client = new Client({ name: "app-registry-tests", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: "sh",
    args: ["-c", command ?? ""],
    cwd: empty,
    env: { PATH, HOME: folder, npm_config_cache: join(folder, "cache") },
    stderr: "inherit",
  });
  // A busy machine may take longer to start the program than a client waits by default.
  await client.connect(transport, { timeout: patience.testTimeout });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["add"]);
  await client.close();
  expect(await readdir(empty)).toEqual([]);

  await tab("Direct").click();
  await expect(panel.locator("pre:visible").first()).toHaveText(`npx add-mcp ${host.origin}/mcp`);
  await server.close();
  await rm(folder, { recursive: true });
});
