import { readFile } from "node:fs/promises";
import { startDidHost } from "@app-registry/test-kit/didHost";
import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { testAccount } from "./support/chain.ts";
import { test } from "./support/test.ts";

const publisher = testAccount(1);

// The browser logs each rejection by the issuer.
test.use({ expectedErrors: [/status of 422 .*\/api\/verify-and-attest/] });

const stepTitle = (page: Page, name: string) => page.getByRole("heading", { level: 2, name });
const step = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: new RegExp(`^${name}`) });

test("Back, Forward, Enter and a reload move through the steps without losing input", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await page.goto("/apps");
  await wizard.open();
  await expect(page).toHaveURL(/\/register#start$/);
  await wizard.goTo("DID and version");
  await wizard.fill({ DID: "did:web:example.com" });
  await wizard.field("DID").press("Enter");
  await expect(stepTitle(page, "About the service")).toBeFocused();
  await expect(page).toHaveURL(/\/register#about$/);
  await wizard.fill({ Name: "Tide Tables", Description: "High water." });
  await wizard.field("Description").press("Enter");
  await expect(wizard.field("Description")).toHaveValue("High water.\n");

  await page.goBack();
  await expect(stepTitle(page, "DID and version")).toBeFocused();
  await expect(wizard.field("DID")).toHaveValue("did:web:example.com");
  await page.goForward();
  await expect(wizard.field("Name")).toHaveValue("Tide Tables");
  await page.reload();
  await expect(stepTitle(page, "About the service")).toBeVisible();
  await expect(wizard.field("Description")).toHaveValue("High water.\n");

  for (const title of ["DID and version", "Your service"]) {
    await page.goBack();
    await expect(stepTitle(page, title)).toBeVisible();
  }
  await page.goBack();
  await expect(page).toHaveURL(/\/apps$/);

  await test.step("Register opens an empty form, and asks before a draft is lost", async () => {
    const unfinished = page.getByRole("heading", { name: "You have an unfinished draft" });
    const register = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Register" });
    await register.click();
    await expect(unfinished).toBeVisible();
    await expect(page.getByRole("main")).toContainText("Tide Tables");
    await page.getByRole("button", { name: "Continue draft" }).click();
    await expect(stepTitle(page, "Your service")).toBeFocused();
    await wizard.goTo("About the service");
    await expect(wizard.field("Name")).toHaveValue("Tide Tables");
    await register.click();
    await page.getByRole("button", { name: "Discard draft" }).click();
    await wizard.goTo("About the service");
    await expect(wizard.field("Name")).toHaveValue("");
    await register.click();
    await expect(stepTitle(page, "Your service")).toBeVisible();
  });
});

test("a draft is exported and imported, and an invalid file shows the reason", async ({
  page,
  host,
}, info) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  const did = host.did();
  await wizard.fillRestApi(did);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export the draft" }).click();
  const file = info.outputPath("draft.json");
  await (await downloading).saveAs(file);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ did, interfaces: 2 });

  const focused = (name: string) => expect(page.getByRole("button", { name })).toBeFocused();
  await page.getByRole("button", { name: "Start over" }).click();
  await focused("Keep draft");
  await page.keyboard.press("Enter");
  await focused("Start over");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expect(stepTitle(page, "Your service")).toBeFocused();
  const open = async (name: string, text: string | Buffer) => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import a draft" }).click();
    const chooser = await choosing;
    await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  };
  await open("notes.json", '{\n  "hello": 1,\n}');
  await expect(wizard.alert).toContainText("notes.json can't be opened. The file isn't valid JSON.");
  await open("draft.json", await readFile(file));
  await expect(page.getByText("Imported draft.json")).toBeVisible();
  await wizard.goTo("About the service");
  await expect(wizard.field("Name")).toHaveValue("Tide Tables");
  await open("metadata.json", '{"name": "Harbour Lights"}');
  await expect(wizard.field("Name")).toHaveValue("Harbour Lights");
  await page.getByRole("button", { name: "Undo" }).click();
  await focused("Export the draft");
  await expect(wizard.field("Name")).toHaveValue("Tide Tables");
  await wizard.goTo("DID and version");
  await expect(wizard.field("DID")).toHaveValue(did);
});

