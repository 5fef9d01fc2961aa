import { Interfaces, parseVersion, provenBy } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { MyPage } from "./pages/MyPage.ts";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { testAccount } from "./support/accounts.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { readOffer, startEverythingServer } from "./support/everythingServer.ts";
import { deployOwnable } from "./support/ownableContract.ts";
import { openRegistry } from "./support/registry.ts";
import { test } from "./support/test.ts";

const ACCOUNT = "Test account 1";

let host: DidServer;

test.beforeAll(async () => {
  host = await startDidServer(testAccount(1).address);
});
test.afterAll(() => host.close());

/** Opens the wizard and fills in what every service has. */
async function begin(page: Page, { did, name }: { did: string; name: string }): Promise<RegisterPage> {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect(ACCOUNT);
  await wizard.identify({ DID: did, Version: "1.0.0" });
  await wizard.goTo("About the service");
  await wizard.fill({ Name: name, Description: `What ${name} does.`, Publisher: "Example Ltd" });
  await wizard.goTo("What you register");
  return wizard;
}

/** MCP clients find the server where the MCP registry's API lists servers, and feed readers among the changes. */
async function expectInMcpRegistry(
  page: Page,
  { did, title, url }: { did: string; title: string; url: string },
): Promise<void> {
  const list = await page.request.get("/v0.1/servers?search=everything&version=latest&limit=100");
  const { servers } = (await list.json()) as { servers: McpServer[] };
  const entry = servers.find((candidate) => candidate._meta["app-registry/record"].did === did);
  expect(entry).toMatchObject({
    server: { title, version: "1.0.0", remotes: [{ type: "streamable-http", url }] },
  });
  const name = encodeURIComponent(entry?.server.name ?? "");
  const latest = await page.request.get(`/v0.1/servers/${name}/versions/latest`);
  expect(await latest.json()).toEqual(entry);
  expect((await page.request.get(`/v0.1/servers/${name}/versions/9.9.9`)).status()).toBe(404);

  const feed = await (await page.request.get("/feed.json?traits=api:mcp")).json();
  expect(feed.items.map((item: { title: string }) => item.title)).toContain(
    `${provenBy(did).name}: ${title} 1.0.0`,
  );
  const atom = await page.request.get("/feed.atom");
  expect(atom.headers()["content-type"]).toContain("application/atom+xml");
  expect(await atom.text()).toContain(
    `<title type="html"><![CDATA[${provenBy(did).name}: ${title} 1.0.0]]></title>`,
  );
}

type McpServer = {
  server: { name: string };
  _meta: { "app-registry/record": { did: string } };
};

type Service = {
  did: string;
  name: string;
  interfaces: number;
  /** `fail`: it runs elsewhere than under its DID. */
  origin?: "pass" | "fail";
};

/** A service that was just registered is found, served, shown as verified, updated and deprecated. */
async function expectWholeLife(
  page: Page,
  { did, name, trait, interfaces, origin }: Service & { trait?: string },
): Promise<void> {
  const registry = await openRegistry(page);
  const service = new ServicePage(page);
  const query = { interface: String(interfaces), ...(trait && { traits: trait }) };
  const first = parseVersion("1.0.0");
  const next = parseVersion("1.0.1");

  await test.step("its page shows it as verified", async () => {
    await expect(service.name).toHaveText(name);
    await service.expectVerified({ origin });
  });
  await test.step("search finds it by its trait and interface", async () => {
    expect((await registry.search(query)).map((result) => result.did)).toContain(did);
  });
  await test.step("its document hashes to what the chain records", async () => {
    const { hash, recorded } = await registry.document(did, first);
    expect(hash).toBe(recorded);
  });
  await test.step("1.0.1 is published", async () => {
    const wizard = new RegisterPage(page);
    await wizard.open({ did, major: 1 });
    await wizard.goTo("DID and version");
    await expect(wizard.field("Version")).toHaveValue("1.0.1");
    await wizard.goTo("About the service");
    await expect(wizard.field("Name")).toHaveValue(name);
    await wizard.fill({ Description: "A better description." });
    await wizard.goTo("Review and publish");
    await expect(wizard.changes).toContainText("A better description.");
    await wizard.publishToEnd();
    await service.expectVerified({ origin });
  });
  await test.step("its page shows what 1.0.1 changed", async () => {
    const changes = await service.openChanges();
    await expect(changes).toContainText(/description.*changed.*A better description\./s);
    await expect(changes.getByRole("listitem")).toHaveCount(1);
  });
  await test.step("the old version is still served beside the new one", async () => {
    const [old, current] = await Promise.all([registry.document(did, first), registry.document(did, next)]);
    expect(old.hash).toBe(old.recorded);
    expect(current.hash).toBe(current.recorded);
    expect(current.text).toContain("A better description.");
    expect(old.text).not.toContain("A better description.");
  });
  await test.step("deprecated, it leaves the default search", async () => {
    const my = new MyPage(page);
    await my.open();
    await my.changeStatus(did, "Deprecate");
    await expect(my.service(did)).toContainText("Deprecated");
    const found = () => registry.search(query).then((results) => results.map((result) => result.did));
    await expect.poll(found, { timeout: 30_000 }).not.toContain(did);
    expect((await registry.search({ ...query, status: "deprecated" })).map((result) => result.did)).toContain(
      did,
    );
  });
}

