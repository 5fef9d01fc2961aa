import { appPath } from "@app-registry/sdk";
import { expect, type Page, test } from "@playwright/test";
import { samples } from "../../../scripts/stack/sampleMetadata.ts";
import { MyPage } from "../e2e/pages/MyPage.ts";
import { RegisterPage } from "../e2e/pages/RegisterPage.ts";
import { testAccount } from "../e2e/support/accounts.ts";
import { attestAnyHost, registerAnyHost } from "../e2e/support/anyHost.ts";
import { savePicture } from "./savePicture.ts";

const didOf = (path: string) => `did:web:${path}.example`;
const PUBLISHER = 2;
const NEWCOMER = 11;
/** What the publisher has; the other samples are another account's. */
const own = ["weather", "library"];
/** What the stack's operator hides. */
const HIDDEN = didOf("scam");

const sizes = [
  ["desktop", 1280, 900],
  ["phone", 360, 800],
] as const;

/** Takes a page in both sizes and themes, as it is. */
async function photograph(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  for (const [size, width, height] of sizes) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await savePicture(page, `screenshots/${name}-${size}-${colorScheme}`, { height });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test("pages", async ({ page }) => {
  for (const { path, interfaces, metadata } of samples) {
    const publisher = own.includes(path) ? PUBLISHER : 9;
    await registerAnyHost(page, { did: didOf(path), interfaces, metadata, publisher });
  }
  const scam = { name: "Storm Warnings", publisher: "The weather service", description: "Warnings." };
  await registerAnyHost(page, { did: HIDDEN, metadata: scam, publisher: 9 });
  await attestAnyHost(page, { did: didOf("library"), publisher: NEWCOMER });
  const listed = async () => (await page.request.get("/apps")).text();
  await expect.poll(listed).toContain(didOf(samples.at(-1)?.path ?? ""));

  const account = testAccount(NEWCOMER).address;
  for (const [name, path] of [
    ["home", "/"],
    ["services", "/apps"],
    ["misspelt", "/apps?q=wether"],
    ["service", appPath(didOf("weather"))],
    ["newcomer", appPath(didOf("library"))],
    ["publisher", "/by/weather.example"],
    ["hidden", appPath(HIDDEN)],
    ["control", `/control?did=${didOf("library")}&account=${account}`],
    ["issuers", "/issuers"],
  ] as const) {
    await page.goto(path, { waitUntil: "networkidle" });
    await expect(page.getByText("Being checked")).toHaveCount(0);
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
  await expect(my.service(didOf("library"))).toContainText("asks to control this DID");
  await photograph(page, "my");

  await wizard.open();
  await wizard.identify({ DID: "did:web:tides.example", Version: "1.0.0" });
  await photograph(page, "register-did");
  await wizard.goTo("About the service");
  await wizard.fill({
    Name: "Tides",
    Description: "Tide tables for 1,200 harbours.",
    Publisher: "Tides Ltd",
  });
  await wizard.goTo("What you register");
  await wizard.chooseKinds("MCP server");
  await photograph(page, "register-interfaces");
  await wizard.goTo("API");
  await wizard.fill({ "Endpoint URL": "https://tides.example/mcp" });
  await photograph(page, "register-api");
  await wizard.goTo("Review and publish");
  await photograph(page, "register-review");
});
