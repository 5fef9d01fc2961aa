import { appPath, createAppRegistryClient, parseVersion, publishApp } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { ServicePage } from "./pages/ServicePage.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { testAccount } from "./support/accounts.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { openRegistry } from "./support/registry.ts";
import { test } from "./support/test.ts";

const RPC_URL = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";
const publisher = testAccount(2);

// The issuer rejects a host that does not list the wallet yet.
test.use({ expectedErrors: [/status of 422 .*\/api\/verify-and-attest/] });

let host: DidServer;
test.beforeEach(async () => {
  host = await startDidServer(publisher.address);
});
test.afterEach(() => host.close());

/** Publishes a REST API as account 2 and returns a client that can change it outside the pages. */
async function publish(page: Page, baseUrl: string | undefined, name: string) {
  const { client: reader } = await openRegistry(page);
  const client = createAppRegistryClient({
    deployment: reader.deployment,
    publicClient: reader.publicClient,
    walletClient: createWalletClient({ account: publisher, chain: hardhat, transport: http(RPC_URL) }),
  });
  const did = host.did(name);
  const metadata = {
    name: `The ${name}`,
    description: "A service.",
    publisher: "Example Ltd",
    traits: ["api:rest"],
    endpoints: [{ name: "REST", endpoint: `${host.origin}/${name}/v1` }],
  };
  await publishApp({ client, baseUrl, did, version: "1.0.0", interfaces: 2, metadata });
  return { did, client };
}

/** Opens the wizard for the next version of a record. */
async function openNext(page: Page, did: string): Promise<RegisterPage> {
  const wizard = new RegisterPage(page);
  await wizard.open({ did, major: 1 });
  await wizard.connect("Test account 2");
  await wizard.goTo("DID and version");
  return wizard;
}

/** Publishes a version, including the second transaction that sets the status. */
async function publishAndSet(wizard: RegisterPage, status: string): Promise<void> {
  await wizard.goTo("Review and publish");
  await expect(wizard.page.getByText(`A second transaction sets the record to ${status}.`)).toBeVisible();
  await wizard.publish();
  await wizard.confirm();
  await expect(wizard.confirmation).toContainText(`Mark major version 1 of`);
  await wizard.confirm();
  await wizard.openPublished();
}

test("a new version of a deprecated or replaced record reactivates it or names its successor", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { did, client } = await publish(page, baseURL, "pier");
  await client.waitForReceipt({ hash: await client.updateStatus({ did, major: 1, status: 1 }) });
  const service = new ServicePage(page);

  await test.step("the status stays unless another one is chosen", async () => {
    const wizard = await openNext(page, did);
    const status = page.getByRole("region", { name: "Record status" });
    await expect(status).toContainText(
      "This record is Deprecated. Publishing a version doesn't change that.",
    );
    await expect(status.getByRole("radio", { name: "Deprecated" })).toBeChecked();
    await wizard.goTo("Review and publish");
    await expect(page.getByText("The record stays Deprecated.")).toBeVisible();
  });
  await test.step("the record is reactivated together with 1.0.1", async () => {
    const wizard = new RegisterPage(page);
    await wizard.goTo("DID and version");
    await page.getByRole("radio", { name: "Active" }).check();
    await publishAndSet(wizard, "Active");
    await service.expectVerified();
    expect(await client.getAppSummary({ did, major: 1 })).toMatchObject({
      status: 0,
      latestVersion: parseVersion("1.0.1"),
    });
  });
  await test.step("1.0.2 marks the record as replaced and requests the successor", async () => {
    const wizard = await openNext(page, did);
    await page.getByRole("radio", { name: "Replaced" }).check();
    await wizard.fill({ "Successor DID": did });
    await wizard.goTo("About the service");
    await wizard.goTo("DID and version");
    await expect(wizard.errorOf("Successor DID")).toHaveText("A service can't replace itself.");
    await expectAccessible(page);
    await wizard.fill({ "Successor DID": "did:web:next-pier.example" });
    await publishAndSet(wizard, "Replaced");
    await expect(page.getByText("According to the publisher, replaced by next-pier.example.")).toBeVisible();
    await expect(service.fact("record")).toHaveAttribute("data-outcome", "fail");
  });
  await test.step("1.0.3 reactivates the record and names no successor", async () => {
    const wizard = await openNext(page, did);
    await expect(wizard.field("Successor DID")).toHaveValue("did:web:next-pier.example");
    await page.getByRole("radio", { name: "Active" }).check();
    await expect(wizard.field("Successor DID")).toHaveCount(0);
    await publishAndSet(wizard, "Active");
    const { text } = await (await openRegistry(page)).document(did, parseVersion("1.0.3"));
    expect(JSON.parse(text)).not.toHaveProperty("replacedBy");
    await service.expectVerified();
  });
});

test("an endpoint on another host is explained at its field, and passes once the wallet controls that host", async ({
  page,
  baseURL,
}) => {
  const other = await startDidServer();
  const otherHost = new URL(other.origin).host;
  const { did } = await publish(page, baseURL, "quay");
  const wizard = await openNext(page, did);
  await wizard.goTo("API");
  await wizard.fill({ "Endpoint URL": `${other.origin}/v1` });
  await wizard.field("Endpoint URL").blur();
  const notice = page.getByRole("region", { name: `${otherHost} is a different host` });
  await expect(notice).toContainText(`URLs at ${otherHost} make the Origin fact fail, unless`);
  await notice.getByRole("button", { name: "Check control" }).click();
  await expect(notice.getByRole("alert")).toContainText(publisher.address);
  await expectAccessible(page);
  other.nameWallets(publisher.address);
  await notice.getByRole("button", { name: "Check again" }).click();
  await expect(notice).toContainText("Your wallet controls this DID.");
  await wizard.publishToEnd();
  await page.goto(appPath(did));
  const service = new ServicePage(page);
  await service.expectVerified();
  await expect(service.fact("origin")).toContainText(`${otherHost}, controlled by the same account`);
  await other.close();
});
