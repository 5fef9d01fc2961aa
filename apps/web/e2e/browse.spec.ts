import { appPath } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { measure } from "./support/measure.ts";
import { registerAnyHost, untilIndexed } from "./support/registry.ts";
import { test } from "./support/test.ts";

// The second one is at a host of somebody else.
const urls = ["https://quagga-0.example/mcp", "https://okapi.museum.example/mcp"];
const zebras = ["Quagga Sightings", "Quagga Stud Book"].map((name, index) => ({
  did: `did:web:quagga-${index}.example`,
  metadata: {
    ...{ name, publisher: "Quagga Society", description: "About an extinct zebra." },
    traits: ["api:mcp", "quagga-data"],
    endpoints: [{ name: "MCP", endpoint: urls[index] }],
  },
}));
const dids = zebras.map(({ did }) => did);

test.beforeAll(async ({ baseURL }) => {
  // A restarted worker finds them already registered.
  if ((await fetch(new URL(`/api/apps/${dids[1]}`, baseURL))).ok) return;
  for (const service of zebras) await registerAnyHost(baseURL, service);
  await untilIndexed(baseURL);
});

const field = (page: Page) => page.getByRole("combobox", { name: "Search services" });
const list = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const selected = (page: Page) => list(page).getByRole("option", { selected: true });
const searchFor = (q: string) => (url: URL) => url.pathname === "/apps" && url.searchParams.get("q") === q;

type Shifts = { shifted: number };
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };

/** Sums the layout shifts of a page, without those after input. */
function countShifts() {
  const counted = Object.assign(window as unknown as Shifts, { shifted: 0 });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries() as LayoutShift[])
      counted.shifted += hadRecentInput ? 0 : value;
  }).observe({ type: "layout-shift", buffered: true });
}

test("public pages are accessible and don't shift, and a service's page lists a similar one", async ({
  page,
}) => {
  await page.addInitScript(countShifts);
  for (const path of ["/", "/prober", "/issuers", "/apps?traits=quagga-data", appPath(dids[0] ?? "")]) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path, { waitUntil: "networkidle" });
    expect(await page.evaluate(() => (window as unknown as Shifts).shifted), path).toBeLessThan(0.05);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectAccessible(page);
  }
  const similar = await measure(page.locator("section", { has: page.getByText("Similar services") }));
  expect(similar).toMatchObject({ isFirst: true, unlabelled: [], emphasized: [], blocks: 1 });
  expect(similar.proven).toBe("quagga-1.example");
});

// @threat services: An address, domain or account that passes for another service's
test("an address leads to who proves it, and shows claims as such", async ({ page }) => {
  const [proven = "", claimed = ""] = urls;
  const answer = page.getByRole("status");
  await page.goto("/");
  await field(page).fill(proven);
  await field(page).press("Enter");
  await expect(answer.filter({ hasText: "Proven address" })).toContainText(proven);
  await page.goto(`/lookup?subject=${encodeURIComponent(claimed)}`);
  await expect(answer).toContainText(`No registered service has ${claimed}`);
  const claims = page.locator("section", { hasText: "Claimed, not proven" });
  await expect(claims).toContainText("quagga-1.example");
  await expect(claims).not.toContainText(/pass/i);
  await expectAccessible(page);

  await page.getByLabel("URL, domain, contract, token or DID").fill("quagga-0.example/other");
  await page.getByRole("button", { name: "Look up" }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "No registered service has https://quagga-0.example/other",
    "Other services of this host or site",
  ]);
});

test("the search suggests while typing, is accessible, and supports the keyboard and the pointer", async ({
  page,
}) => {
  await page.goto("/");
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
  await expectAccessible(page, "the suggestions");
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

  await field(page).fill("quagga");
  await list(page)
    .getByRole("option", { name: /Quagga Society/ })
    .click();
  await page.waitForURL(searchFor("Quagga Society"));
  await expect(page.locator('[data-claim="name"]')).toHaveCount(zebras.length);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the home page counts the services of each kind and trait, and links to them", async ({ page }) => {
    // The page omits counts that the index doesn't return in time, as on a busy machine.
    await expect(async () => {
      await page.goto("/");
      for (const name of [/^API ?[\d,]+ services?$/, /^MCP server ?[\d,]+ services?$/])
        await expect(page.getByRole("link", { name })).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const trait = page.getByRole("navigation", { name: "Browse services" }).getByRole("link").last();
    const [, count = ""] = /(\d+) services$/.exec((await trait.textContent()) ?? "") ?? [];
    await trait.click();
    await expect(page.getByRole("status").filter({ hasText: `${count} service` })).toBeVisible();
    await page.goto("/");
    await page.getByRole("link", { name: /^MCP server ?[\d,]+ services?$/ }).click();
    await expect(page).toHaveURL("/apps?traits=api:mcp");
  });

  test("the search is a plain form, and finds services for a misspelled word", async ({ page }) => {
    for (const [path, words] of [
      ["/", "quagga stud"],
      ["/apps", "quaggga stud"],
    ] as const) {
      await page.goto(path);
      await field(page).fill(words);
      await field(page).press("Enter");
      await page.waitForURL(searchFor(words));
      await expect(page.locator('[data-claim="name"]').first()).toHaveText("Quagga Stud Book");
      await expect(list(page)).toBeHidden();
    }
    await expect(page.getByText("Searched for quagga. No services match “quaggga”.")).toBeVisible();
  });
});

test("the documents open from the header, run only their own scripts, and can be searched", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Docs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Documentation" })).toBeVisible();
  await page.locator("#local-search button").click();
  await page.locator("#localsearch-input").fill("reclaim a record");
  await page
    .getByRole("option", { name: /Reclaim a record/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/keep-control#reclaim-a-record$/);
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]');
  await expect(policy).toHaveAttribute("content", /^script-src 'self'(?: 'sha256-[\w+/]+=')+$/);
});
