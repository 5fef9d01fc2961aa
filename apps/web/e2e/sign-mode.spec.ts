import { getProvenSubject, parseVersion } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { testAccount } from "./support/accounts.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { openRegistry } from "./support/registry.ts";
import { testWith } from "./support/testWith.ts";

// Same configuration as a public server on which the publisher submits the attestation: the wallet signs in first.
const WALLETCONNECT_PROJECT_ID = "0123456789abcdef0123456789abcdef";
const test = testWith({ ISSUER_REQUIRE_SIWE: "true", WALLETCONNECT_PROJECT_ID });

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
