import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { testAccount } from "./support/accounts.ts";
import { announceWallet } from "./support/announcedWallet.ts";
import { testChain } from "./support/chain.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { deployOwnable } from "./support/ownableContract.ts";
import { test } from "./support/test.ts";

const RPC_URL = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";
const publisher = testAccount(1);

// The browser logs each rejection by the issuer.
test.use({ expectedErrors: [/status of (422|502) .*\/api\/verify-and-attest/] });

let host: DidServer;
test.beforeEach(async () => {
  host = await startDidServer(publisher.address);
});
test.afterEach(() => host.close());

const stepTitle = (page: Page, name: string) => page.getByRole("heading", { level: 2, name });
const step = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: new RegExp(`^${name}`) });

/** Fills in a REST API that is ready to publish. */
async function fillRestApi(wizard: RegisterPage, did: string): Promise<void> {
  await wizard.identify({ DID: did, Version: "1.0.0" });
  await wizard.goTo("About the service");
  await wizard.fill({ Name: "Tide Tables", Description: "High and low water.", Publisher: "Example Ltd" });
  await wizard.goTo("Your service");
  await wizard.chooseKinds("API");
  await wizard.goTo("API");
  const [, authority = "", ...path] = /^did:web:([^:]+)(?::(.+))?$/.exec(did) ?? [];
  await wizard.fill({ "Endpoint URL": `http://${decodeURIComponent(authority)}/${path.join("/")}/v1` });
}

test("Back, Forward, Enter and a reload move through the steps without losing input", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await page.goto("/apps");
  await wizard.open();
  await expect(page).toHaveURL(/\/register#start$/);
  await wizard.goTo("DID and version");
  await wizard.fill({ DID: "did:web:example.com" });
  await wizard.field("DID").press("Enter");
  await expect(stepTitle(page, "About the service")).toBeFocused();
  await expect(page).toHaveURL(/\/register#about$/);
  await wizard.fill({ Name: "Tide Tables", Description: "High water." });
  await wizard.field("Description").press("Enter");
  await expect(wizard.field("Description")).toHaveValue("High water.\n");

  await page.goBack();
  await expect(stepTitle(page, "DID and version")).toBeFocused();
  await expect(wizard.field("DID")).toHaveValue("did:web:example.com");
  await page.goForward();
  await expect(wizard.field("Name")).toHaveValue("Tide Tables");
  await page.reload();
  await expect(stepTitle(page, "About the service")).toBeVisible();
  await expect(wizard.field("Description")).toHaveValue("High water.\n");

  await wizard.goTo("Traits and payments");
  await wizard.addTags("Traits", ["tides"]);
  await expect(stepTitle(page, "Traits and payments")).toBeVisible();
  await expect(page.getByText("tides", { exact: true })).toBeVisible();
  for (const title of ["About the service", "DID and version", "Your service"]) {
    await page.goBack();
    await expect(stepTitle(page, title)).toBeVisible();
  }
  await page.goBack();
  await expect(page).toHaveURL(/\/apps$/);

  await test.step("Register opens an empty form, and asks before a draft is lost", async () => {
    const unfinished = page.getByRole("heading", { name: "You have an unfinished draft" });
    const register = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Register" });
    await register.click();
    await expect(unfinished).toBeVisible();
    await expect(page.getByRole("main")).toContainText("Tide Tables");
    await page.getByRole("button", { name: "Continue draft" }).click();
    await expect(stepTitle(page, "Your service")).toBeFocused();
    await wizard.goTo("About the service");
    await expect(wizard.field("Name")).toHaveValue("Tide Tables");
    await register.click();
    await page.getByRole("button", { name: "Discard draft" }).click();
    await wizard.goTo("About the service");
    await expect(wizard.field("Name")).toHaveValue("");
    await register.click();
    await expect(stepTitle(page, "Your service")).toBeVisible();
  });
});

test("every step survives a reload", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.chooseKinds("Website or app", "API", "Contract");
  const titles = [
    "Your service",
    "DID and version",
    "About the service",
    "Website or app",
    "API",
    "Contract",
    "Traits and payments",
    "Advanced",
    "Review and publish",
    "Metadata as JSON",
  ];
  for (const title of titles) {
    await wizard.goTo(title);
    await page.reload();
    await expect(stepTitle(page, title)).toBeVisible();
    await expect(step(page, title)).toHaveAttribute("aria-current", "step");
  }
});

