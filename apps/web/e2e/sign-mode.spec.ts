import { getProvenSubject, parseVersion } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { testAccount } from "./support/accounts.ts";
import { testChain } from "./support/chain.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { openRegistry } from "./support/registry.ts";
import { testWith } from "./support/testWith.ts";

// Same configuration as a public server on which the publisher submits the attestation: the wallet signs in first.
const FAUCET_URL = "https://faucet.example/?to={address}";
const WALLETCONNECT_PROJECT_ID = "0123456789abcdef0123456789abcdef";
const test = testWith({ ISSUER_REQUIRE_SIWE: "true", FAUCET_URL, WALLETCONNECT_PROJECT_ID });

// The server requires a wallet sign-in and a waiting period for later accounts.
test.use({ expectedErrors: [/status of 403 .*\/api\/verify-and-attest/] });

let host: DidServer;
test.beforeEach(async () => {
  host = await startDidServer(testAccount(3).address, testAccount(4).address);
});
test.afterEach(() => host.close());

/** Fills in a REST API that is ready to publish. */
async function fillIn(page: Page, did: string, account: string): Promise<RegisterPage> {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.connect(account);
  await wizard.identify({ DID: did, Version: "1.0.0" });
  await wizard.goTo("About the service");
  await wizard.fill({ Name: "Train Times", Description: "Departures.", Publisher: "Example Ltd" });
  await wizard.goTo("Your service");
  await wizard.chooseKinds("API");
  await wizard.goTo("API");
  await wizard.fill({ "Endpoint URL": `http://${getProvenSubject(did).name}/v1` });
  return wizard;
}

const HOUR = 3_600;
const bringsControl = "Submit the issuer's signed attestation that you control this DID.";
const bringsHash = "Submit the issuer's signed attestation of this dataHash.";

/** Expects one transaction request with this description, and confirms it. */
async function confirmTransaction(wizard: RegisterPage, sentence: string): Promise<void> {
  await expect(wizard.confirmation).toContainText(sentence);
  await wizard.confirm();
}

test("with an issuer that only signs, the publisher's wallet submits the attestations and publishes", async ({
  page,
}) => {
  const did = host.did("signed");
  const messages: string[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/api/verify-and-attest")) return;
    const { siwe } = request.postDataJSON() as { siwe?: { message: string } };
    if (siwe) messages.push(siwe.message);
  });
  const wizard = await fillIn(page, did, "Test account 3");
  await wizard.publish();
  await expect(wizard.publishing).toContainText(
    "The issuer signed the attestation. Now send it in a transaction.",
  );
  await expect(wizard.publishing).toContainText(/It costs about [\d,]+ gas/);
  await confirmTransaction(wizard, bringsControl);
  await confirmTransaction(wizard, `Register ${did}`);
  await confirmTransaction(wizard, bringsHash);
  await wizard.openPublished();
  await new ServicePage(page).expectVerified();
  const { hash, recorded } = await (await openRegistry(page)).document(did, parseVersion("1.0.0"));
  expect(hash).toBe(recorded);
  // The issuer signs the attestations of control and content, each submitted and requested again. The wallet signed in
  // once.
  expect(messages).toHaveLength(4);
  expect(new Set(messages).size).toBe(1);
  expect(messages[0]).toContain(`Resources:\n- ${did}`);
});

test("a rejected sign-in message costs nothing and can be retried", async ({ page }) => {
  const wizard = await fillIn(page, host.did("rejected"), "Test account 3");
  await wizard.publish();
  await expect(wizard.confirmation).toContainText(bringsControl);
  await wizard.reject();
  await expect(wizard.alert).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await confirmTransaction(wizard, bringsControl);
  await expect(wizard.publishing).toContainText("Attested");
});

/** Attests account 3 for a DID, and account 4 after it. */
async function claimAndFollow(page: Page, did: string): Promise<RegisterPage> {
  const wizard = await fillIn(page, did, "Test account 3");
  await wizard.goTo("DID and version");
  await page.getByRole("button", { name: "Check control" }).click();
  await confirmTransaction(wizard, bringsControl);
  await expect(page.getByText("Your wallet controls this DID.")).toBeVisible();
  await wizard.change("Test account 4");
  await wizard.publish();
  await confirmTransaction(wizard, bringsControl);
  await expect(wizard.controlWait).toContainText("Control takes effect on");
  return wizard;
}

