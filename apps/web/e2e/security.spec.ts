import { appPath } from "@app-registry/sdk";
import { expect } from "@playwright/test";
import { ServicePage } from "./pages/ServicePage.ts";
import { registerAnyHost } from "./support/registry.ts";
import { test } from "./support/test.ts";

// @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
test("an injected script does not run", async ({ context }) => {
  const page = await context.newPage();
  await page.goto("/");
  const blocked = await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
          resolve(violatedDirective),
        );
        const element = document.createElement("div");
        element.innerHTML = `<img src="/no-such-image" onerror="window.injected = true">`;
        document.body.append(element);
      }),
  );
  expect(blocked).toMatch(/^script-src/);
  expect(await page.evaluate(() => "injected" in window)).toBe(false);
});

// @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
test("a hostile document is shown without its links and scripts, and without requests to its hosts", async ({
  page,
  baseURL,
}) => {
  const did = "did:web:hostile.example";
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const metadata = {
    name: "Pay\u202elaP <img src=x onerror=alert(1)>",
    description: "<script>alert(1)</script>",
    publisher: "Example",
    image: "https://hostile.example/icon.png",
    external_url: "javascript:alert(1)",
    supportUrl: "data:text/html,<script>alert(1)</script>",
    screenshotUrls: ["https://hostile.example/screenshot.png", "JaVaScRiPt:alert(1)"],
    platforms: { web: { launchUrl: " javascript:alert(1)" } },
  };
  await registerAnyHost(baseURL, { did, metadata });
  await page.goto(appPath(did));
  await expect(new ServicePage(page).name).toContainText("Pay\ufffdlaP <img");
  await expect(page.getByText("not linked: unsafe address").first()).toBeVisible();
  const hrefs = await page
    .locator("a[href]")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(hrefs.filter((href) => !/^(https?:|\/|#|mailto:)/.test(href ?? ""))).toEqual([]);
  const { origin } = new URL(page.url());
  expect(requested.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([]);
});
