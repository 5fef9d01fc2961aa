import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { appPath, connectAppRegistry, getProvenSubject, publishApp } from "@app-registry/sdk";
import { type McpTestServer, startMcpServer } from "@app-registry/test-kit/mcpServer";
import { patience } from "@app-registry/test-kit/vitestProjects";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, type Page } from "@playwright/test";
import { build, type PreviewServer, preview } from "vite";
import { registerAnyHost } from "./support/anyHost.ts";
import { testAccount } from "./support/chain.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { test } from "./support/test.ts";

test.describe("the example that verifies in the browser", () => {
  const root = fileURLToPath(new URL("../../../examples/verify-in-browser/", import.meta.url));
  const registry = process.env.E2E_BASE_URL ?? "http://localhost:3000";
  const publisher = testAccount(6);

  /** Returns the metadata of a service at its DID's host. */
  const getMetadata = (did: string) => ({
    name: "Weather",
    description: "Forecasts for every town",
    publisher: "Example Ltd",
    traits: ["api:rest"],
    endpoints: [{ name: "REST", endpoint: `http://${getProvenSubject(did).name}/v1` }],
  });

  let site: string;
  let server: PreviewServer;
  let origin: string;
  let host: DidServer;

  test.beforeAll(async () => {
    site = await mkdtemp(join(tmpdir(), "verify-in-browser-"));
    const options = {
      root,
      configFile: false,
      logLevel: "warn",
      build: { outDir: site, emptyOutDir: true },
    } as const;
    await build(options);
    server = await preview({ ...options, preview: { port: 0, host: "localhost" } });
    origin = new URL(server.resolvedUrls?.local[0] ?? "").origin;
    host = await startDidServer(publisher.address);
  });

  test.afterAll(async () => {
    await host.close();
    await server.close();
    await rm(site, { recursive: true });
  });

  async function publish(did: string): Promise<void> {
    const client = await connectAppRegistry(registry, { account: publisher });
    await publishApp({ client, did, version: "1.0.0", interfaces: 2, metadata: getMetadata(did) });
  }

  /** Fills in the example's form and waits for its result. */
  async function verify(page: Page, did: string) {
    await page.goto(origin);
    await page.getByLabel("Registry").fill(registry);
    await page.getByLabel("DID").fill(did);
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByRole("button", { name: "Verify" })).toBeEnabled();
    const result = page.getByRole("status", { name: "Result" });
    await expect(result).not.toHaveText("Verifying …");
    return result;
  }

  test("the example shows who controls a service and the result of each fact", async ({ page }) => {
    const did = host.did("weather");
    await publish(did);
    await expect(await verify(page, did)).toHaveText(
      `Controlled by an account at ${getProvenSubject(did).name}`,
    );
    await expect(page.getByRole("term")).toHaveText([
      "record: pass",
      "control: pass",
      "content: pass",
      "attested: pass",
      "origin: pass",
    ]);
    await expect(page.getByRole("definition").nth(1)).toContainText("controls the DID: attested by 0x");
  });
});

test.describe("the guard", () => {
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
    const command = await panel.locator("pre:visible").first().textContent();
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
    // A busy machine may take longer to start the program than a client waits by default.
    await client.connect(transport, { timeout: patience.testTimeout });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["add"]);
    await client.close();
    expect(await readdir(join(folder, "empty"))).toEqual([]);

    await tab("Direct").click();
    await expect(panel.locator("pre:visible").first()).toHaveText(`npx add-mcp ${host.origin}/guarded/mcp`);
  });
});
