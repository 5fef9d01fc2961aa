import { expect } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { announceWallet } from "./support/announcedWallet.ts";
import { test } from "./support/test.ts";

const ACCOUNT = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

test("a wallet that announces itself is offered by its name, and is still connected after a reload", async ({
  page,
}) => {
  await announceWallet(page, ACCOUNT);
  const wizard = new RegisterPage(page);
  await wizard.open();
  const wallet = page.getByRole("region", { name: "Wallet", exact: true });
  await wallet.getByRole("button", { name: "Connect wallet" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a wallet" });
  await expect(dialog.getByRole("button", { name: "Browser Wallet" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Example Wallet" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(wallet).toContainText("Example Wallet");
  await page.reload();
  await expect(wallet).toContainText("Signing as");
  await expect(wallet).toContainText("Example Wallet");
  await wallet.getByRole("button", { name: "Disconnect" }).click();
  await page.reload();
  await expect(wallet).toContainText("No wallet connected");
});

test("a browser without a wallet says so, and what to do", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await page.getByRole("button", { name: "Connect wallet" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a wallet" });
  await dialog.getByRole("button", { name: "Browser Wallet" }).click();
  await expect(dialog).toContainText("There is no wallet in this browser");
});
