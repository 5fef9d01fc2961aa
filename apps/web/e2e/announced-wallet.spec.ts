import { expect } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { announceWallet } from "./support/announcedWallet.ts";
import { test } from "./support/test.ts";

const ACCOUNT = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

test("an announced wallet is listed by name and survives a reload, and the server never sees its address", async ({
  page,
  context,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on("request", async (request) => {
    if (!baseURL || !request.url().startsWith(baseURL)) return;
    asked.push(`${request.url()} ${JSON.stringify(await request.allHeaders())} ${request.postData() ?? ""}`);
  });
  await announceWallet(page, ACCOUNT);
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Example Wallet");
  await expect(wizard.wallet).toContainText("Example Wallet");
  await page.reload();
  await expect(wizard.wallet).toContainText("Signing as");
  await expect(wizard.wallet).toContainText("Example Wallet");
  await page.goto("/apps");
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((request) => request.toLowerCase().includes(ACCOUNT.toLowerCase().slice(2)))).toEqual(
    [],
  );
  expect(await context.cookies()).toEqual([]);
  await wizard.open();
  await wizard.disconnect();
  await page.reload();
  await expect(wizard.wallet).toContainText("No wallet connected");
});

test("a wallet that declines to connect can be retried, and the form keeps its content", async ({ page }) => {
  const wallet = await announceWallet(page, ACCOUNT);
  wallet.decline(true);
  const answer = wallet.holdConnection();
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.identify({ DID: "did:web:example.com" });
  await wizard.wallet.getByRole("button", { name: "Connect wallet" }).click();
  await wizard.connectDialog.getByRole("button", { name: "Example Wallet" }).click();
  await expect(wizard.connectDialog).toContainText("Opening Example Wallet");
  answer();
  const retry = wizard.connectDialog.getByText("RETRY", { exact: true });
  await expect(retry).toBeVisible();
  wallet.decline(false);
  await retry.click();
  await expect(wizard.wallet).toContainText(ACCOUNT);
  await expect(wizard.field("DID")).toHaveValue("did:web:example.com");
});

test("a browser without a wallet shows where to get one", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.wallet.getByRole("button", { name: "Connect wallet" }).click();
  await expect(wizard.connectDialog).toContainText("No wallet found in this browser");
  await wizard.connectDialog.getByRole("button", { name: "Browser Wallet" }).click();
  await expect(wizard.connectDialog.getByRole("link")).toHaveAttribute("href", /^https:\/\/ethereum\.org\//);
});
