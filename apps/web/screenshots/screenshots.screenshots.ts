import { appPath } from "@app-registry/sdk";
import { startDidHost } from "@app-registry/test-kit/didHost";
import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { expect, type Page, test } from "@playwright/test";
import { samples } from "../../../scripts/stack/sampleServices.ts";
import { MyPage } from "../e2e/pages/MyPage.ts";
import { RegisterPage } from "../e2e/pages/RegisterPage.ts";
import { testAccount } from "../e2e/support/chain.ts";
import { attestAnyHost, registerAnyHost } from "../e2e/support/registry.ts";
import { saveScreenshot } from "./saveScreenshot.ts";

const toDid = (path: string) => `did:web:${path}.example`;
const PUBLISHER = 2;
const NEWCOMER = 11;
/** Samples of the publisher. The others belong to another account. */
const own = ["weather", "library"];
/** Service that the stack's operator hides. */
const HIDDEN = toDid("scam");

const sizes = [
  ["desktop", 1280, 900],
  ["phone", 360, 800],
] as const;

/** Takes a page in both sizes and themes. */
async function photograph(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  for (const [size, width, height] of sizes) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await saveScreenshot(page, `screenshots/${name}-${size}-${colorScheme}`, { height });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test("pages", async ({ page, baseURL }) => {
  for (const { path, interfaces, metadata } of samples) {
    const publisher = own.includes(path) ? PUBLISHER : 9;
    await registerAnyHost(baseURL, { did: toDid(path), interfaces, metadata, publisher });
  }
  const scam = { name: "Storm Warnings", publisher: "The weather service", description: "Warnings." };
  await registerAnyHost(baseURL, { did: HIDDEN, metadata: scam, publisher: 9 });
  await attestAnyHost(baseURL, { did: toDid("library"), publisher: NEWCOMER });
  const listed = async () => (await page.request.get("/apps")).text();
  await expect.poll(listed).toContain(toDid(samples.at(-1)?.path ?? ""));

  const account = testAccount(NEWCOMER).address;
  for (const [name, path] of [
    ["home", "/"],
    ["services", "/apps"],
    ["misspelled", "/apps?q=wether"],
    ["service", appPath(toDid("weather"))],
    ["newcomer", appPath(toDid("library"))],
    ["publisher", "/apps?under=did:web:weather.example"],
    ["hidden", appPath(HIDDEN)],
    ["control", `/control?did=${toDid("library")}&account=${account}`],
    ["issuers", "/issuers"],
  ] as const) {
    await page.goto(path, { waitUntil: "networkidle" });
    await expect(page.getByText("Checking…")).toHaveCount(0);
    await photograph(page, name);
  }

  await page.goto("/apps");
  await page.getByRole("combobox", { name: "Search services" }).pressSequentially("weath");
  await expect(page.getByRole("listbox", { name: "Suggestions" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await photograph(page, "suggestions");

  const wizard = new RegisterPage(page);
  const my = new MyPage(page);
  await my.open();
  await wizard.connect(`Test account ${PUBLISHER}`);
  await expect(my.service(toDid("library"))).toContainText("An account is waiting for control of your DID");
  await photograph(page, "my");

  const host = await startDidHost();
  host.name(host.root, testAccount(PUBLISHER).address);
  const server = await startEverythingServer();
  host.forward("/mcp", server.url);
  await wizard.open();
  await photograph(page, "register-start");
  await wizard.look(`${host.origin}/mcp`);
  await photograph(page, "register-found");
  await wizard.takeDid(host.root);
  for (const [step, name] of [
    ["DID and version", "register-did"],
    ["About the service", "register-about"],
    ["API", "register-api"],
    ["Traits and payments", "register-traits"],
    ["Advanced", "register-advanced"],
    ["Review and publish", "register-review"],
  ] as const) {
    await wizard.goTo(step);
    await photograph(page, name);
  }
  await wizard.publish();
  await wizard.confirm();
  await expect(wizard.published).toBeVisible({ timeout: 90_000 });
  await photograph(page, "register-published");
  await server.stop();
  await host.close();
});
