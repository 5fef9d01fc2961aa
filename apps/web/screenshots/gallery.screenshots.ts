import { appPath } from "@app-registry/sdk";
import { expect, test } from "@playwright/test";
import { deceptions, registerDeceptions, showFakeMark } from "../e2e/support/deceptions.ts";
import { saveScreenshot } from "./saveScreenshot.ts";

/** Takes the pictures of docs/gallery.md: each deceiver's row in a list, and the top of its page. */
test("deceptions", async ({ browser, baseURL }) => {
  const close = await registerDeceptions(baseURL);
  for (const [size, width, height] of [
    ["desktop", 1280, 900],
    ["phone", 360, 1000],
  ] as const) {
    const page = await browser.newPage({ ...(baseURL && { baseURL }), viewport: { width, height: 640 } });
    await showFakeMark(page);
    for (const { file, did, listed = { did, status: "any" } } of deceptions) {
      await page.goto(`/apps?${new URLSearchParams(listed)}`);
      await expect(page.getByText("Checking…")).toHaveCount(0);
      const part = page.locator("div", { has: page.locator("> ol") });
      await saveScreenshot(page, `gallery/${file}-list-${size}`, { height, part });
      await page.goto(appPath(did));
      await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
      await saveScreenshot(page, `gallery/${file}-page-${size}`, { height });
    }
    await page.close();
  }
  await close();
});
