import { expect, type Page } from "@playwright/test";
import { MyPage } from "./pages/MyPage.ts";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { testAccount } from "./support/accounts.ts";
import { attestAnyHost, registerAnyHost } from "./support/anyHost.ts";
import { testChain } from "./support/chain.ts";
import { startDidServer } from "./support/didServer.ts";
import { openRegistry } from "./support/registry.ts";
import { test } from "./support/test.ts";

const DAY = 86_400;
const metadata = { name: "Pier", description: "Boats.", publisher: "Pier", traits: [] };
const sending = [
  "Simulate the transaction",
  "Sign the transaction",
  "Wait for confirmation",
  "Wait for the search index",
];

async function open(page: Page, account: number): Promise<MyPage> {
  const my = new MyPage(page);
  await my.open();
  await new RegisterPage(page).connect(`Test account ${account}`);
  return my;
}

async function pass(page: Page, days: number): Promise<void> {
  const chain = testChain();
  await chain.increaseTime({ seconds: days * DAY });
  await chain.mine({ blocks: 1 });
  await page.reload();
}

test("a controller renews its attestation once an issuer accepts the renewal", async ({ page }) => {
  const publisher = 1;
  const host = await startDidServer(testAccount(publisher).address);
  try {
    const did = host.did("quay");
    await registerAnyHost(page, { did, metadata, publisher, lifetime: DAY });
    const my = await open(page, publisher);
    const mine = my.service(did);
    const validUntil = mine.getByText(/This wallet controls the DID, valid until/);
    await expect(validUntil).toBeVisible();
    const before = await validUntil.textContent();
    await expect(mine).toContainText("Renewal is due.");
    await my.press(did, "Renew attestation");
    await expect(mine.getByRole("region", { name: "Your change" })).toContainText(
      `Renew your attestation for ${did}`,
    );
    await my.continueToWallet();
    await my.closeChange("Prove that you control the DID");
    await expect(my.reason(did, "Renew attestation")).toContainText(/No renewal needed yet/);
    await expect(validUntil).not.toHaveText(before ?? "");
  } finally {
    await host.close();
  }
});

test("a controller challenges another one whose control expires, and reclaims its record", async ({
  page,
}) => {
  const former = testAccount(11);
  const did = "did:web:pier.example";
  await registerAnyHost(page, { did, metadata, publisher: 11, lifetime: 3 * DAY });
  await attestAnyHost(page, { did, publisher: 2 });
  const my = await open(page, 2);
  const mine = my.service(did);
  const challenge = mine.getByRole("region", { name: "Challenge", exact: true });

  await test.step("the second controller challenges it once its own attestation has matured", async () => {
    await expect(mine).toContainText("This wallet's control takes effect on");
    await expect(my.reason(did, "Reclaim record")).toContainText(
      `${former.address} holds or minted the record`,
    );
    await expect(my.reason(did, "Challenge controller")).toContainText("a matured attestation");
    await pass(page, 1);
    await my.press(did, "Challenge controller");
    const choice = mine.getByRole("region", { name: "Challenge a controller" });
    await expect(choice).toContainText("Issuers backing this account: 1");
    await choice.getByRole("button", { name: "Challenge" }).click();
    await my.answer("Confirm", `Challenge ${former.address} as a controller of this DID.`);
    await my.closeChange(...sending);
    await expect(challenge).toContainText("The challenge can be resolved from");
  });
  await test.step("the challenge can't be won while as many issuers back the other controller", async () => {
    await pass(page, 8);
    await expect(challenge).toContainText("Currently 1 to 1");
  });
  await test.step("the challenge is won once no issuer backs the other controller", async () => {
    await pass(page, 5);
    await my.confirm(did, "Resolve challenge", `Remove ${former.address} as a controller of this DID`);
    await my.closeChange(...sending);
    await expect(challenge).toHaveCount(0);
  });
  await test.step("the second controller opens a reclaim and finishes it a month later", async () => {
    await my.confirm(did, "Reclaim record", `Open a reclaim of major version 1 of ${did}.`);
    await my.closeChange(...sending);
    await expect(my.reason(did, "Finish reclaim")).toContainText("Your reclaim can be finished from");
    await pass(page, 31);
    await my.confirm(did, "Finish reclaim", `transfer the token of major version 1 of ${did} to you.`);
    await my.closeChange(...sending);
    await expect(mine).toContainText(/1\.0\.0.*Active.*holder/s);
    await my.openDetails(did);
    await expect(mine.getByRole("button", { name: "Transfer" })).toBeEnabled();
  });
});

test("a holder who controls the DID again dismisses the reclaims of its record", { tag: "@long" }, async ({
  page,
}) => {
  const did = "did:web:pontoon.example";
  const publisher = 4;
  const claimant = testAccount(2).address;
  const newcomer = testAccount(6).address;
  const reclaims = `${claimant} has opened a reclaim of this record.`;
  await registerAnyHost(page, { did, metadata, publisher, lifetime: DAY });
  const { client } = await attestAnyHost(page, { did, publisher: 2 });
  const my = await open(page, publisher);
  const mine = my.service(did);

  await test.step("another controller opens a reclaim after the holder's renewal grace", async () => {
    await pass(page, 9);
    await client.waitForReceipt({ hash: await client.openReclaim({ did, major: 1 }) });
    await attestAnyHost(page, { did, publisher: 6 });
    await (await openRegistry(page)).untilIndexed();
    await page.reload();
    await expect(mine).toContainText(reclaims);
    await expect(mine).toContainText("An account is requesting control of this DID");
    await expect(mine.getByText(newcomer)).toBeVisible();
    await expect(mine.getByRole("button", { name: "Block for 30 days" })).toHaveCount(0);
    await expect(my.reason(did, "Dismiss reclaims")).toContainText("No issuer attests that this wallet");
  });
  await test.step("the holder sees why the reclaim can't be dismissed without control of the DID", async () => {
    await attestAnyHost(page, { did, publisher });
    await (await openRegistry(page)).untilIndexed();
    await page.reload();
    await expect(my.reason(did, "Dismiss reclaims")).toContainText("control takes effect on");
  });
  await test.step("the holder dismisses the reclaim", async () => {
    await pass(page, 1);
    await my.confirm(did, "Dismiss reclaims", `End every open reclaim of major version 1 of ${did}.`);
    await my.closeChange(...sending);
    await expect(mine).not.toContainText(reclaims);
    await expect(mine.getByRole("button", { name: "Dismiss reclaims" })).toHaveCount(0);
    expect(await client.getReclaim({ did, major: 1, claimant })).toBeUndefined();
  });
});
