import { expect, type Page } from "@playwright/test";
import { test } from "./support/test.ts";

/**
 * Opens a page.
 * @returns A function that reads the scripts loaded so far, as text.
 */
async function listScripts(page: Page, path: string): Promise<() => Promise<string[]>> {
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text().catch(() => ""));
  });
  await page.goto(path, { waitUntil: "networkidle" });
  return () => Promise.all(scripts);
}

// Storage keys of wagmi and RainbowKit, which are in their code even if it is minified.
const holdsWalletCode = (scripts: string[]): boolean =>
  scripts.some((text) => /recentConnectorId|rk-recent/.test(text));

for (const path of ["/", "/apps"]) {
  test(`${path} loads no wallet code`, async ({ page }) => {
    const scripts = await listScripts(page, path);
    expect(holdsWalletCode(await scripts())).toBe(false);
  });
}

test("/register loads the wallet", async ({ page }) => {
  const scripts = await listScripts(page, "/register");
  // A busy machine may pause between two scripts.
  await expect.poll(async () => holdsWalletCode(await scripts())).toBe(true);
});

test("/register takes an address before the wallet's code arrives, and reads it then", async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.js$/, async (route) => {
    const response = await route.fetch();
    if (holdsWalletCode([await response.text()])) await released;
    await route.fulfill({ response });
  });
  await page.goto("/register");
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
    await page.route(/\.js$/, async (route) => {
      const response = await route.fetch();
      const isRefused = isAway && holdsWalletCode([await response.text()]);
      await (isRefused ? route.abort() : route.fulfill({ response }));
    });
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
