import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { testAccount } from "./support/accounts.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { startEverythingServer } from "./support/everythingServer.ts";
import { interactionsOf, noteInteractions } from "./support/interactions.ts";
import { deployOwnable } from "./support/ownableContract.ts";
import { test } from "./support/test.ts";

const ACCOUNT = "Test account 1";
/** Clicks, pastes, Enters, signatures and edited fields together. */
const MOST_INTERACTIONS = 10;

let host: DidServer;

test.beforeEach(async ({ page }) => {
  host = await startDidServer(testAccount(1).address);
  await noteInteractions(page);
});
test.afterEach(() => host.close());

/** Registers what is at an address, writing only what was not found, and counts what that takes. */
async function register(
  page: Page,
  { address, did, texts = {} }: { address: string; did: string; texts?: Record<string, string> },
): Promise<void> {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect(ACCOUNT);
  await wizard.look(address);
  await wizard.takeDid(did);
  await wizard.fill(texts);
  await page.getByRole("button", { name: "Review it" }).click();
  await page.getByRole("button", { name: "Publish the record" }).click();
  await wizard.confirm();
  await expect(wizard.published).toBeVisible({ timeout: 90_000 });
  const interactions = await interactionsOf(page);
  test.info().annotations.push({ type: "interactions", description: interactions.join("; ") });
  expect(interactions.length, interactions.join("\n")).toBeLessThanOrEqual(MOST_INTERACTIONS);
  await wizard.openPublished();
}

test("an MCP server is registered from its address alone", async ({ page }) => {
  const server = await startEverythingServer();
  host.forward("/mcp", server.url);
  await register(page, { address: `${host.origin}/mcp`, did: host.did() });
  const service = new ServicePage(page);
  await service.expectVerified();
  await expect(service.name).toHaveText("Everything Reference Server");
  server.close();
});

test("an A2A agent is registered from its domain", async ({ page }) => {
  host.serve("/.well-known/agent-card.json", {
    name: "Ticket Agent",
    description: "Sells tickets.",
    version: "1.2.0",
    supportedInterfaces: [
      { url: `${host.origin}/a2a/v1`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${host.origin}/a2a/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ],
    provider: { organization: "Example Ltd", url: host.origin },
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "buy", name: "Buy", description: "Buys a ticket.", tags: ["tickets", "Travel Planning"] }],
  });
  await register(page, { address: new URL(host.origin).host, did: host.did() });
  const service = new ServicePage(page);
  await service.expectVerified();
  await expect(service.name).toHaveText("Ticket Agent");
});

test("an API is registered from its OpenAPI document", async ({ page }) => {
  host.serve("/openapi.json", {
    openapi: "3.1.0",
    info: { title: "Train Times", version: "2.1.0", description: "Departures of all trains." },
    servers: [{ url: "/v2" }],
    paths: {},
  });
  await register(page, { address: `${host.origin}/openapi.json`, did: host.did() });
  const service = new ServicePage(page);
  await service.expectVerified();
  await expect(service.name).toHaveText("Train Times");
});

test("a website is registered from its page", async ({ page }) => {
  host.serve(
    "/",
    `<!doctype html><html lang="en"><head><title>Station Guide</title>
      <meta name="description" content="Every platform, lift and exit.">
      <meta property="og:site_name" content="Example Ltd">
      <meta property="og:image" content="/picture.png">
      <link rel="icon" href="/icon.png"></head><body>Hello</body></html>`,
  );
  await register(page, { address: host.origin, did: host.did() });
  const service = new ServicePage(page);
  await service.expectVerified();
  await expect(service.name).toHaveText("Station Guide");
});

test("a contract is registered from its address", async ({ page }) => {
  const address = await deployOwnable(testAccount(1));
  await register(page, {
    address,
    did: `did:pkh:eip155:31337:${address.toLowerCase()}`,
    texts: { Name: "Usage Counter", Publisher: "Example Ltd" },
  });
  const service = new ServicePage(page);
  await service.expectVerified();
  await expect(service.name).toHaveText("Usage Counter");
});
