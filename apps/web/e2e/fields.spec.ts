import { readFile } from "node:fs/promises";
import { HashAlgorithm, parseVersion } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { testAccount } from "./support/accounts.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { openRegistry } from "./support/registry.ts";
import { test } from "./support/test.ts";

let host: DidServer;
test.beforeAll(async () => {
  host = await startDidServer(testAccount(1).address);
});
test.afterAll(() => host.close());

const inputSchema = { type: "object", properties: { from: { type: "string" } }, required: ["from"] };

/** Returns metadata with a field of each kind of control. */
const expected = (at: string) => ({
  name: "Station Guide",
  // Make the document large, so that the wizard compares the costs of its storage.
  description: "Timetables and tickets. ".repeat(200).trim(),
  publisher: "Example Ltd",
  image: "https://guide.example/icon.png",
  screenshotUrls: ["https://guide.example/1.png", "https://guide.example/2.png"],
  platforms: {
    web: { launchUrl: `${at}/app` },
    "smart tv": { downloadUrl: "https://tv.example/guide" },
  },
  endpoints: [
    {
      name: "MCP",
      endpoint: `${at}/mcp`,
      tools: [
        {
          name: "find_trains",
          description: "Finds trains.",
          inputSchema,
          annotations: { readOnlyHint: true, idempotentHint: true },
        },
      ],
      resources: [
        {
          uri: "docs://timetable",
          name: "Timetable",
          mimeType: "text/markdown",
          annotations: { priority: 1 },
        },
      ],
      prompts: [
        {
          name: "trip",
          description: "Plans a trip.",
          arguments: [{ name: "to", description: "Where to.", required: true }],
        },
      ],
      authentication: {
        oauth2: {
          authorizationUrl: `${at}/authorize`,
          tokenUrl: `${at}/token`,
          scopes: ["read", "write"],
        },
        apiKey: { in: "query", name: "key" },
        bearer: {},
        blockchain: {
          chainId: "eip155:8453",
          contractAddress: "0x6b175474e89094c44da98b954eedeac495271d0f",
        },
      },
    },
    { name: "A2A", endpoint: `${at}/.well-known/agent-card.json` },
  ],
  traits: ["api:mcp", "travel"],
  payments: [
    {
      type: "x402",
      chains: ["eip155:8453", "eip155:1"],
      price: { amount: "0.01", symbol: "USDC" },
    },
  ],
  representativeQueries: ["Which trains leave before nine?"],
  probe: false,
});

type Expected = ReturnType<typeof expected>;

async function fillPeoplePart(wizard: RegisterPage, document: Expected): Promise<void> {
  const { page } = wizard;
  await wizard.goTo("About the service");
  await wizard.fill({
    Name: document.name,
    Description: document.description,
    Publisher: document.publisher,
    "Icon URL": document.image,
  });
  await wizard.goTo("Website or app");
  await wizard.fill({ "Screenshot 1 URL": "https://guide.example/1.png" });
  await page.getByRole("button", { name: "Add a screenshot" }).click();
  await wizard.addPlatform("smart tv");
  await wizard.fill({
    "Screenshot 2 URL": "https://guide.example/2.png",
    "Web: launch URL": document.platforms.web.launchUrl,
    "smart tv: download URL": document.platforms["smart tv"].downloadUrl,
  });
}

async function fillServer(wizard: RegisterPage, at: string): Promise<void> {
  const { page } = wizard;
  const add = (what: string) => page.getByRole("button", { name: `Add ${what}`, exact: true }).click();
  await wizard.goTo("API");
  await wizard.fill({ "Endpoint URL": `${at}/mcp` });
  await add("a tool");
  await wizard.fill({
    "Tool name": "find_trains",
    "Tool description": "Finds trains.",
    "Input schema": JSON.stringify({ ...inputSchema, type: "text" }),
  });
  const warnings = page.getByRole("list", { name: "Not a valid JSON Schema" });
  await expect(warnings).toContainText('At /type: Set type to "string", "number"');
  await wizard.fill({ "Input schema": JSON.stringify(inputSchema) });
  await expect(warnings).toHaveCount(0);
  await expect(page.getByText("Readable view").first()).toBeVisible();
  await wizard.answer({
    "Does the tool change data?": "No, read-only",
    "Is it safe to repeat a call?": "Yes, repeating has no further effect",
  });
  await add("a resource");
  await wizard.fill({
    "Resource URI": "docs://timetable",
    "Resource name": "Timetable",
    "Resource annotations": '{"priority": 1}',
  });
  await wizard.fill({ "MIME type": "text/markdown" }, page.getByRole("region", { name: "Resources (1)" }));
  await add("a prompt");
  await wizard.fill({ "Prompt name": "trip", "Prompt description": "Plans a trip." });
  await add("an argument");
  await wizard.fill({ "Argument name": "to", "Argument description": "Where to." });
  await page.getByRole("checkbox", { name: "This argument is required" }).check();

  const way = (name: string) => page.getByRole("checkbox", { name });
  await way("OAuth 2").check();
  await wizard.fill({ "Authorization URL": `${at}/authorize`, "Token URL": `${at}/token` });
  await wizard.addTags("Scopes", ["read", "write"]);
  await way("OAuth 2").uncheck();
  await expect(wizard.record).not.toContainText("oauth2");
  await way("OAuth 2").check();
  await expect(wizard.field("Token URL")).toHaveValue(`${at}/token`);
  await way("API key").check();
  await wizard.fill({ "Key location": "query", "Key name": "key" });
  await way("Bearer token").check();
  await way("Token ownership").check();
  // A chain may be entered by its name.
  await wizard.fill({ Chain: "Base", "Contract address": "0x6b175474e89094c44da98b954eedeac495271d0f" });

  await page.getByRole("button", { name: "Add another endpoint" }).click();
  const agent = page.getByRole("region", { name: "Endpoint 2" });
  await wizard.fill({ "Endpoint name": "A2A", "Endpoint URL": `${at}/.well-known/agent-card.json` }, agent);
}

