import { expect } from "@playwright/test";
import { MyPage } from "./pages/MyPage.ts";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { test } from "./support/test.ts";

test("the connect, account and network dialogs are accessible in both themes and fit a phone", async ({
  page,
}) => {
  await new MyPage(page).open();
  const wallet = new RegisterPage(page);
  await wallet.wallet.getByRole("button", { name: "Connect wallet" }).click();
  await expect(wallet.connectDialog).toBeVisible();
  await expectAccessible(page, "the connect dialog");
  await wallet.connectDialog.getByRole("button", { name: "Test account 1" }).click();
  for (const button of ["Account", "Network"] as const) {
    const dialog = await wallet.openDialog(button);
    await expectAccessible(page, `the ${button} dialog`);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
});

test("the network dialog switches a wallet on another chain to the registry's chain", async ({ page }) => {
  await new MyPage(page).open();
  const wallet = new RegisterPage(page);
  await wallet.connect("Test account 5");
  const notice = page.getByRole("heading", { name: "Your wallet is on the wrong chain" });
  await expect(notice).toBeVisible();
  const dialog = await wallet.openDialog("Network");
  await expect(dialog).toContainText("Wrong network detected");
  await expectAccessible(page, "the network dialog of a wallet on another chain");
  await dialog.getByRole("button", { name: "Local chain" }).click();
  await expect(notice).toHaveCount(0);
});
