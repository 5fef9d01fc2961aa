import { requestAttestation } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { testAccount } from "./support/accounts.ts";
import { testChain } from "./support/chain.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { test } from "./support/test.ts";

const ACCOUNT = "Test account 2";

// The browser logs each rejection by the issuer.
test.use({ expectedErrors: [/status of (422|502) .*\/api\/verify-and-attest/] });

let host: DidServer;

test.beforeEach(async () => {
  host = await startDidServer(testAccount(2).address);
});
test.afterEach(() => host.close());

/** Fills in a REST API that is ready to publish. */
async function fillRestApi(page: Page, did: string, account = ACCOUNT): Promise<RegisterPage> {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect(account);
  await wizard.identify({ DID: did, Version: "1.0.0" });
  await wizard.goTo("About the service");
  await wizard.fill({ Name: "Weather", Description: "Forecasts for a week.", Publisher: "Example Ltd" });
  await wizard.goTo("Your service");
  await wizard.chooseKinds("API");
  await wizard.goTo("API");
  await wizard.fill({ "Endpoint URL": "https://api.weather.example" });
  return wizard;
}

async function expectNothingLost(wizard: RegisterPage): Promise<void> {
  await wizard.goTo("About the service");
  await expect(wizard.field("Name")).toHaveValue("Weather");
  await expect(wizard.field("Description")).toHaveValue("Forecasts for a week.");
  await wizard.goTo("API");
  await expect(wizard.field("Endpoint URL")).toHaveValue("https://api.weather.example");
}

test("an invalid DID shows the reason at its field", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.identify({ DID: "example.com" });
  await wizard.field("DID").blur();
  await expect(wizard.errorOf("DID")).toContainText(/did:web/);
  await wizard.identify({ DID: "did:web:Example.com" });
  await expect(wizard.errorOf("DID")).toHaveCount(0);
  await expect(page.getByText("did:web:example.com", { exact: true })).toBeVisible();
});

test("a did.json without the wallet shows the document to publish, and publishing continues after that", async ({
  page,
}) => {
  host.nameWallets();
  const did = host.did("unnamed");
  const wizard = await fillRestApi(page, did);
  await wizard.publish();
  const { alert } = wizard;
  await expect(alert).toContainText("doesn't list the wallet");
  await expect(alert).toContainText(`eip155:31337:${testAccount(2).address}`);
  await expect(alert).toContainText(`${host.origin}/unnamed/did.json`);
  await page.getByRole("button", { name: "Edit" }).click();
  await expectNothingLost(wizard);
  host.nameWallets(testAccount(2).address);
  await wizard.publishToEnd();
});

test("an unreachable domain is named, and the form keeps its content", async ({ page }) => {
  const wizard = await fillRestApi(page, "did:web:localhost%3A65535:gone");
  await wizard.goTo("DID and version");
  await page.getByRole("button", { name: "Check control" }).click();
  const { alert } = wizard;
  await expect(alert).toContainText("localhost:65535 refused the connection");
  await expect(alert).toContainText("http://localhost:65535/gone/did.json");
  await expectNothingLost(wizard);
});

test("a wallet on another chain gets an offer to switch", async ({ page }) => {
  host.nameWallets(testAccount(5).address);
  const wizard = await fillRestApi(page, host.did("switch"), "Test account 5");
  await expect(page.getByRole("heading", { name: "Your wallet is on the wrong chain" })).toBeVisible();
  await wizard.goTo("Review and publish");
  await expect(page.getByRole("button", { name: "Publish record" })).toBeDisabled();
  await page.getByRole("button", { name: "Switch to Local chain" }).click();
  await expect(page.getByRole("heading", { name: "Your wallet is on the wrong chain" })).toHaveCount(0);
  await expectNothingLost(wizard);
  await wizard.publishToEnd();
});

test("a rejected signature loses nothing and can be retried", async ({ page }) => {
  const wizard = await fillRestApi(page, host.did("rejected"));
  await wizard.publish();
  await expect(wizard.confirmation).toContainText("Register did:web:localhost");
  await wizard.reject();
  await expect(wizard.alert).toContainText("declined");
  await page.getByRole("button", { name: "Edit" }).click();
  await expectNothingLost(wizard);
  await wizard.publish();
  await wizard.reject();
  await page.getByRole("button", { name: "Try again" }).click();
  await wizard.confirm();
  await wizard.openPublished();
});

