import { type APIResponse, expect, type Page, type Route } from "@playwright/test";
import { MyPage } from "./pages/MyPage.ts";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { expectAccessible } from "./support/accessibility.ts";
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

test("the wallet's dialogs are accessible, show where to get a wallet, and switch to the registry's chain", async ({
  page,
}) => {
  await new MyPage(page).open();
  const wallet = new RegisterPage(page);
  await wallet.wallet.getByRole("button", { name: "Connect wallet" }).click();
  await expect(wallet.connectDialog).toContainText("No wallet found in this browser");
  // This registry has no project id of WalletConnect.
  await expect(wallet.connectDialog.getByRole("button", { name: "WalletConnect" })).toHaveCount(0);
  await expectAccessible(page, "the connect dialog");
  await wallet.connectDialog.getByRole("button", { name: "Browser Wallet" }).click();
  await expect(wallet.connectDialog.getByRole("link")).toHaveAttribute("href", /^https:\/\/ethereum\.org\//);
  await new MyPage(page).open();
  await wallet.wallet.getByRole("button", { name: "Connect wallet" }).click();
  await wallet.connectDialog.getByRole("button", { name: "Test account 5" }).click();
  const notice = page.getByRole("heading", { name: "Your wallet is on the wrong chain" });
  await expect(notice).toBeVisible();
  const network = await wallet.openDialog("Network");
  await expect(network).toContainText("Wrong network detected");
  await expectAccessible(page, "the Network dialog");
  await network.getByRole("button", { name: "Local chain" }).click();
  await expect(notice).toHaveCount(0);
  await expect(await wallet.openDialog("Account")).toBeVisible();
  await expectAccessible(page, "the Account dialog");
});

/** Handles the requests for the wallet's code, and leaves the page's other scripts alone. */
async function routeWalletCode(page: Page, handle: (route: Route, response: APIResponse) => Promise<void>) {
  await page.route(/\.js$/, async (route) => {
    const response = await route.fetch();
    // Storage keys of wagmi and RainbowKit, which are in their code even if it is minified.
    const isWallet = /recentConnectorId|rk-recent/.test(await response.text());
    await (isWallet ? handle(route, response) : route.fulfill({ response }));
  });
}

test("/register takes an address before the wallet's code arrives, and reads it then", async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await routeWalletCode(page, async (route, response) => {
    await released;
    await route.fulfill({ response });
  });
  // A busy page asks for the held code before its load event, which then waits for it.
  await page.goto("/register", { waitUntil: "domcontentloaded" });
  const box = page.getByRole("textbox", { name: "Service address" });
  await box.fill("service.exampel");
  await expect(page.getByRole("button", { name: "Find service" })).toBeEnabled();
  await box.press("Enter");
  await expect(page.getByText("The registry reads it as soon as the form has loaded")).toBeVisible();
  await box.fill("service.example");
  await box.press("Enter");
  await page.keyboard.press("Home");
  await expect(page.getByRole("button", { name: "Connect wallet" })).toHaveCount(0);
  const asked = page.waitForRequest("**/api/import");
  release();
  expect((await asked).postDataJSON()).toEqual({ input: "service.example" });
  await expect(page.getByRole("navigation", { name: "Steps" })).toBeVisible();
  await expect(box).toHaveValue("service.example");
  await expect(box).toBeFocused();
  expect(await box.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(0);
  // Scripts of later screens may still be on their way.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test.describe("without its code", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED|ChunkLoadError/] });

  test("/register keeps what was entered if its code can't be loaded, and tries again", async ({ page }) => {
    let isAway = true;
    await routeWalletCode(page, (route, response) => (isAway ? route.abort() : route.fulfill({ response })));
    await page.goto("/register");
    const box = page.getByRole("textbox", { name: "Service address" });
    await box.fill("service.example");
    const retry = page.getByRole("button", { name: "Try again" });
    await expect(page.getByText("Couldn't load the form")).toBeVisible();
    await expect(box).toHaveValue("service.example");
    isAway = false;
    await retry.click();
    await expect(page.getByRole("navigation", { name: "Steps" })).toBeVisible();
    await expect(box).toHaveValue("service.example");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});
