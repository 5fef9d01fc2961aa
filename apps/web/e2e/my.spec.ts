import { appPath, publishApp, requestAttestation } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { MyPage } from "./pages/MyPage.ts";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { passTime, testAccount } from "./support/chain.ts";
import { attestAnyHost, connect, readDocument, registerAnyHost, untilIndexed } from "./support/registry.ts";
import { test } from "./support/test.ts";

const publisher = testAccount(3);
const newcomer = testAccount(4);

/** Publishes a service as test account 3. */
async function publish(baseURL: string | undefined, did: string): Promise<void> {
  await publishApp({
    client: await connect(baseURL, publisher),
    did,
    version: "1.0.0",
    interfaces: 1,
    metadata: {
      name: "The ferry",
      description: "A service.",
      image: "https://guide.example/icon.png",
      publisher: "Example Ltd",
      screenshotUrls: ["https://guide.example/one.png"],
      platforms: { web: { launchUrl: "https://guide.example/app" } },
    },
  });
}

async function open(page: Page, account: string): Promise<MyPage> {
  const my = new MyPage(page);
  await my.open();
  await new RegisterPage(page).connect(account);
  return my;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Passes days on the chain, and reloads the page. */
async function passDays(page: Page, days: number): Promise<void> {
  await passTime(days * DAY);
  await page.reload();
}

test("an account waiting for control is shown publicly and to a controller, who blocks it", async ({
  page,
  baseURL,
  host,
}) => {
  const did = host.did(publisher.address);
  await publish(baseURL, did);
  // An account can only be blocked once the DID's first attestation has matured.
  await passTime(HOUR);
  host.name(did, publisher.address, newcomer.address);
  const { status } = await requestAttestation({
    baseUrl: baseURL ?? "",
    did,
    connectedAddress: newcomer.address,
    requiredSchemas: ["did-ownership"],
  });
  expect(status).toBe("waiting");
  const blocking = `Block ${newcomer.address} from control of this DID until`;
  const blocked = "An account is blocked from control of your DID until";

  await test.step("the service's page shows the notice, even without scripts", async () => {
    await untilIndexed(baseURL);
    const text = await (await page.request.get(appPath(did))).text();
    expect(text).toContain("An account is requesting control of this DID");
    expect(text).toContain(newcomer.address.slice(0, 36));
    await page.goto(appPath(did));
    const notice = page.getByRole("list", { name: "Accounts waiting for control" });
    await expect(notice).toContainText(
      /Control by account .* takes effect on .* UTC unless a controller blocks it\./,
    );
    await notice.getByRole("link", { name: "For controllers: block this account" }).click();
    await expect(page).toHaveURL(new RegExp(`account=${newcomer.address}#block`));
  });
  await test.step("a controller blocks the account in /my and extends the block", async () => {
    const my = await open(page, "Test account 3");
    const mine = my.service(did);
    await expect(mine).toContainText(/This wallet controls the DID, valid until \d+ \w+ 20\d\d/);
    await expect(mine).toContainText(/\d pass|All 6 facts pass/);
    await expect(mine).toContainText(
      /An account is waiting for control of your DID: control takes effect on .* UTC unless you block the account/,
    );
    await expectAccessible(page);
    await mine.getByRole("button", { name: "Block for 30 days" }).click();
    await my.answer("Confirm", blocking);
    await expect(mine).toContainText(blocked);
    await mine.getByRole("button", { name: "Extend block" }).click();
    await my.answer("Confirm", blocking);
    await expect(mine.getByRole("button", { name: "Extend block" })).toBeEnabled();
  });
  await test.step("the controller blocks another account and extends both blocks at once", async () => {
    await untilIndexed(baseURL);
    const other = testAccount(5).address;
    await page.goto(`/control?${new URLSearchParams({ did })}`);
    await expect(page.getByRole("region", { name: `Account ${newcomer.address}` })).toContainText(
      /Blocked from control of the DID.*Blocked until .* UTC/,
    );
    await expect(
      page.getByText("One account controls this DID. One account is blocked.", { exact: true }),
    ).toBeVisible();
    await page
      .getByText(/^\d+ \w+ \d+, .* UTC$/)
      .first()
      .hover();
    await expect(page.locator("time[title$='your time']")).toHaveCount(1);
    await expectAccessible(page);
    await page.goto(`/control?${new URLSearchParams({ did, account: other })}`);
    const my = new MyPage(page);
    await page.getByRole("button", { name: "Block for 30 days" }).click();
    await my.answer("Confirm", `Block ${other} from control of this DID until`);
    await expect(page.getByText(/^A controller blocked this account on .*, until /)).toBeVisible();
    await page.getByRole("button", { name: "Extend all 2 blocks" }).click();
    await my.answer("Confirm", "Block accounts from controlling DIDs (2 in total).");
    await expect(page.getByRole("button", { name: "Extend all 2 blocks" })).toBeEnabled();
  });
  await test.step("the controller ends the block, and the account controls the DID later", async () => {
    await untilIndexed(baseURL);
    const my = await open(page, "Test account 3");
    const mine = my.service(did);
    await expect(mine.getByText(blocked)).toHaveCount(2);
    const notice = mine.locator("section", { hasText: newcomer.address }).filter({ hasText: blocked });
    await notice.getByRole("button", { name: "End block", exact: true }).click();
    await my.answer("Confirm", `End the block that keeps ${newcomer.address} from control of this DID.`);
    await expect(mine).toContainText("An account is waiting for control of your DID");
    await passTime(HOUR);
    await expect(mine).not.toContainText("An account is waiting for control of your DID");
  });
  await test.step("the account can deprecate the record without a reason", async () => {
    await new RegisterPage(page).change("Test account 4");
    const my = new MyPage(page);
    await my.press(did, "Deprecate");
    const form = my.service(did).getByRole("form", { name: "Deprecate" });
    await expect(form).toContainText(
      "Only the record's minter or holder can publish a reason or a successor.",
    );
    await expect(form.getByRole("button", { name: "Deprecate, no reason" })).toBeEnabled();
  });
});

test("a record is deprecated with a version that gives the reason, reactivated, and its token transferred", async ({
  page,
  baseURL,
  host,
}) => {
  const did = host.did(publisher.address);
  await publish(baseURL, did);
  const my = await open(page, "Test account 3");
  const mine = my.service(did);

  await test.step("deprecating with a reason takes two transactions", async () => {
    await my.press(did, "Deprecate");
    const form = mine.getByRole("form", { name: "Deprecate" });
    const reason = form.getByRole("textbox", { name: "Deprecation reason" });
    await expect(reason).toBeFocused();
    await expect(form.getByRole("button", { name: "Publish and deprecate" })).toBeDisabled();
    await reason.fill("The tram stops in May.");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Publish and deprecate" }).click();
    await my.answer("Confirm", `Publish version 1.0.1 of ${did}`);
    await my.answer("Confirm", `Mark major version 1 of ${did} as Deprecated`);
    await expect(mine).toContainText(/1\.0\.1.*Deprecated/s);
    await my.change.getByRole("button", { name: "Close" }).click();
    await expect(mine).toBeFocused();
    const { deprecation } = await readDocument(baseURL, did, "1.0.1");
    expect(deprecation).toBe("The tram stops in May.");
  });
  await test.step("a discarded change returns the focus to its button", async () => {
    await my.press(did, "Reactivate");
    await my.change.getByRole("button", { name: "Discard" }).click();
    await expect(mine.getByRole("button", { name: "Reactivate" })).toBeFocused();
    await my.confirm(did, "Reactivate", `Mark major version 1 of ${did} as Active.`);
    await expect(mine).toContainText(/1\.0\.1.*Active/s);
    await my.change.getByRole("button", { name: "Close" }).click();
  });
  await test.step("a rejected transfer survives a reload, and the confirmed one does not move the control", async () => {
    await my.press(did, "Transfer");
    const form = mine.getByRole("form", { name: "Transfer" });
    await expect(form).toContainText("Transferring the token doesn't transfer control of the DID");
    const field = form.getByRole("textbox", { name: "New holder" });
    await expect(field).toBeFocused();
    await field.fill(newcomer.address.replace("d", "D"));
    await expect(form).toContainText("The checksum of this address is wrong.");
    await field.fill(newcomer.address);
    await expect(form).toContainText("it will only be able to hold and transfer the token.");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Transfer token" }).click();
    await my.answer("Reject", `to ${newcomer.address}.`);
    const { change } = my;
    await expect(change.getByRole("alert")).toBeVisible();
    await page.reload();
    await expect(change).toContainText("declined the request in the wallet");
    await change.getByRole("button", { name: /Try again|Continue/ }).click();
    await my.answer("Confirm", "Control of its DID is not transferred.");
    await expect(mine).toContainText("Only the token's holder can do this.");
    await expect(mine).toContainText("This wallet controls the DID");
    await change.getByRole("button", { name: "Close" }).click();
    await new RegisterPage(page).change("Test account 4");
    await expect(mine).toContainText("No issuer attests that this wallet controls the DID.");
    await my.openDetails(did);
    await expect(mine.getByRole("button", { name: "Transfer" })).toBeEnabled();
  });
});

test("a controller challenges another one whose control expires, and reclaims its record", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const former = testAccount(11);
  const did = "did:web:pier.example";
  const metadata = { name: "Pier", description: "Boats.", publisher: "Pier" };
  await registerAnyHost(baseURL, { did, metadata, publisher: 11, lifetime: 3 * DAY });
  await attestAnyHost(baseURL, { did, publisher: 2 });
  const my = await open(page, "Test account 2");
  const mine = my.service(did);
  const challenge = mine.getByRole("region", { name: "Challenge", exact: true });

  await test.step("the second controller challenges it once its own attestation has matured", async () => {
    await expect(mine).toContainText("This wallet's control takes effect on");
    await expect(my.reason(did, "Reclaim record")).toContainText(
      `${former.address} holds or minted the record`,
    );
    await expect(my.reason(did, "Challenge controller")).toContainText("a matured attestation");
    await passDays(page, 1);
    await my.press(did, "Challenge controller");
    const choice = mine.getByRole("region", { name: "Challenge a controller" });
    await expect(choice).toContainText("Issuers backing this account: 1");
    await choice.getByRole("button", { name: "Challenge" }).click();
    await my.answer("Confirm", `Challenge ${former.address} as a controller of this DID.`);
    await my.closeChange();
    await expect(challenge).toContainText("The challenge can be resolved from");
  });
  await test.step("the challenge is won once no issuer backs the other controller", async () => {
    await passDays(page, 13);
    await my.confirm(did, "Resolve challenge", `Remove ${former.address} as a controller of this DID`);
    await my.closeChange();
    await expect(challenge).toHaveCount(0);
  });
  await test.step("the second controller opens a reclaim and finishes it a month later", async () => {
    await my.confirm(did, "Reclaim record", `Open a reclaim of major version 1 of ${did}.`);
    await my.closeChange();
    await expect(my.reason(did, "Finish reclaim")).toContainText("Your reclaim can be finished from");
    await passDays(page, 31);
    await my.confirm(did, "Finish reclaim", `transfer the token of major version 1 of ${did} to you.`);
    await my.closeChange();
    await expect(mine).toContainText(/1\.0\.0.*Active.*holder/s);
    await my.openDetails(did);
    await expect(mine.getByRole("button", { name: "Transfer" })).toBeEnabled();
  });
});