test("a draft is exported and imported, and an invalid file shows the reason", async ({ page }, info) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await fillRestApi(wizard, host.did("file"));
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export the draft" }).click();
  const file = info.outputPath("draft.json");
  await (await downloading).saveAs(file);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ did: host.did("file"), interfaces: 2 });

  const focused = (name: string) => expect(page.getByRole("button", { name })).toBeFocused();
  await page.getByRole("button", { name: "Start over" }).click();
  await focused("Keep draft");
  await page.keyboard.press("Enter");
  await focused("Start over");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expect(stepTitle(page, "Your service")).toBeFocused();
  const open = async (name: string, text: string | Buffer) => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import a draft" }).click();
    const chooser = await choosing;
    await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  };
  await open("notes.json", '{\n  "hello": 1,\n}');
  await expect(wizard.alert).toContainText(
    /notes\.json can't be opened\. The file isn't valid JSON\. Line \d, column/,
  );
  await open("other.json", '{"hello": 1}');
  await expect(wizard.alert).toContainText("is neither a draft nor a metadata document");
  await open("draft.json", await readFile(file));
  await expect(page.getByText("Imported draft.json")).toBeVisible();
  await wizard.goTo("About the service");
  await expect(wizard.field("Name")).toHaveValue("Tide Tables");
  await open("metadata.json", '{"name": "Harbour Lights"}');
  await expect(wizard.field("Name")).toHaveValue("Harbour Lights");
  await page.getByRole("button", { name: "Undo" }).click();
  await focused("Export the draft");
  await expect(wizard.field("Name")).toHaveValue("Tide Tables");
  await wizard.goTo("DID and version");
  await expect(wizard.field("DID")).toHaveValue(host.did("file"));
});

test("control is checked automatically once the host serves the file, which keeps its other entries", async ({
  page,
}) => {
  const did = host.did("kept");
  const service = { id: `${did}#files`, type: "LinkedDomains", serviceEndpoint: "https://example.com" };
  host.serve("/kept/did.json", { "@context": ["https://www.w3.org/ns/did/v1"], id: did, service: [service] });
  await page.clock.install();
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Test account 1");
  await fillRestApi(wizard, did);
  await wizard.goTo("DID and version");
  const control = page.getByRole("region", { name: "Control of the DID" });
  await expect(control).toContainText("Not checked yet.");
  await expect(step(page, "DID and version")).toContainText("control not checked");
  await control.getByRole("button", { name: "Check control" }).click();
  await expect(control).toContainText("Control not proven.");
  await expect(step(page, "DID and version")).toContainText("control not proven");
  await expect(control).toContainText("plus an entry for your wallet");
  await control.getByRole("checkbox", { name: "Keep checking automatically" }).check();
  await expect(control).toContainText(/Next check in \d+ seconds\./);
  await expectAccessible(page);

  const document = JSON.parse((await control.getByRole("alert").locator("pre").last().textContent()) ?? "");
  expect(document).toMatchObject({ service: [service] });
  host.serve("/kept/did.json", document);
  await wizard.goTo("About the service");
  await page.clock.fastForward(20_000);
  await expect(step(page, "DID and version")).toContainText("done");
  await wizard.goTo("DID and version");
  await expect(control).toContainText(/Your wallet controls this DID\. Valid until \d+ \w+ 20\d\d\./);
  await expect(control.getByRole("button")).toHaveCount(0);
});

test("the shown call of the owner makes the wallet control a contract's DID", async ({ page }) => {
  const owner = testAccount(3);
  const contract = await deployOwnable(owner);
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Test account 1");
  await wizard.identify({ DID: `did:pkh:eip155:31337:${contract}`, Version: "1.0.0" });
  await page.getByRole("button", { name: "Check control" }).click();
  const call = page.getByRole("region", { name: "Contract call that makes your wallet the owner" });
  await expect(call).toContainText(owner.address);
  await expect(call).toContainText(`transferOwnership(${publisher.address})`);
  await expectAccessible(page);
  const data = (await call.locator("pre").last().textContent()) as `0x${string}`;
  const signer = createWalletClient({ account: owner, chain: hardhat, transport: http(RPC_URL) });
  await signer.sendTransaction({ to: contract, data });
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Your wallet controls this DID.")).toBeVisible();
});

