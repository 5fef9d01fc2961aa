import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { registerAnyHost } from "./support/anyHost.ts";
import { test } from "./support/test.ts";

const publisher = "Quagga Society";
const services = ["Quagga Sightings", "Quagga Stud Book"].map((name, index) => ({
  did: `did:web:quagga-${index}.example`,
  metadata: { name, publisher, description: "About an extinct zebra.", traits: ["quagga-data"] },
}));

test.beforeAll(async ({ browser, baseURL }) => {
  const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
  const found = async () => (await page.request.get("/api/search?q=quagga")).text();
  // A restarted worker finds them already registered.
  if (!(await found()).includes(services[0]?.did ?? "")) {
    for (const service of services) await registerAnyHost(page, service);
  }
  await expect.poll(found).toContain(services[1]?.did);
  await page.close();
});

const field = (page: Page) => page.getByRole("combobox", { name: "Search services" });
const list = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const selected = (page: Page) => list(page).getByRole("option", { selected: true });

const searchFor = (q: string) => (url: URL) => url.pathname === "/apps" && url.searchParams.get("q") === q;

for (const path of ["/", "/apps"]) {
  test(`the search on ${path} suggests while typing and supports the keyboard`, async ({ page }) => {
    await page.goto(path);
    await expect(field(page)).toHaveAttribute("aria-expanded", "false");
    await field(page).pressSequentially("quag");
    await expect(list(page)).toBeVisible();
    await expect(field(page)).toHaveAttribute("aria-expanded", "true");
    const options = list(page).getByRole("option");
    await expect(options).toHaveText([
      /Quagga \S+.* claimed name/,
      /Quagga \S+.* claimed name/,
      /Quagga Society claimed publisher/,
      /quagga-data trait/,
    ]);
    await expect(page.getByRole("status").filter({ hasText: "4 suggestions" })).toHaveCount(1);

    await field(page).press("ArrowUp");
    await expect(selected(page)).toHaveText(/quagga-data/);
    await field(page).press("ArrowDown");
    await expect(selected(page)).toHaveCount(0);
    await field(page).press("ArrowDown");
    await expect(selected(page)).toHaveCount(1);
    const id = await selected(page).getAttribute("id");
    await expect(field(page)).toHaveAttribute("aria-activedescendant", id ?? "");
    await expect(field(page)).toBeFocused();

    await field(page).press("Escape");
    await expect(list(page)).toBeHidden();
    await expect(field(page)).toHaveValue("quag");
    await expect(field(page)).not.toHaveAttribute("aria-activedescendant");

    await field(page).pressSequentially("ga st");
    await expect(options.first()).toHaveText(/Quagga Stud Book/);
    await field(page).press("ArrowDown");
    await field(page).press("Enter");
    await page.waitForURL(searchFor("Quagga Stud Book"));
    await expect(page.locator('[data-claim="name"]').first()).toHaveText("Quagga Stud Book");
    await expect(list(page)).toBeHidden();
  });
}

test("a suggestion can be clicked", async ({ page }) => {
  await page.goto("/apps");
  await field(page).pressSequentially("quagga");
  await list(page)
    .getByRole("option", { name: /Quagga Society/ })
    .click();
  await page.waitForURL(searchFor("Quagga Society"));
  await expect(page.locator('[data-claim="name"]')).toHaveCount(services.length);
});

test("an open suggestion list is accessible", async ({ page }) => {
  for (const path of ["/", "/apps"]) {
    await page.goto(path);
    await field(page).pressSequentially("quagga");
    await expect(list(page)).toBeVisible();
    await field(page).press("ArrowDown");
    await expect(selected(page)).toHaveCount(1);
    await expectAccessible(page, `the suggestions of ${path}`);
  }
});

test("a misspelled word finds services with the correct word", async ({ page }) => {
  await page.goto("/apps?q=quaggga");
  await expect(page.getByText("Searched for quagga. No services match “quaggga”.")).toBeVisible();
  await expect(page.locator('[data-claim="name"]')).toHaveCount(services.length);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the search is a plain form", async ({ page }) => {
    for (const path of ["/", "/apps"]) {
      await page.goto(path);
      await field(page).fill("quagga stud");
      await field(page).press("Enter");
      await page.waitForURL(searchFor("quagga stud"));
      await expect(page.locator('[data-claim="name"]').first()).toHaveText("Quagga Stud Book");
      await expect(list(page)).toBeHidden();
    }
  });
});
