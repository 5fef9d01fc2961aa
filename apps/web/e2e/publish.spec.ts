import { createAppRegistryClient, parseVersion, publishApp } from "@app-registry/sdk";
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
import { fillRestApi } from "./support/fillRestApi.ts";
import { openRegistry } from "./support/registry.ts";
import { test } from "./support/test.ts";

const RPC_URL = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";
const publisher = testAccount(1);

// The browser logs each rejection by the issuer.
test.use({ expectedErrors: [/status of 422 .*\/api\/verify-and-attest/] });

let host: DidServer;
test.beforeEach(async () => {
  host = await startDidServer(publisher.address);
});
test.afterEach(() => host.close());

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

test("a reload after signing keeps the transaction", async ({ page }) => {
  const chain = testChain();
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Test account 1");
  await fillRestApi(wizard, host.did("reload"));
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

/** Publishes a REST API and returns a client that can change it outside the pages. */
async function publishRest(page: Page, baseUrl: string | undefined, name: string) {
  const { client: reader } = await openRegistry(page);
  const client = createAppRegistryClient({
    deployment: reader.deployment,
    publicClient: reader.publicClient,
    walletClient: createWalletClient({ account: publisher, chain: hardhat, transport: http(RPC_URL) }),
  });
  const did = host.did(name);
  const metadata = {
    name: `The ${name}`,
    description: "A service.",
    publisher: "Example Ltd",
    traits: ["api:rest"],
    endpoints: [{ name: "REST", endpoint: `${host.origin}/${name}/v1` }],
  };
  await publishApp({ client, baseUrl, did, version: "1.0.0", interfaces: 2, metadata });
  return { did, client };
}

/** Opens the wizard for the next version of a record. */
async function openNext(page: Page, did: string): Promise<RegisterPage> {
  const wizard = new RegisterPage(page);
  await wizard.open({ did, major: 1 });
  await wizard.connect("Test account 1");
  await wizard.goTo("DID and version");
  return wizard;
}

/** Publishes a version, including the second transaction that sets the status. */
async function publishAndSet(wizard: RegisterPage, status: string): Promise<void> {
  await wizard.goTo("Review and publish");
  await expect(wizard.page.getByText(`A second transaction sets the record to ${status}.`)).toBeVisible();
  await wizard.publish();
  await wizard.confirm();
  await expect(wizard.confirmation).toContainText(`Mark major version 1 of`);
  await wizard.confirm();
  await wizard.openPublished();
}

test("a new version of a deprecated or replaced record reactivates it or names its successor", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { did, client } = await publishRest(page, baseURL, "pier");
  await client.waitForReceipt({ hash: await client.updateStatus({ did, major: 1, status: 1 }) });
  const service = new ServicePage(page);

  await test.step("the status stays unless another one is chosen", async () => {
    const wizard = await openNext(page, did);
    const status = page.getByRole("region", { name: "Record status" });
    await expect(status).toContainText(
      "This record is Deprecated. Publishing a version doesn't change that.",
    );
    await expect(status.getByRole("radio", { name: "Deprecated" })).toBeChecked();
    await wizard.goTo("Review and publish");
    await expect(page.getByText("The record stays Deprecated.")).toBeVisible();
  });
  await test.step("the record is reactivated together with 1.0.1", async () => {
    const wizard = new RegisterPage(page);
    await wizard.goTo("DID and version");
    await page.getByRole("radio", { name: "Active" }).check();
    await publishAndSet(wizard, "Active");
    await service.expectVerified();
    expect(await client.getAppSummary({ did, major: 1 })).toMatchObject({
      status: 0,
      latestVersion: parseVersion("1.0.1"),
    });
  });
  await test.step("1.0.2 marks the record as replaced and requests the successor", async () => {
    const wizard = await openNext(page, did);
    await page.getByRole("radio", { name: "Replaced" }).check();
    await wizard.fill({ "Successor DID": did });
    await wizard.goTo("About the service");
    await wizard.goTo("DID and version");
    await expect(wizard.errorOf("Successor DID")).toHaveText("A service can't replace itself.");
    await expectAccessible(page);
    await wizard.fill({ "Successor DID": "did:web:next-pier.example" });
    await publishAndSet(wizard, "Replaced");
    await expect(page.getByText("According to the publisher, replaced by next-pier.example.")).toBeVisible();
    await expect(service.fact("record")).toHaveAttribute("data-outcome", "fail");
  });
  await test.step("1.0.3 reactivates the record and names no successor", async () => {
    const wizard = await openNext(page, did);
    await expect(wizard.field("Successor DID")).toHaveValue("did:web:next-pier.example");
    await page.getByRole("radio", { name: "Active" }).check();
    await expect(wizard.field("Successor DID")).toHaveCount(0);
    await publishAndSet(wizard, "Active");
    const { text } = await (await openRegistry(page)).document(did, parseVersion("1.0.3"));
    expect(JSON.parse(text)).not.toHaveProperty("replacedBy");
    await service.expectVerified();
  });
});