test("a wallet that declines, switches chains or changes its account loses no input", async ({ page }) => {
  const wallet = await announceWallet(page, publisher.address);
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Example Wallet");
  const did = host.did("declined");
  await fillRestApi(wizard, did);

  await test.step("the wallet declines", async () => {
    wallet.decline(true);
    await wizard.publish();
    await expect(page.getByRole("heading", { name: /^Publishing version/ })).toBeFocused();
    await expect(wizard.alert).toContainText("declined");
    expect(wallet.asked()).toBe(1);
    await page.reload();
    await expect(wizard.alert).toContainText("declined");
  });
  await test.step("the wallet is on another chain", async () => {
    await wallet.moveTo(1);
    const notice = page.getByRole("heading", { name: "Your wallet is on the wrong chain" });
    await expect(notice).toBeVisible();
    await page.getByRole("button", { name: "Switch to Local chain" }).click();
    await expect(notice).toHaveCount(0);
  });
  await test.step("another account can't continue the first account's publication", async () => {
    wallet.decline(false);
    await wallet.choose(testAccount(4).address);
    await expect(page.getByRole("region", { name: "Wallet", exact: true })).toContainText(
      testAccount(4).address,
    );
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(wizard.alert).toContainText(`This was prepared for wallet ${publisher.address}`);
    expect(wallet.asked()).toBe(1);
  });
  await test.step("the first account continues", async () => {
    await wallet.choose(publisher.address);
    await page.getByRole("button", { name: "Try again" }).click();
    await wizard.openPublished();
    await new ServicePage(page).expectVerified();
  });
});

test("the review shows the future page, the signed content and the missing funds", async ({ page }) => {
  const poor = testAccount(17);
  const chain = testChain();
  await chain.setBalance({ address: poor.address, value: 1_000n });
  host.nameWallets(poor.address);
  await announceWallet(page, poor.address);
  await page.clock.install();
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Example Wallet");
  const did = host.did("poor");
  await fillRestApi(wizard, did);
  await wizard.goTo("Review and publish");
  const words = page.getByRole("region", { name: "What you sign" });
  await expect(words).toContainText(`The transaction creates the record of ${did} at version 1.0.0.`);
  await expect(words).toContainText(poor.address);
  await expect(words).toContainText(/stores the \d+ bytes of metadata on the chain/);
  const preview = page.getByRole("figure", { name: "Preview of the service's page" });
  await expect(preview.locator("[data-claim=name]")).toHaveText("Tide Tables");
  await expect(preview.locator("[data-fact=origin]")).toHaveAttribute("data-outcome", "pass");
  for (const fact of ["record", "content", "attested"]) {
    await expect(preview.locator(`[data-fact=${fact}]`)).toContainText("Checked after publishing");
  }
  const bar = page.getByRole("region", { name: "Progress" });
  await expect(bar).toContainText("Nothing to fix, control not checked");
  await page.getByRole("button", { name: "Check control" }).click();
  await expect(preview.locator("[data-fact=control]")).toHaveAttribute("data-outcome", "pass");
  await expect(page.getByRole("region", { name: "Control of the DID" }).locator(":focus")).toHaveCount(1);
  await expect(bar).toContainText(/^Back ?Nothing to fix[^,]/);
  await expect(bar).toContainText(
    /Estimated cost: 0\.0\d+ ETH\. Wallet balance: .* ETH\. ◆ You need 0\.0\d+ ETH more to publish\./,
  );
  await expectAccessible(page);

  await page.locator("summary", { hasText: "Metadata as JSON" }).click();
  await expect(page.getByText(/^\{\n {2}"description": "High and low water\."/)).toBeVisible();
  await chain.setBalance({ address: poor.address, value: 10n ** 18n });
  await page.clock.fastForward(10_000);
  await expect(bar).not.toContainText("more to publish");
  await page.getByRole("button", { name: "Publish record" }).click();

  await test.step("the last screen shows the links to share, and the draft is deleted", async () => {
    await expect(wizard.published).toBeFocused();
    for (const caption of ["Link", "Markdown", "HTML", "First request", "Card URL"]) {
      await expect(page.getByRole("button", { name: `Copy: ${caption}` })).toBeVisible();
    }
    await expectAccessible(page);
    await page.goBack();
    await wizard.goTo("About the service");
    await expect(wizard.field("Name")).toHaveValue("");
  });

  await test.step("another registration of the same DID is noticed before publishing", async () => {
    await wizard.identify({ DID: did });
    const notice = (title: string) => page.getByRole("heading", { name: title });
    await expect(notice("This DID is already registered")).toBeVisible();
    await wizard.fill({ Version: "2.0.0" });
    await expect(notice("Major version 1 is already registered")).toBeVisible();
    await wizard.goTo("Review and publish");
    await expect(page.getByText("Publishing 2.0.0 creates a separate record.")).toBeVisible();
  });
});
