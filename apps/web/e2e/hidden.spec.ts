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

  test("a hidden service is missing from the lists of pages, unlike a visible one", async ({ page }) => {
    for (const path of ["/apps?q=lamps", `/owners/${testAccount(publisher).address}`]) {
      await expect
        .poll(() => answer(page, path), { message: path })
        .toContain(getProvenSubject(shown.did).name);
      expect(await answer(page, path), path).not.toContain(getProvenSubject(hidden.did).name);
    }
    await page.goto(`/apps?did=${hidden.did}`);
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Keeper" })).toHaveCount(0);
    for (const picture of ["badge", "card"])
      expect((await page.request.get(`/api/${picture}/${hidden.did}`)).status(), picture).toBe(451);
  });
});