const screens = [
  "Your service",
  "DID and version",
  "About the service",
  "Website or app",
  "API",
  "Contract",
  "Traits and payments",
  "Advanced",
  "Metadata as JSON",
  "Review and publish",
];

test("every screen is accessible in both themes and fits a phone", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.chooseKinds("Website or app", "MCP server", "Contract");
  for (const title of screens) {
    await wizard.goTo(title);
    await expect(stepTitle(page, title)).toBeVisible();
    await expect(step(page, title)).toHaveAttribute("aria-current", "step");
    await expectAccessible(page, title);
  }
  await wizard.openProblems();
  await expectAccessible(page, "the list of problems");
});

test("control of the DID and of another host is checked until the wallet controls both", async ({
  page,
  host,
}) => {
  const did = host.root;
  const files = { id: `${did}#files`, type: "LinkedDomains", serviceEndpoint: "https://example.com" };
  const document = { "@context": ["https://www.w3.org/ns/did/v1"], id: did, service: [files] };
  host.put("/.well-known/did.json", JSON.stringify(document));
  const other = await startDidHost();
  other.name(other.root);
  const otherHost = new URL(other.origin).host;
  await page.clock.install();
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect("Test account 1");
  await wizard.fillRestApi(did);

  await test.step("an endpoint on another host is explained at its field, and passes once the wallet controls that host", async () => {
    await wizard.fill({ "Endpoint URL": `${other.origin}/v1` });
    await wizard.field("Endpoint URL").blur();
    const notice = page.getByRole("region", { name: `${otherHost} is a different host` });
    await expect(notice).toContainText(`URLs at ${otherHost} make the Origin fact fail, unless`);
    await notice.getByRole("button", { name: "Check control" }).click();
    await expect(notice.getByRole("alert")).toContainText(publisher.address);
    await expectAccessible(page);
    other.name(other.root, publisher.address);
    await notice.getByRole("button", { name: "Check again" }).click();
    await expect(notice).toContainText("Your wallet controls this DID.");
  });
  await test.step("control is checked automatically once the host serves the file, which keeps its other entries", async () => {
    await wizard.goTo("DID and version");
    const control = page.getByRole("region", { name: "Control of the DID" });
    await expect(control).toContainText("Not checked yet.");
    await expect(step(page, "DID and version")).toContainText("control not checked");
    await control.getByRole("button", { name: "Check control" }).click();
    await expect(control).toContainText("Control not proven.");
    await expect(step(page, "DID and version")).toContainText("control not proven");
    await expect(control).toContainText("plus an entry for your wallet");
    await control.getByRole("checkbox", { name: "Keep checking automatically" }).check();
    await expect(control).toContainText(/Next check in \d+ seconds\./);
    await expectAccessible(page);

    const file = (await control.getByRole("alert").locator("pre").last().textContent()) ?? "";
    expect(JSON.parse(file)).toMatchObject({ service: [files] });
    host.put("/.well-known/did.json", file);
    await wizard.goTo("About the service");
    await page.clock.fastForward(20_000);
    await expect(step(page, "DID and version")).toContainText("done");
    await wizard.goTo("DID and version");
    await expect(control).toContainText(/Your wallet controls this DID\. Valid until \d+ \w+ 20\d\d\./);
    await expect(control.getByRole("button")).toHaveCount(0);
  });
  await wizard.publishToEnd();
  const service = new ServicePage(page);
  await service.expectVerified();
  await expect(service.fact("origin")).toContainText(`${otherHost}, controlled by the same account`);
  await other.close();
});
