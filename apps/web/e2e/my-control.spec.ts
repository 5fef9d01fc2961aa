import { expect, type Page } from "@playwright/test";
import { MyPage } from "./pages/MyPage.ts";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { testAccount } from "./support/accounts.ts";
import { attestAnyHost, registerAnyHost } from "./support/anyHost.ts";
import { testChain } from "./support/chain.ts";
import { startDidServer } from "./support/didServer.ts";
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

test("a controller has its attestation renewed once an issuer renews it", async ({ page }) => {
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
    await mine.getByRole("button", { name: "Renew attestation" }).click();
    await expect(my.change).toContainText(`Renew your attestation for ${did}`);
    await my.closeChange("Prove that you control the DID");
    await expect(my.reason(did, "Renew attestation")).toContainText(/No renewal needed yet/);
    await expect(validUntil).not.toHaveText(before ?? "");
  } finally {
    await host.close();
  }
});

test("a controller challenges another whose control lapses, and reclaims its record", async ({ page }) => {
  const former = testAccount(11);
  const did = "did:web:pier.example";
  await registerAnyHost(page, { did, metadata, publisher: 11, lifetime: 3 * DAY });
  await attestAnyHost(page, { did, publisher: 2 });
  const my = await open(page, 2);
  const mine = my.service(did);
  const chain = testChain();
  const pass = async (days: number) => {
    await chain.increaseTime({ seconds: days * DAY });
    await chain.mine({ blocks: 1 });
    await page.reload();
  };

  await test.step("challenges it", async () => {
    await expect(mine).toContainText("This wallet's control takes effect on");
    await expect(my.reason(did, "Reclaim record")).toContainText(`${former.address} controls the DID.`);
    await mine.getByRole("button", { name: "Challenge controller" }).click();
    const choice = mine.getByRole("region", { name: "Challenge a controller" });
    await expect(choice).toContainText("Issuers backing it: 1");
    await choice.getByRole("button", { name: "Challenge" }).click();
    await my.answer("Confirm", `Challenge ${former.address} as a controller of this DID.`);
    await my.closeChange(...sending);
    await expect(my.reason(did, "Resolve challenge")).toContainText("It can be resolved from");
  });
  await test.step("can't win while as many issuers stand behind the other", async () => {
    await pass(8);
    await expect(my.reason(did, "Resolve challenge")).toContainText("Currently 1 to 1");
  });
  await test.step("wins once nobody stands behind it", async () => {
    await pass(5);
    await mine.getByRole("button", { name: "Resolve challenge" }).click();
    await my.answer("Confirm", `Remove ${former.address} as a controller of this DID`);
    await my.closeChange(...sending);
    await expect(mine.getByRole("region", { name: "Challenge", exact: true })).toHaveCount(0);
  });
  await test.step("opens a reclaim, and finishes it a month later", async () => {
    await mine.getByRole("button", { name: "Reclaim record" }).click();
    await my.answer("Confirm", `Open a reclaim of major version 1 of ${did}.`);
    await my.closeChange(...sending);
    await expect(my.reason(did, "Finish reclaim")).toContainText("Your reclaim can be finished from");
    await pass(31);
    await mine.getByRole("button", { name: "Finish reclaim" }).click();
    await my.answer("Confirm", `transfer the token of major version 1 of ${did} to you.`);
    await my.closeChange(...sending);
    await expect(mine).toContainText(/1\.0\.0.*Active.*holder/s);
    await expect(mine.getByRole("button", { name: "Transfer" })).toBeEnabled();
  });
});
