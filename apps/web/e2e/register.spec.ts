import { getEndpoints } from "@app-registry/sdk";
import { deployContract } from "@app-registry/test-kit/deployContracts";
import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { RPC_URL, testAccount } from "./support/chain.ts";
import { readDocument } from "./support/registry.ts";
import { test } from "./support/test.ts";

const publisher = testAccount(1);

/** Maximum number of clicks, pastes, Enter presses and edited fields until the draft can be published. */
const MOST_INTERACTIONS = 8;

declare global {
  interface Window {
    /** Interactions on the page so far. */
    interactions: string[];
  }
}

/**
 * Records a user's interactions in the page: each pointer press, each Enter, and each edited field. Typing or pasting
 * into one field is one interaction until another one follows.
 */
function noteInteractions() {
  window.interactions = [];
  let edited: EventTarget | null = null;
  const note = (event: Event, what: string, field: EventTarget | null = null) => {
    if (!event.isTrusted) return;
    edited = field;
    window.interactions.push(what);
  };
  const getName = (target: EventTarget | null) =>
    target instanceof Element ? (target.id || target.textContent || "").trim().slice(0, 60) : "";
  addEventListener("pointerdown", (event) => note(event, `click ${getName(event.target)}`), true);
  addEventListener(
    "keydown",
    (event) => event.key === "Enter" && note(event, `Enter in ${getName(event.target)}`),
    true,
  );
  addEventListener(
    "input",
    (event) => event.target !== edited && note(event, `edit ${getName(event.target)}`, event.target),
    true,
  );
}

test.beforeEach(async ({ page, host }) => {
  host.name(host.root, publisher.address);
  await page.addInitScript(noteInteractions);
});

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
    await wizard.connect("Test account 1");
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
  const interactions = await page.evaluate(() => window.interactions);
  test.info().annotations.push({ type: "interactions", description: interactions.join("; ") });
  expect(interactions.length, interactions.join("\n")).toBeLessThanOrEqual(MOST_INTERACTIONS);
  const place = await button.boundingBox();
  await expect(page.getByText("Preview of the service's page")).toBeVisible();
  expect(await button.boundingBox(), "what is loaded late must not move it").toEqual(place);
  await button.click();
  await wizard.confirm();
  await wizard.openPublished();
}

test("an MCP server is registered from its address with its actual capabilities, and a patch in the form", async ({
  page,
  baseURL,
  host,
}) => {
  const server = await startEverythingServer();
  const url = `${host.origin}/mcp`;
  host.forward("/mcp", server.url);
  const did = host.root;
  await register(page, { address: url, did });
  const service = new ServicePage(page);
  await expect(service.name).toHaveText("Everything Reference Server");
  await service.expectVerified();
  const [endpoint] = getEndpoints(await readDocument(baseURL, did, "2.0.0"));
  expect(endpoint).toMatchObject({ name: "MCP", endpoint: url, ...(await readOffer(server.url)) });

  const wizard = new RegisterPage(page);
  await wizard.open({ did, major: 2 });
  await wizard.goTo("DID and version");
  await expect(wizard.field("Version")).toHaveValue("2.0.1");
  await wizard.goTo("About the service");
  await expect(wizard.field("Name")).toHaveValue("Everything Reference Server");
  await wizard.fill({ Description: "A better description." });
  await wizard.goTo("Review and publish");
  await expect(page.getByRole("region", { name: "What changes" })).toContainText("A better description.");
  await wizard.publishToEnd();
  await service.expectVerified();
  const changes = page.locator("details", { has: page.getByText(/^Changes from .* to /) });
  await changes.locator("summary").click();
  await expect(changes).toContainText(/description.*changed.*A better description\./s);
  await expect(changes.getByRole("listitem")).toHaveCount(1);
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
const agentCard = (origin: string, skills: string[]) =>
  JSON.stringify({
    name: "Ticket Agent",
    description: "Sells tickets.",
    version: "1.2.0",
    supportedInterfaces: [
      { url: `${origin}/a2a/v1`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${origin}/a2a/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ],
    provider: { organization: "Example Ltd", url: origin },
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: skills.map((id) => ({ id, name: id, description: `It can ${id}.`, tags: ["tickets"] })),
  });

test("an A2A agent is registered from its domain, and its next version from its updated card", async ({
  page,
  baseURL,
  host,
}) => {
  const card = "/.well-known/agent-card.json";
  host.put(card, agentCard(host.origin, ["buy", "refund"]));
  const did = host.root;
  await register(page, { address: new URL(host.origin).host, did });
  const service = new ServicePage(page);
  await service.expectVerified();

  const wizard = new RegisterPage(page);
  await wizard.open({ did, major: 1 });
  await expect(wizard.field("Service address")).toHaveValue(`${host.origin}${card}`);
  await expect(page.getByText("No changes yet compared with 1.2.0.")).toBeVisible();
  host.put(card, agentCard(host.origin, ["buy", "rebook"]));
  await wizard.field("Service address").press("Enter");
  const next = page.getByRole("region", { name: "Suggested version" });
  await expect(next).toContainText("The skill refund was removed.");
  await expect(next).toContainText("The skill rebook was added.");
  await expect(next).toContainText("Version 2.0.0 selected.");
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await wizard.publishToEnd();
  await service.expectVerified();
  const { endpoints } = await readDocument(baseURL, did, "2.0.0");
  expect(endpoints[0].skills.map(({ id }: { id: string }) => id)).toEqual(["buy", "rebook"]);
});

test("a contract is registered from its address by its owner", async ({ page }) => {
  const address = await deployContract(RPC_URL, "examples/OwnableService", [publisher.address], publisher);
  const did = `did:pkh:eip155:31337:${address.toLowerCase()}`;
  await register(page, { address, did, texts: { Name: "Usage Counter", Publisher: "Example Ltd" } });
  const service = new ServicePage(page);
  await expect(service.name).toHaveText("Usage Counter");
  await service.expectVerified();
});
