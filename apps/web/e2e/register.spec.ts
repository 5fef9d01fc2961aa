import { formatVersion, getProvenSubject, Interfaces, parseVersion } from "@app-registry/sdk";
import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { testAccount } from "./support/chain.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { listInteractions, noteInteractions } from "./support/interactions.ts";
import { deployOwnable } from "./support/ownableContract.ts";
import { openRegistry } from "./support/registry.ts";
import { test } from "./support/test.ts";

const ACCOUNT = "Test account 1";

/** Maximum number of clicks, pastes, Enter presses and edited fields until the draft can be published. */
const MOST_INTERACTIONS = 8;

let host: DidServer;

test.beforeEach(async ({ page }) => {
  host = await startDidServer(testAccount(1).address);
  await noteInteractions(page);
});
test.afterEach(() => host.close());

/** Registers the service at an address, enters only values that were not found, and counts the interactions. */
async function register(
  page: Page,
  { address, did, texts = {} }: { address: string; did: string; texts?: Record<string, string> },
): Promise<void> {
  const wizard = new RegisterPage(page);
  const late = wizard.results.filter({ hasText: /did not finish responding in time|out of time/ });
  // Retry from the start: on a busy machine the service may respond too late.
  await expect(async () => {
    await wizard.open();
    await wizard.connect(ACCOUNT);
    await wizard.look(address);
    const isLate = await late.getByText("No service was found.").isVisible();
    if (isLate) await page.evaluate(() => localStorage.clear());
    expect(isLate).toBe(false);
  }).toPass();
  await wizard.takeDid(did);
  await wizard.fill(texts);
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Review and publish" })).toBeFocused();
  const button = page.getByRole("button", { name: "Publish record" });
  await expect(button).toBeEnabled();
  const interactions = await listInteractions(page);
  test.info().annotations.push({ type: "interactions", description: interactions.join("; ") });
  expect(interactions.length, interactions.join("\n")).toBeLessThanOrEqual(MOST_INTERACTIONS);
  const place = await button.boundingBox();
  await expect(page.getByText("Preview of the service's page")).toBeVisible();
  expect(await button.boundingBox(), "what is loaded late must not move it").toEqual(place);
  await button.click();
  await wizard.confirm();
  await expect(wizard.published).toBeVisible();
  await wizard.openPublished();
}

/** Expects the server in the MCP registry's API, where MCP clients find it, and in the feeds. */
async function expectInMcpRegistry(
  page: Page,
  { did, name: title, version, url }: Service & { url: string },
): Promise<void> {
  const list = await page.request.get("/v0.1/servers?search=everything&version=latest&limit=100");
  const { servers } = (await list.json()) as { servers: McpServer[] };
  const entry = servers.find((candidate) => candidate._meta["localhost/record"]?.did === did);
  expect(entry).toMatchObject({
    server: { title, version, remotes: [{ type: "streamable-http", url }] },
  });
  const name = encodeURIComponent(entry?.server.name ?? "");
  const latest = await page.request.get(`/v0.1/servers/${name}/versions/latest`);
  expect(await latest.json()).toEqual(entry);
  expect((await page.request.get(`/v0.1/servers/${name}/versions/9.9.9`)).status()).toBe(404);

  const atom = await page.request.get("/feed.atom?traits=api:mcp");
  expect(atom.headers()["content-type"]).toContain("application/atom+xml");
  expect(await atom.text()).toContain(`<title>${getProvenSubject(did).name}: ${title} ${version}</title>`);
}

type McpServer = {
  server: { name: string };
  _meta: { "localhost/record"?: { did: string } };
};

type Service = {
  did: string;
  name: string;
  version: string;
  interfaces: number;
  trait?: string;
};

const toQuery = ({ interfaces, trait }: Service) => ({
  interface: String(interfaces),
  ...(trait && { traits: trait }),
});

/** Expects that a registered service is found, served and shown as verified. */
async function expectRegistered(page: Page, one: Service): Promise<void> {
  const { did, name, version } = one;
  const registry = await openRegistry(page);
  const service = new ServicePage(page);
  await test.step("the service's page shows it as verified", async () => {
    await expect(service.name).toHaveText(name);
    await service.expectVerified();
  });
  await test.step("search finds the service by its trait and interface", async () => {
    expect((await registry.search(toQuery(one))).map((result) => result.did)).toContain(did);
  });
  await test.step("the document's hash matches the chain's record", async () => {
    const { hash, recorded } = await registry.document(did, parseVersion(version));
    expect(hash).toBe(recorded);
  });
}

