import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appPath, getProvenSubject } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { ServicePage } from "./pages/ServicePage.ts";
import { testAccount } from "./support/accounts.ts";
import { registerAnyHost } from "./support/anyHost.ts";
import { testWith } from "./support/testWith.ts";

const reason = "It passes for another lighthouse.";
const publisher = 13;
const metadata = (name: string) => ({
  ...{ name, publisher: "Keepers", description: "Lamps and fog signals.", traits: ["api:mcp", "lamps"] },
  image: "https://keepers.example/icon.png",
  endpoints: [{ name: "MCP", endpoint: "https://mcp.example/" }],
});
/** A restarted worker registers its own services. */
const run = randomBytes(4).toString("hex");
const shown = { did: `did:web:beacon-${run}.example`, metadata: metadata("Lighthouse Keepers"), publisher };
const hidden = {
  did: `did:web:false-beacon-${run}.example`,
  metadata: metadata("Lighthouse Keeper"),
  publisher,
};

const folder = mkdtempSync(join(tmpdir(), "hidden-"));
const file = join(folder, "hidden.json");
writeFileSync(file, JSON.stringify({ [hidden.did]: reason }));

const test = testWith({ HIDDEN_FILE: file });

test.beforeAll(async ({ browser, baseURL }) => {
  const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
  for (const service of [shown, hidden]) await registerAnyHost(page, service);
  await page.close();
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const answer = async (page: Page, path: string) => (await page.request.get(path)).text();

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a hidden service's page shows the operator's reason, and the chain's data on request", async ({
    page,
  }) => {
    for (const path of [hidden.did, `${hidden.did}/v/1.0.0`].map((name) => `/apps/${name}`)) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        "The operator of this registry has hidden this service",
      );
      await expect(page.getByText(`The operator's reason: ${reason}`)).toBeVisible();
      await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
      expect(await page.content()).not.toMatch(/Keeper|fog signals|mcp\.example/);
    }
    await page.goto(appPath(hidden.did));
    await page.getByRole("link", { name: "Show the on-chain record" }).click();
    const service = new ServicePage(page);
    await expect(service.fact("control")).toHaveAttribute("data-outcome", "pass");
    expect(await page.content()).not.toMatch(/Keeper|fog signals/);
  });

  test("a hidden service is missing from lists, feeds and sitemaps, unlike a visible one", async ({
    page,
  }) => {
    const account = testAccount(publisher).address;
    const lists = [
      ...["/apps", "/apps?q=lamps", "/apps?traits=lamps", `/owners/${account}`, "/api/search?q=lamps"],
      ...["/feed.atom?traits=lamps", "/v0.1/servers?search=beacon"],
    ];
    for (const path of lists) {
      await expect
        .poll(() => answer(page, path), { message: path })
        .toContain(getProvenSubject(shown.did).name);
      expect(await answer(page, path), path).not.toContain(getProvenSubject(hidden.did).name);
    }
    const [, sitemap = ""] = /<loc>([^<]+)<\/loc>/.exec(await answer(page, "/sitemap.xml")) ?? [];
    const addresses = await answer(page, sitemap);
    expect(addresses).toContain(appPath(shown.did));
    expect(addresses).not.toContain(appPath(hidden.did));
    await page.goto(`/apps?status=any&under=${hidden.did}`);
    expect(await page.content()).not.toMatch(/Keeper|fog signals/);
    await page.goto(`/apps?did=${hidden.did}`);
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Keeper" })).toHaveCount(0);
  });

  test("a hidden service has no badge, card or picture", async ({ page }) => {
    for (const kind of ["badge", "card", "apps"]) {
      expect((await page.request.get(`/api/${kind}/${shown.did}`)).status(), kind).toBe(200);
    }
    const paths = ["badge", "card", "apps"].map((kind) => `/api/${kind}/${hidden.did}`);
    for (const path of [...paths, `/api/picture/${hidden.did}/v/1.0.0?pointer=/image`]) {
      const response = await page.request.get(path);
      expect(response.status(), path).toBe(451);
      expect(await response.json()).toMatchObject({ code: "hidden", detail: reason });
    }
  });
});
