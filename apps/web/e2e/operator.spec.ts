import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appPath, getProvenSubject } from "@app-registry/sdk";
import { expect } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { testAccount } from "./support/chain.ts";
import { registerAnyHost, untilIndexed } from "./support/registry.ts";
import { testWith } from "./support/testWith.ts";

const reason = "It passes for another lighthouse.";
const publisher = 13;
const metadata = {
  ...{ name: "Lighthouse Keeper", publisher: "Keepers", description: "Lamps and fog signals." },
  ...{ traits: ["api:mcp", "lamps"], image: "https://keepers.example/icon.png" },
  endpoints: [{ name: "MCP", endpoint: "https://mcp.example/" }],
};
/** A restarted worker registers its own services. */
const run = randomBytes(4).toString("hex");
const shown = { did: `did:web:beacon-${run}.example`, metadata, publisher };
const hidden = { did: `did:web:false-beacon-${run}.example`, metadata, publisher };

const folder = mkdtempSync(join(tmpdir(), "hidden-"));
const file = join(folder, "hidden.json");
writeFileSync(file, JSON.stringify({ [hidden.did]: reason }));

/**
 * One server for all tests of this file. The publisher submits the attestations, as on a public server: the wallet signs
 * in first.
 */
const test = testWith({
  HIDDEN_FILE: file,
  ISSUER_REQUIRE_SIWE: "true",
  WALLETCONNECT_PROJECT_ID: "0123456789abcdef0123456789abcdef",
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.describe("an issuer that only signs", () => {
  // The server requires a wallet sign-in and a waiting period for later accounts.
  test.use({ expectedErrors: [/status of 403 .*\/api\/verify-and-attest/] });

  test("with an issuer that only signs, the publisher's wallet submits the attestations and publishes", async ({
    page,
    host,
  }) => {
    const did = host.did(testAccount(3).address);
    const messages: string[] = [];
    page.on("request", (request) => {
      if (!request.url().endsWith("/api/verify-and-attest")) return;
      const { siwe } = request.postDataJSON() as { siwe?: { message: string } };
      if (siwe) messages.push(siwe.message);
    });
    const wizard = new RegisterPage(page);
    await wizard.open();
    await wizard.connect("Test account 3");
    await wizard.fillRestApi(did);
    await wizard.publish();
    await expect(wizard.publishing).toContainText(
      "The issuer signed the attestation. Now send it in a transaction.",
    );
    await expect(wizard.publishing).toContainText(/It costs about [\d,]+ gas/);
    for (const sentence of [
      "Submit the issuer's signed attestation that you control this DID.",
      `Register ${did}`,
      "Submit the issuer's signed attestation of this dataHash.",
    ]) {
      await expect(wizard.confirmation).toContainText(sentence);
      await wizard.confirm();
    }
    await wizard.openPublished();
    await new ServicePage(page).expectVerified();
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
});

test.describe("a hidden service, without JavaScript", () => {
  test.beforeAll(async ({ baseURL }) => {
    for (const service of [shown, hidden]) await registerAnyHost(baseURL, service);
    await untilIndexed(baseURL);
  });

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
      const answer = await (await page.request.get(path)).text();
      expect(answer, path).toContain(getProvenSubject(shown.did).name);
      expect(answer, path).not.toContain(getProvenSubject(hidden.did).name);
    }
    await page.goto(`/apps?did=${hidden.did}`);
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Keeper" })).toHaveCount(0);
    for (const picture of ["badge", "card"])
      expect((await page.request.get(`/api/${picture}/${hidden.did}`)).status(), picture).toBe(451);
  });
});
