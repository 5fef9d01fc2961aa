import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { test } from "./support/test.ts";

const ACCOUNT = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

/** A wallet in the browser, as an extension announces itself (EIP-6963). A page sees its account once it asked for it. */
const announceWallet = (page: Page) =>
  page.addInitScript((account) => {
    const provider = {
      request: async ({ method }: { method: string }) => {
        if (method === "eth_chainId") return "0x7a69";
        if (method === "eth_requestAccounts") localStorage.setItem("example.wallet", "allowed");
        if (method === "eth_accounts" || method === "eth_requestAccounts")
          return localStorage.getItem("example.wallet") === null ? [] : [account];
        if (method === "wallet_requestPermissions") return [];
        throw new Error(`This wallet can't ${method}.`);
      },
      on: () => undefined,
      removeListener: () => undefined,
    };
    const info = {
      uuid: "350670db-19fa-4704-a166-e52e178b59d2",
      name: "Example Wallet",
      icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
      rdns: "example.wallet",
    };
    const announce = () =>
      dispatchEvent(
        new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
      );
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, ACCOUNT);

test("a wallet that announces itself is offered by its name, and is still connected after a reload", async ({
  page,
}) => {
  await announceWallet(page);
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
  await expect(wallet).toContainText("No wallet is connected");
});

test("a browser without a wallet says so, and what to do", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await page.getByRole("button", { name: "Connect wallet" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a wallet" });
  await dialog.getByRole("button", { name: "Browser Wallet" }).click();
  await expect(dialog).toContainText("There is no wallet in this browser");
});