test("a version that is not above the last one shows which versions may follow", async ({ page }) => {
  const did = host.did("versions");
  await (await fillRestApi(page, did)).publishToEnd();
  const wizard = await fillRestApi(page, did);
  await wizard.goTo("DID and version");
  await expect(wizard.errorOf("Version")).toContainText("1.0.0 must be higher than the current version");
  await wizard.identify({ Version: "3.0.0" });
  await expect(wizard.errorOf("Version")).toContainText("2.0.0");
  await expectNothingLost(wizard);
  await wizard.goTo("DID and version");
  await page.getByRole("button", { name: "2.0.0" }).click();
  await expect(wizard.errorOf("Version")).toHaveCount(0);
});

test("the 21st trait is rejected at the traits field", async ({ page }) => {
  const wizard = await fillRestApi(page, host.did("traits"));
  await wizard.goTo("Traits and payments");
  await wizard.field("Traits").fill(Array.from({ length: 20 }, (_, index) => `tag-${index + 1}`).join(","));
  await wizard.field("Traits").press("Enter");
  await wizard.field("Traits").blur();
  await expect(wizard.errorOf("Traits")).toContainText("At most 20");
  await wizard.goTo("Review and publish");
  await expect(page.getByRole("button", { name: "Publish record" })).toBeDisabled();
  await expectNothingLost(wizard);
});

test("the problem list of an API without an endpoint links to the endpoint field", async ({ page }) => {
  const wizard = await fillRestApi(page, host.did("endpoint"));
  await wizard.fill({ "Endpoint URL": "" });
  const problems = await wizard.openProblems();
  await problems.getByRole("button", { name: /An endpoint needs a URL/ }).click();
  await expect(wizard.field("Endpoint URL")).toBeFocused();
  await expect(wizard.errorOf("Endpoint URL")).toContainText("An endpoint needs a URL");
  await page.getByRole("button", { name: "Remove endpoint" }).click();
  await wizard.openProblems();
  await problems.getByRole("button", { name: /at least one endpoint/ }).click();
  await expect(page.getByRole("heading", { level: 2, name: "API" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add endpoint" })).toBeVisible();
});

// @threat documents: JSON that parsers disagree about
test("JSON without a canonical form stays in the editor and shows the line and column of the error", async ({
  page,
}) => {
  const wizard = await fillRestApi(page, host.did("json"));
  await wizard.goTo("Metadata as JSON");
  const editor = wizard.field("Metadata JSON");
  const valid = await editor.inputValue();
  const refused: [string, RegExp][] = [
    ['{\n  "name": "A",\n  "name": "B"\n}', /Line 3, column 3: .*twice/],
    ['{\n  "id": 9007199254740993\n}', /Line 2, column 9: .*2\^53/],
    ['{\n  "half": "\\ud800"\n}', /Line 2, column 11: .*surrogate/],
    ["{ name: 1 }", /Line 1, column 3/],
  ];
  for (const [text, message] of refused) {
    await editor.fill(text);
    await editor.blur();
    await expect(wizard.errorOf("Metadata JSON")).toContainText(message);
    await expect(editor).toHaveValue(text);
  }
  await page.reload();
  await expect(editor).toHaveValue("{ name: 1 }");
  await page.getByRole("button", { name: "Restore last valid version" }).click();
  await expect(editor).toHaveValue(valid);
  await expectNothingLost(wizard);
});

test("a reload before signing keeps the form, and a reload after signing keeps the transaction", async ({
  page,
}) => {
  const chain = testChain();
  const wizard = await fillRestApi(page, host.did("reload"));
  await page.reload();
  await expect(page.getByRole("heading", { level: 2, name: "API" })).toBeVisible();
  await expectNothingLost(wizard);

  await wizard.publish();
  await expect(wizard.confirmation).toBeVisible();
  await chain.setAutomine(false);
  try {
    await wizard.confirm();
    await expect(wizard.publishing).toContainText("Waiting for confirmation");
    await page.reload();
    await expect(wizard.publishing).toContainText("Waiting for confirmation");
  } finally {
    // The order matters: the attestation after the block is mined immediately.
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
  }
  await wizard.openPublished();
});

test("an account that is attested after another shows when its waiting period ends", async ({
  page,
  baseURL,
}) => {
  const did = host.did("claimed");
  const first = { baseUrl: baseURL ?? "", did, connectedAddress: testAccount(2).address };
  await requestAttestation({ ...first, requiredSchemas: ["did-ownership"] });
  host.nameWallets(testAccount(2).address, testAccount(3).address);
  const wizard = await fillRestApi(page, did, "Test account 3");
  await wizard.publish();
  await expect(wizard.controlWait).toContainText(/takes effect on \w+, \d+ \w+ 20\d\d, .* \(in /);
  await expect(wizard.controlWait).toContainText("every further account waits 1 hour");
  await page.getByRole("button", { name: "Edit" }).click();
  await expectNothingLost(wizard);
});
