import { expect } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { testWith } from "./support/testWith.ts";

const test = testWith({ WALLETCONNECT_PROJECT_ID: "0123456789abcdef0123456789abcdef" });

// The relay need not respond. The browser's request shows that the page's policy allows it.
test.use({
  expectedErrors: [
    /^WebSocket connection to 'wss:\/\/relay\.walletconnect\..* net::ERR_(NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|CONNECTION_\w+)/,
  ],
});

test("a wallet on another device connects through WalletConnect's relay under the page's policy", async ({
  page,
}) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  const relay = page.waitForEvent("websocket", (socket) =>
    /^wss:\/\/relay\.walletconnect\.(org|com)\//.test(socket.url()),
  );
  await wizard.wallet.getByRole("button", { name: "Connect wallet" }).click();
  await wizard.connectDialog.getByRole("button", { name: "WalletConnect" }).click();
  await relay;
});

test("no wallet on another device is offered without a project id", async ({ browser }) => {
  const page = await browser.newPage({ baseURL: process.env.E2E_BASE_URL ?? "http://localhost:3000" });
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.wallet.getByRole("button", { name: "Connect wallet" }).click();
  await expect(wizard.connectDialog.getByRole("button", { name: "Test account 1" })).toBeVisible();
  await expect(wizard.connectDialog.getByRole("button", { name: "WalletConnect" })).toHaveCount(0);
  await page.close();
});