/** Serves the JSON at the publisher's own URL, with wrong content first. */
async function serveJson(page: Page, wizard: RegisterPage): Promise<void> {
  await wizard.goTo("Advanced");
  await expect(page.getByText(/Publishing costs about [\d.]+ ETH\./)).toHaveCount(2);
  await page.getByRole("radio", { name: "sha256" }).check();
  await page.getByRole("radio", { name: "At my own URL" }).check();
  await wizard.fill({ "Data URL": `${host.origin}/guide.json` });
  // Leave the field first: its error message moves the content below.
  await wizard.field("Data URL").blur();
  await page.getByRole("checkbox", { name: "Run live checks on this service" }).uncheck();
  const served = page.getByRole("region", { name: "JSON at your URL" });
  const check = served.getByRole("button", { name: "Check URL" });
  await check.click();
  await expect(served.getByRole("status")).toContainText("404");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    served.getByRole("button", { name: "Download JSON" }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  host.serve("/guide.json", { ...JSON.parse(text), name: "Another" });
  await check.click();
  await expect(served.getByRole("status")).toContainText("The JSON at this URL has a different dataHash: 0x");
  await wizard.goTo("Review and publish");
  await expect(page.getByRole("region", { name: "1 problem to fix" })).toContainText(
    "Upload the current JSON to the data URL, then check again.",
  );
  const storage = page.getByRole("region", { name: "Storage of the metadata" });
  await expect(storage.getByText(/Publishing costs about [\d.]+ ETH\./)).toHaveCount(2);
  await expect(storage.getByRole("radio", { name: "At my own URL" })).toBeChecked();

  host.serve("/guide.json", JSON.parse(text));
  await wizard.goTo("Advanced");
  await check.click();
  await expect(served.getByRole("status")).toContainText("Your URL serves this JSON.");
}

// The form's controls and the check of the data URL have tests of their own.
test("each kind of field is published with the entered value, from the publisher's own URL", {
  tag: "@long",
}, async ({ page }) => {
  const at = `${host.origin}/guide`;
  const did = host.did("guide");
  const document = expected(at);
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Test account 1");
  await wizard.goTo("Your service");
  await wizard.chooseKinds("Website or app", "MCP server");
  await wizard.identify({ DID: did, Version: "1.0.0" });
  await fillPeoplePart(wizard, document);
  await fillServer(wizard, at);
  await expectAccessible(page);
  await wizard.goTo("Traits and payments");
  await wizard.addTags("Traits", ["travel"]);
  await page.getByRole("button", { name: "Add a payment" }).click();
  await wizard.fill({
    "Payment method": "x402",
    "Price of a request": "0.01",
    Currency: "USDC",
    "Example request 1": "Which trains leave before nine?",
  });
  await wizard.addTags("Chains", ["Base", "eip155:1"]);
  await expectAccessible(page);
  await serveJson(page, wizard);
  await wizard.publishToEnd();

  const registry = await openRegistry(page);
  const version = parseVersion("1.0.0");
  const { text, hash, recorded } = await registry.document(did, version);
  expect(hash).toBe(recorded);
  expect(JSON.parse(text)).toEqual(document);
  expect(await registry.client.getVersionRecord({ did, version })).toMatchObject({
    dataUrl: `${host.origin}/guide.json`,
    dataHashAlgorithm: HashAlgorithm.sha256,
  });
});
