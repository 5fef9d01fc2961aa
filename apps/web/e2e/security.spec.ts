import {
  appPath,
  createAppRegistryClient,
  hashDocument,
  parseDeployment,
  parseVersion,
} from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { createPublicClient, createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import { ServicePage } from "./pages/ServicePage.ts";
import { RPC_URL, testAccount } from "./support/chain.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { test } from "./support/test.ts";

const publisher = testAccount(4);

// The browser logs each missing page.
test.use({ expectedErrors: [/status of 404 .*\/(apps\/did:web:nobody\.example|no-such-page)\)/] });

let host: DidServer;
test.beforeEach(async () => {
  host = await startDidServer(publisher.address);
});
test.afterEach(() => host.close());

/** Registers 1.0.0 with a document that the wizard cannot produce. */
async function registerDocument(page: Page, did: string, document: unknown): Promise<void> {
  const attested = await page.request.post("/api/verify-and-attest", {
    data: { did, connectedAddress: publisher.address },
  });
  expect(await attested.json()).toMatchObject({ ok: true });
  const { canonical, dataHash } = hashDocument(JSON.stringify(document), 0);
  const deployment = parseDeployment(await (await page.request.get("/api/deployment")).text());
  const chain = { chain: hardhat, transport: http(RPC_URL), pollingInterval: 100 };
  const client = createAppRegistryClient({
    deployment,
    publicClient: createPublicClient(chain),
    walletClient: createWalletClient({ ...chain, account: publisher }),
  });
  const hash = await client.mint({
    did,
    interfaces: 1,
    dataUrl: `${host.origin}/metadata.json`,
    dataHash,
    dataHashAlgorithm: 0,
    version: parseVersion("1.0.0"),
    traitHashes: [],
    metadataJson: canonical,
  });
  await client.waitForReceipt({ hash });
}

test("every page runs only its own scripts and cannot be framed by other sites", async ({ page }) => {
  const nonces = new Set<string>();
  const paths = ["/", "/apps", "/register", "/my", "/apps/did:web:nobody.example", "/no-such-page"];
  for (const path of paths) {
    const response = await page.goto(path);
    const headers = response?.headers() ?? {};
    const policy = headers["content-security-policy"] ?? "";
    const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src")) ?? "";
    expect(scripts, path).toMatch(/'nonce-[^']+' 'strict-dynamic'$/);
    expect(scripts).not.toMatch(/unsafe/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin-allow-popups",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
    nonces.add(/'nonce-([^']+)'/.exec(scripts)?.[1] ?? "");
    await expect(page.locator("main")).toBeVisible();
  }
  expect(nonces.size).toBe(paths.length);
});

// @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
test("an injected script does not run", async ({ context }) => {
  const page = await context.newPage();
  await page.goto("/");
  const blocked = await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
          resolve(violatedDirective),
        );
        const element = document.createElement("div");
        element.innerHTML = `<img src="/no-such-image" onerror="window.injected = true">`;
        document.body.append(element);
      }),
  );
  expect(blocked).toMatch(/^script-src/);
  expect(await page.evaluate(() => "injected" in window)).toBe(false);
});

// @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
test("a hostile document is shown without its links and scripts, and without requests to its hosts", async ({
  page,
}) => {
  const did = host.did("hostile");
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await registerDocument(page, did, {
    name: "Pay\u202elaP <img src=x onerror=alert(1)>",
    description: "<script>alert(1)</script>",
    publisher: "Example",
    image: `${host.origin}/icon.png`,
    external_url: "javascript:alert(1)",
    supportUrl: "data:text/html,<script>alert(1)</script>",
    screenshotUrls: [`${host.origin}/screenshot.png`, "JaVaScRiPt:alert(1)"],
    platforms: { web: { launchUrl: " javascript:alert(1)" } },
    traits: [],
  });
  await page.goto(appPath(did));
  await expect(new ServicePage(page).name).toContainText("Pay\ufffdlaP <img");
  await expect(page.getByText("not linked: unsafe address").first()).toBeVisible();
  const hrefs = await page
    .locator("a[href]")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(hrefs.filter((href) => !/^(https?:|\/|#|mailto:)/.test(href ?? ""))).toEqual([]);
  const { origin } = new URL(page.url());
  expect(requested.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([]);
});
