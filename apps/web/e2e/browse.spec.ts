import { appPath, getProvenSubject } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { registerAnyHost } from "./support/anyHost.ts";
import { measure } from "./support/measure.ts";
import { test } from "./support/test.ts";

const traits = ["api:mcp", "okapi-data"];
const mcp = (part: object) => [{ name: "MCP", endpoint: "https://okapi.example/mcp", ...part }];
const tools = ["count", "find"].map((name) => ({ name, description: "About okapis." }));
const services = [
  {
    did: "did:web:okapi-0.example",
    metadata: { name: "Okapi Census", traits, endpoints: mcp({ tools, authentication: { bearer: {} } }) },
  },
  {
    did: "did:web:okapi-1.example",
    metadata: {
      ...{ name: "Okapi Atlas ✓", traits, endpoints: mcp({ skills: tools.slice(1) }) },
      payments: [{ type: "✓ verified", chains: ["eip155:8453"], price: { amount: "0.01", symbol: "USDC" } }],
    },
  },
];
const dids = services.map(({ did }) => did);
const compare = (...listed: string[]) => `/compare?${new URLSearchParams(listed.map((did) => ["did", did]))}`;

test.beforeAll(async ({ browser, baseURL }) => {
  const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
  const found = async () => (await page.request.get("/api/search?traits=okapi-data")).text();
  // A restarted worker finds them already registered.
  if (!(await found()).includes(dids[0] ?? "")) {
    for (const { did, metadata: own } of services) {
      const metadata = { publisher: "Okapis", description: "Okapis.", ...own };
      await registerAnyHost(page, { did, metadata });
    }
  }
  await expect.poll(found).toContain(dids[1]);
  await page.close();
});

type Shifts = { shifted: number };