async function pass(seconds: number): Promise<void> {
  const chain = testChain();
  await chain.increaseTime({ seconds });
  await chain.mine({ blocks: 1 });
}

test("a later account sees when its waiting period ends, and publishing continues automatically after it", {
  tag: "@long",
}, async ({ page }) => {
  const did = host.did("claimed");
  const newcomer = testAccount(4).address;
  const wizard = await claimAndFollow(page, did);
  await expect(wizard.controlWait).toContainText(/takes effect on \w+, \d+ \w+ 20\d\d, \d\d:\d\d .*\(in \d+/);
  await page.reload();
  await expect(wizard.controlWait).toContainText("Control takes effect on");

  await pass(2 * HOUR);
  await confirmTransaction(wizard, `Register ${did}`);
  await confirmTransaction(wizard, bringsHash);
  await wizard.openPublished();
  await new ServicePage(page).expectVerified();
  const control = page.locator("#control");
  await expect(control.getByRole("region", { name: newcomer })).toContainText(
    /Controls the DID.*holder and minter/,
  );
  await expect(control.getByRole("region", { name: testAccount(3).address })).toContainText(
    "Controls the DID",
  );
});

test("a controller blocks a later account, which sees the end of the block, and ends the block", {
  tag: "@long",
}, async ({ page }) => {
  const did = host.did("blocked");
  const newcomer = testAccount(4).address;
  const wizard = await claimAndFollow(page, did);
  await pass(HOUR);
  await wizard.change("Test account 3");
  await page.goto(`/control?${new URLSearchParams({ did, account: newcomer })}`);
  await page.getByRole("button", { name: "Block for 30 days" }).click();
  await confirmTransaction(wizard, newcomer);
  await expect(page.getByText(/^Blocked until .*, since /)).toBeVisible();

  await page.goto("/register");
  await expect(wizard.controlWait).toContainText("Blocked until");

  await page.goto(`/control?${new URLSearchParams({ did, account: newcomer })}`);
  await page.getByRole("button", { name: "End block", exact: true }).click();
  await confirmTransaction(wizard, newcomer);
  await expect(page.getByText("Not blocked.")).toBeVisible();
});

test("a wallet without funds sees that beside Publish, with a link to a faucet", async ({ page }) => {
  const { address } = testAccount(4);
  const chain = testChain();
  await chain.setBalance({ address, value: 0n });
  await page.clock.install();
  const wizard = await fillIn(page, host.did("poor"), "Test account 4");
  await wizard.goTo("Review and publish");
  const bar = page.getByRole("region", { name: "Progress" });
  await expect(bar).toContainText("Wallet balance: 0 ETH. ◆ Not enough to publish.");
  const faucet = bar.getByRole("link", { name: "Get test funds" });
  await expect(faucet).toHaveAttribute("href", `https://faucet.example/?to=${address}`);
  await chain.setBalance({ address, value: 10n ** 22n });
  // The page reads the balance again automatically.
  await page.clock.fastForward(10_000);
  await expect(faucet).toHaveCount(0);
});

test.describe("a wallet on another device", () => {
  // The relay need not respond. The browser's request shows that the page's policy allows it.
  test.use({
    expectedErrors: [
      /^WebSocket connection to 'wss:\/\/relay\.walletconnect\..* net::ERR_(NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|CONNECTION_\w+)/,
    ],
  });

  test("connects through WalletConnect's relay under the page's policy", async ({ page }) => {
    const wizard = new RegisterPage(page);
    await wizard.open();
    const relay = page.waitForEvent("websocket", (socket) =>
      /^wss:\/\/relay\.walletconnect\.(org|com)\//.test(socket.url()),
    );
    await wizard.wallet.getByRole("button", { name: "Connect wallet" }).click();
    await wizard.connectDialog.getByRole("button", { name: "WalletConnect" }).click();
    await relay;
  });
});