test("a website or app under a did:web is registered, found, verified, updated and deprecated", async ({
  page,
}) => {
  const service = { did: host.did("human"), name: "Station Guide", interfaces: Interfaces.Human };
  const wizard = await begin(page, service);
  await wizard.chooseKinds("Website or app");
  await wizard.goTo("Website or app");
  await wizard.addPlatform("iOS");
  await wizard.fill({
    "Screenshot 1 URL": "https://guide.example/one.png",
    "Web: launch URL": `${host.origin}/human/app`,
    "iOS: download URL": "https://apps.example/guide",
  });
  await wizard.goTo("About the service");
  await wizard.fill({ "Icon URL": "https://guide.example/icon.png" });
  await wizard.goTo("Traits and payments");
  await wizard.addTags("Traits", ["travel"]);
  await wizard.publishToEnd();
  await expectWholeLife(page, { ...service, trait: "travel" });
});

test("a REST API under a did:web is registered, found, verified, updated and deprecated", async ({
  page,
}) => {
  const service = { did: host.did("rest"), name: "Train Times", interfaces: Interfaces.Api };
  const wizard = await begin(page, service);
  await wizard.chooseKinds("API");
  await wizard.goTo("API");
  await wizard.fill({
    "Endpoint URL": `${host.origin}/rest/v1`,
    "Schema URL": "https://api.trains.example/openapi.json",
  });
  await wizard.goTo("Traits and payments");
  await wizard.addTags("Traits", ["travel", "trains"]);
  await expect(wizard.record).toContainText("api:rest");
  await wizard.publishToEnd();
  await expectWholeLife(page, { ...service, trait: "api:rest" });
});

test("an MCP server is registered with the tools, resources and prompts that it really offers", async ({
  page,
}) => {
  const server = await startEverythingServer();
  const service = { did: host.did("mcp"), name: "Everything", interfaces: Interfaces.Api };
  const wizard = await begin(page, service);
  await wizard.chooseKinds("MCP server");
  await wizard.goTo("API");
  await wizard.fill({ "MCP server URL": server.url });
  await page.getByRole("button", { name: "Read the server" }).click();
  await expect(page.getByText(/^Filled in:/)).toContainText(
    /[1-9]\d* tools, [1-9]\d* resources, [1-9]\d* prompts/,
  );
  await expect(wizard.field("Endpoint URL")).toHaveValue(server.url);
  await expect(page.getByRole("heading", { name: /^Tools \([1-9]/ })).toBeVisible();
  const offer = await readOffer(server.url);
  server.close();
  await wizard.publishToEnd();
  const { text } = await (await openRegistry(page)).document(service.did, parseVersion("1.0.0"));
  expect(JSON.parse(text)).toMatchObject({ endpoints: [{ name: "MCP", endpoint: server.url, ...offer }] });
  await expectInMcpRegistry(page, { did: service.did, title: service.name, url: server.url });
  await expectWholeLife(page, { ...service, trait: "api:mcp", origin: "fail" });
});

test("an A2A agent is registered from its agent card", async ({ page }) => {
  const service = { did: host.did("agent"), name: "Ticket Agent", interfaces: Interfaces.Api };
  host.serve("/.well-known/agent-card.json", {
    protocolVersion: "0.3.0",
    name: "Another name",
    description: "Sells tickets.",
    url: "https://agent.example/a2a",
    version: "1.2.0",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    provider: { organization: "Example Ltd", url: "https://agent.example" },
    skills: [{ id: "buy", name: "Buy", description: "Buys a ticket.", tags: ["tickets"] }],
  });
  const wizard = await begin(page, service);
  await wizard.chooseKinds("A2A agent");
  await wizard.goTo("API");
  await wizard.fill({ "Agent card URL": host.origin });
  await page.getByRole("button", { name: "Read the card" }).click();
  await expect(wizard.field("Endpoint URL")).toHaveValue(`${host.origin}/.well-known/agent-card.json`);
  await wizard.publishToEnd();
  await expectWholeLife(page, { ...service, trait: "api:a2a", origin: "fail" });
});

test("a contract under its did:pkh is registered by its owner", async ({ page }) => {
  const address = await deployOwnable(testAccount(1));
  const service = {
    did: `did:pkh:eip155:31337:${address.toLowerCase()}`,
    name: "Usage Counter",
    interfaces: Interfaces.Contract,
  };
  // Typed with its checksum, as wallets show it.
  const wizard = await begin(page, { ...service, did: `did:pkh:eip155:31337:${address}` });
  await wizard.chooseKinds("Contract");
  await wizard.goTo("Contract");
  await wizard.fill({
    "RPC endpoint URL": "https://rpc.example.com",
    "ABI URL": "https://counter.example/abi.json",
  });
  await wizard.goTo("Advanced");
  await wizard.fill({ "Contract id": `eip155:31337:${address.toLowerCase()}` });
  await wizard.publishToEnd();
  await expectWholeLife(page, service);
});