/** Publishes the next patch in the form, and expects its changes on the service's page. */
async function publishPatch(page: Page, { did, name, version }: Service): Promise<void> {
  const wizard = new RegisterPage(page);
  const service = new ServicePage(page);
  const first = parseVersion(version);
  await wizard.open({ did, major: first.major });
  await wizard.goTo("DID and version");
  await expect(wizard.field("Version")).toHaveValue(formatVersion({ ...first, patch: first.patch + 1 }));
  await wizard.goTo("About the service");
  await expect(wizard.field("Name")).toHaveValue(name);
  await wizard.fill({ Description: "A better description." });
  await wizard.goTo("Review and publish");
  await expect(wizard.changes).toContainText("A better description.");
  await wizard.publishToEnd();
  await service.expectVerified();
  const changes = await service.openChanges();
  await expect(changes).toContainText(/description.*changed.*A better description\./s);
  await expect(changes.getByRole("listitem")).toHaveCount(1);
}

test("an MCP server is registered from its address with its actual capabilities", async ({ page }) => {
  const server = await startEverythingServer();
  const url = `${host.origin}/mcp`;
  host.forward("/mcp", server.url);
  const offer = await readOffer(server.url);
  const name = "Everything Reference Server";
  const service = { did: host.did(), name, version: "2.0.0", interfaces: Interfaces.Api };
  await register(page, { address: url, did: service.did });
  const registry = await openRegistry(page);
  const { text } = await registry.document(service.did, parseVersion(service.version));
  expect(JSON.parse(text)).toMatchObject({ endpoints: [{ name: "MCP", endpoint: url, ...offer }] });
  // The record changes again when its JSON is stored on the chain.
  await registry.untilIndexed();
  await expectInMcpRegistry(page, { ...service, url });
  await expectRegistered(page, { ...service, trait: "api:mcp" });
  await publishPatch(page, service);
  await server.stop();
});

/** Reads an MCP server's capabilities with the MCP project's own client. */
async function readOffer(url: string) {
  const client = new Client({ name: "app-registry-tests", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const [{ tools }, { resources }, { prompts }] = await Promise.all([
    client.listTools(),
    client.listResources(),
    client.listPrompts(),
  ]);
  await client.close();
  return { tools, resources, prompts };
}

/** Returns an agent card in the format of the A2A protocol 1.0. */
const agentCard = (skills: string[]) => ({
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
  skills: skills.map((id) => ({ id, name: id, description: `It can ${id}.`, tags: ["tickets"] })),
});

test("an A2A agent is registered from its domain, and its next version from its updated card", async ({
  page,
}) => {
  const card = "/.well-known/agent-card.json";
  host.serve(card, agentCard(["buy", "refund"]));
  const did = host.did();
  await register(page, { address: new URL(host.origin).host, did });
  const service = new ServicePage(page);
  await service.expectVerified();
  const registry = await openRegistry(page);
  const found = () =>
    registry.search({ traits: "tickets" }).then((results) => results.map((result) => result.did));
  await expect.poll(found).toContain(did);

  const wizard = new RegisterPage(page);
  await wizard.open({ did, major: 1 });
  await expect(wizard.field("Service address")).toHaveValue(`${host.origin}${card}`);
  await expect(page.getByText("No changes yet compared with 1.2.0.")).toBeVisible();
  host.serve(card, agentCard(["buy", "rebook"]));
  await wizard.field("Service address").press("Enter");
  const next = page.getByRole("region", { name: "Suggested version" });
  await expect(next).toContainText("The skill refund was removed.");
  await expect(next).toContainText("The skill rebook was added.");
  await expect(next).toContainText("Version 2.0.0 selected.");
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await wizard.publishToEnd();
  await service.expectVerified();
  const { text } = await registry.document(did, parseVersion("2.0.0"));
  expect(JSON.parse(text).endpoints[0].skills.map(({ id }: { id: string }) => id)).toEqual(["buy", "rebook"]);
});

test("a contract is registered from its address by its owner", async ({ page }) => {
  const address = await deployOwnable(testAccount(1));
  const did = `did:pkh:eip155:31337:${address.toLowerCase()}`;
  const service = { did, name: "Usage Counter", version: "1.0.0", interfaces: Interfaces.Contract };
  await register(page, { address, did, texts: { Name: service.name, Publisher: "Example Ltd" } });
  await expectRegistered(page, service);
});
