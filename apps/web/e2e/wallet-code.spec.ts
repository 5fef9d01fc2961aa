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
