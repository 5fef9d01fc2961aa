import { expect } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { announceWallet } from "./support/announcedWallet.ts";
import { testAccount, testChain } from "./support/chain.ts";
import { test } from "./support/test.ts";

// The browser logs each rejection by the issuer.
test.use({ expectedErrors: [/status of 422 .*\/api\/verify-and-attest/] });

test("the review shows the future page, the signed content and the missing funds", async ({ page, host }) => {
  const poor = testAccount(17);
  const chain = testChain();
  await chain.setBalance({ address: poor.address, value: 1_000n });
  await announceWallet(page, poor.address);
  await page.clock.install();
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Example Wallet");
  const did = host.did(poor.address);
  await wizard.fillRestApi(did);
  await wizard.goTo("Review and publish");
  const words = page.getByRole("region", { name: "What you sign" });
  await expect(words).toContainText(`The transaction creates the record of ${did} at version 1.0.0.`);
  await expect(words).toContainText(poor.address);
  await expect(words).toContainText(/stores the \d+ bytes of metadata on the chain/);
  const preview = page.getByRole("figure", { name: "Preview of the service's page" });
  await expect(preview.locator("[data-claim=name]")).toHaveText("Tide Tables");
  await expect(preview.locator("[data-fact=origin]")).toHaveAttribute("data-outcome", "pass");
  for (const fact of ["record", "content", "attested"]) {
    await expect(preview.locator(`[data-fact=${fact}]`)).toContainText("After publishing");
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

test("a publication survives a wallet that declines, switches chains or changes its account, and a reload", async ({
  page,
  host,
}) => {
  const publisher = testAccount(1);
  const wallet = await announceWallet(page, publisher.address);
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Example Wallet");
  await wizard.fillRestApi(host.did(publisher.address));

  await test.step("the wallet declines", async () => {
    wallet.declines = true;
    await wizard.publish();
    await expect(page.getByRole("heading", { name: /^Publishing version/ })).toBeFocused();
    await expect(wizard.alert).toContainText("declined");
    expect(wallet.asked).toBe(1);
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
    wallet.declines = false;
    await wallet.choose(testAccount(4).address);
    await expect(wizard.wallet).toContainText(testAccount(4).address);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(wizard.alert).toContainText(`This was prepared for wallet ${publisher.address}`);
    expect(wallet.asked).toBe(1);
  });
  await test.step("the first account continues, and a reload keeps the signed transaction", async () => {
    const chain = testChain();
    await wallet.choose(publisher.address);
    await chain.setAutomine(false);
    try {
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(wizard.publishing).toContainText("Waiting for confirmation");
      await page.reload();
      await expect(wizard.publishing).toContainText("Waiting for confirmation");
    } finally {
      // The order matters: the attestation after the block is mined immediately.
      await chain.setAutomine(true);
      await chain.mine({ blocks: 1 });
    }
    await wizard.openPublished();
    await new ServicePage(page).expectVerified();
    expect(wallet.asked).toBe(2);
  });
});
