import { expect, type Page } from "@playwright/test";
import { test } from "./support/test.ts";

/** The scripts that a page loads, as text. */
async function scriptsOf(page: Page, path: string): Promise<string[]> {
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text().catch(() => ""));
  });
  await page.goto(path, { waitUntil: "networkidle" });
  return Promise.all(scripts);
}

// The key under which wagmi keeps its state stands in its code, minified or not.
const holdsWalletCode = (scripts: string[]): boolean =>
  scripts.some((text) => text.includes("recentConnectorId"));

for (const path of ["/", "/apps"]) {
  test(`${path} loads no wallet code`, async ({ page }) => {
    expect(holdsWalletCode(await scriptsOf(page, path))).toBe(false);
  });
}

test("/register loads the wallet", async ({ page }) => {
  expect(holdsWalletCode(await scriptsOf(page, "/register"))).toBe(true);
});