/** Sums the layout shifts of a page, without those after input. */
function countShifts() {
  const counted = Object.assign(window as unknown as Shifts, { shifted: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[])
      counted.shifted += entry.hadRecentInput ? 0 : entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** Returns the texts of a row of the comparison. */
const row = (page: Page, label: string) =>
  page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: label, exact: true }) })
    .getByRole("cell");

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the home page counts the services of each kind and trait, and links to them", async ({ page }) => {
    await page.goto("/");
    for (const name of ["Apps for people", "APIs", "A2A agents", "Contracts"]) {
      await expect(page.getByRole("link", { name: new RegExp(`^${name} [\\d,]+$`) })).toBeVisible();
    }
    const trait = page.getByRole("navigation", { name: "Browse services" }).getByRole("link").last();
    const [, count = ""] = /(\d+) services$/.exec((await trait.textContent()) ?? "") ?? [];
    await trait.click();
    await expect(page.getByRole("status").filter({ hasText: "record" })).toContainText(`${count} record`);
    await page.goto("/");
    await page.getByRole("link", { name: /^MCP servers [\d,]+$/ }).click();
    await expect(page).toHaveURL("/apps?traits=api:mcp");
  });

  test("the home page lists services by their latest version and their last response", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Recently updated" }).click();
    await expect(page).toHaveURL("/apps?sort=updated");
    await page.goto("/");
    await page.getByRole("link", { name: "Recently reachable" }).click();
    await expect(page).toHaveURL("/apps?live=answers&sort=changed");
  });

  test("services that are selected in a list are compared side by side", async ({ page }) => {
    await page.goto("/apps?traits=okapi-data");
    for (const did of dids) {
      await page.getByRole("checkbox", { name: `Compare ${getProvenSubject(did).name}` }).check();
    }
    await page.getByRole("button", { name: "Compare selected" }).click();
    await expect(page).toHaveURL(/\/compare\?did=.*&did=/);
    const heads = page.getByRole("columnheader");
    await expect(heads).toHaveCount(2);
    await page.goto(compare(...dids));
    for (const [index, did] of dids.entries()) {
      await expect(heads.nth(index)).toContainText(`Controlled by ${getProvenSubject(did).name}`);
    }
    await expect(row(page, "Control")).toHaveText(["Pass", "Pass"]);
    await expect(row(page, "Content")).toHaveText(["Pass", "Pass"]);
    await expect(row(page, "Status")).toHaveText(["Active", "Active"]);
    await expect(row(page, "Newest version")).toHaveText(["1.0.0", "1.0.0"]);
    await expect(row(page, "Registered")).toHaveText([/\d{4}$/, /\d{4}$/]);
    await expect(row(page, "Tools")).toHaveText(["2", "0"]);
    await expect(row(page, "Skills")).toHaveText(["0", "1"]);
    await expect(row(page, "Authentication")).toHaveText([
      "Claimed authentication: “Bearer token”",
      "none declared",
    ]);
    const payment = "Claimed payment: “[check mark] verified: 0.01 USDC per request, eip155:8453”";
    await expect(row(page, "Payment")).toHaveText(["none declared", payment]);
  });

  // @threat services: A brand's name under an unrelated host
  test("a comparison begins each column with the proven name and labels all claims", async ({ page }) => {
    await page.goto(compare(...dids));
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const head = await measure(page.getByRole("columnheader").first());
      expect(head.text).toMatch(/^Controlled by okapi-0\.example/);
      expect(head).toMatchObject({ isFirst: true, unlabelled: [], emphasized: [], tagged: 1 });
      // Only the frame, which scrolls, is wider than a phone.
      expect(head.cut).toEqual(width === 360 ? [expect.stringMatching(/^SECTION .*\(auto\)$/)] : []);
      expect(head.provenSize).toBeGreaterThan(Math.max(head.nameSize, head.otherSize));
      const { unclaimedText, blocks, tagged, unlabelled } = await measure(page.getByRole("table"));
      expect(unlabelled).toEqual([]);
      expect(unclaimedText).not.toMatch(/Okapi|USDC|Bearer/);
      expect(tagged).toBe(blocks);
    }
  });

  test("a comparison that isn't possible says why", async ({ page }) => {
    const [first = "", second = ""] = dids;
    const others = Array.from({ length: 4 }, (_, index) => `did:web:other-${index}.example`);
    for (const [path, reason] of [
      ["/compare", "You selected none. Select two to four services."],
      [compare(first), "You selected one. Select two to four services."],
      [compare(first, ...others), "You selected more. Select two to four services."],
      [compare(first, "okapi"), "A DID starts with did:web: or did:pkh:"],
      [compare(first, second, ...others.slice(1, 2)), "did:web:other-1.example: This registry has no record"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(reason)).toBeVisible();
    }
    await expect(page.getByRole("columnheader")).toHaveCount(2);
  });
});

test("a service's page links to a comparison with a service that shares a trait", async ({ page }) => {
  await page.goto(appPath(dids[0] ?? ""));
  const similar = await measure(page.locator("section", { has: page.getByText("Similar services") }));
  expect(similar).toMatchObject({ isFirst: true, unlabelled: [], emphasized: [], tagged: 1, blocks: 1 });
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await expect(page.getByRole("columnheader")).toHaveText([/okapi-0\.example/, /okapi-1\.example/]);
});

test("public pages are accessible and don't shift, and a phone scrolls only a comparison's table", async ({
  page,
}) => {
  await page.addInitScript(countShifts);
  for (const path of ["/", "/apps?traits=okapi-data", appPath(dids[0] ?? ""), compare(...dids)]) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path, { waitUntil: "networkidle" });
    expect(await page.evaluate(() => (window as unknown as Shifts).shifted), path).toBeLessThan(0.05);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("region", { name: "Comparison" }).focus();
  const labels = page.getByRole("rowheader", { name: "Control", exact: true });
  const { x } = (await labels.boundingBox()) ?? {};
  const control = row(page, "Control").last();
  await expect(control).not.toBeInViewport({ ratio: 0.5 });
  for (let press = 0; press < 12; press++) await page.keyboard.press("ArrowRight");
  await expect(control).toBeInViewport({ ratio: 0.5 });
  expect(await labels.boundingBox()).toMatchObject({ x });
});
