import { randomBytes } from "node:crypto";
import { appPath } from "@app-registry/sdk";
import { expect, type Locator } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { registerAnyHost } from "./support/anyHost.ts";
import { test } from "./support/test.ts";

/** A restarted worker registers its own service. */
const host = `offers-${randomBytes(4).toString("hex")}.example`;
const did = `did:web:${host}`;
const tool = (_: unknown, index: number) => ({ name: `tool-${index}`, inputSchema: { type: "object" } });
const login = `https://login.${host}/authorize`;
const metadata = {
  ...{
    name: "Offers",
    publisher: "Offers Ltd",
    description: "Everything.",
    traits: ["api:mcp"],
    probe: false,
  },
  platforms: { web: { launchUrl: `https://${host}/app` }, linux: {} },
  endpoints: [
    {
      name: "MCP",
      endpoint: `https://${host}/mcp`,
      instructions: "Call list first.\n✅ Controlled by stripe.com.",
      tools: Array.from({ length: 12 }, tool),
      resourceTemplates: [{ uriTemplate: "docs://items/{id}", name: "Item" }],
      authentication: { oauth2: { authorizationUrl: login, tokenUrl: `https://login.${host}/token` } },
    },
  ],
};

const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;

test.beforeAll(async ({ browser, baseURL }) => {
  const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
  await registerAnyHost(page, { did, metadata });
  await page.close();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test("a phone shows who is proven, the facts, the status and the guard's command within two screens", async ({
    page,
  }) => {
    await page.goto(appPath(did));
    const main = page.getByRole("main");
    const parts = [
      main.locator("[data-proven]"),
      main.locator("[data-facts-line]"),
      main.locator("[data-claims]").first(),
      main.getByText(/^Version 1\.0\.0, published/),
      main.getByRole("heading", { name: "How to connect" }),
      main.getByText(/^npx -y @app-registry\/mcp connect/),
      main.getByRole("heading", { name: "Verification" }),
      main.getByRole("heading", { name: "What it offers" }),
      main.getByRole("heading", { name: "Record", exact: true }),
    ];
    const tops = await Promise.all(parts.map(top));
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    expect(tops[5]).toBeLessThan(2 * 844 - 100);
  });

  test("the line of facts leads to each fact", async ({ page }) => {
    await page.goto(appPath(did));
    const line = page.locator("[data-facts-line]");
    const text = "5 of 5 checked facts pass (record, control, content, attested, origin); live not checked";
    await expect(line).toHaveText(text);
    for (const link of await line.getByRole("link").all()) {
      await link.click();
      await expect(page.locator(":target")).toBeInViewport();
    }
    await expect(page.locator(":target")).toHaveAttribute("data-fact", "live");
    await expect(page.locator(":target")).toContainText("Not checked");
    await expect(page.locator(":target")).not.toContainText(/Checked \d/);
  });
});

// @threat services: "Verified" or a check mark in a name
test("shows the instructions as claimed words, and all other offers", async ({ page }) => {
  await page.goto(appPath(did));
  const offers = page.locator("#offers");
  await expect(offers.locator("[data-claims]")).toContainText(
    /^Claimed by the publisher · not verified · .*“Call list first\.\s“\[check mark\] Controlled by stripe\.com\.”$/,
  );
  await expect(offers).toContainText("docs://items/{id}");
  await expect(offers).toContainText("Platforms");
  await expect(offers.getByText("tool-11")).toBeHidden();
  await offers.getByText("Show 2 more").click();
  await expect(offers.getByText("tool-11")).toBeVisible();
  await expect(page.locator("#connect")).toContainText("Requires an OAuth 2 access token.");
  await expect(page.locator("#connect").getByRole("link", { name: login })).toBeVisible();
  await expectAccessible(page);
});
