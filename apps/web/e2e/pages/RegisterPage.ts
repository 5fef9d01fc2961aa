import { getProvenSubject } from "@app-registry/sdk";
import { expect, type Locator, type Page } from "@playwright/test";

/** Page object of the registration wizard. */
export class RegisterPage {
  readonly page: Page;
  readonly publishing: Locator;

  constructor(page: Page) {
    this.page = page;
    this.publishing = page.getByRole("list", { name: "Publishing" });
  }

  async open(existing?: { did: string; major: number }): Promise<void> {
    const query = existing
      ? `?${new URLSearchParams({ did: existing.did, major: String(existing.major) })}`
      : "";
    await this.page.goto(`/register${query}`);
    await expect(this.page.getByRole("navigation", { name: "Steps" })).toBeVisible();
  }

  /** Returns the section with the connected wallet. */
  get wallet(): Locator {
    return this.page.getByRole("region", { name: "Wallet", exact: true });
  }

  /** Returns RainbowKit's dialog for choosing a wallet. */
  get connectDialog(): Locator {
    return this.page.getByRole("dialog", { name: "Connect a wallet" });
  }

  /** Opens the dialog of the connected account or of its network. */
  async openDialog(button: "Account" | "Network"): Promise<Locator> {
    await this.wallet.getByRole("button", { name: button, exact: true }).click();
    const name = { Account: "Your account", Network: "Switch Networks" }[button];
    return this.page.getByRole("dialog", { name });
  }

  /** Connects a wallet, such as "Test account 1" of the local chain, unless one is connected. */
  async connect(name: string): Promise<void> {
    await expect(this.wallet).toContainText(/Signing as|No wallet connected/);
    if (await this.wallet.getByText("Signing as").isVisible()) return;
    await this.wallet.getByRole("button", { name: "Connect wallet" }).click();
    await this.connectDialog.getByRole("button", { name }).click();
    await expect(this.wallet).toContainText("Signing as");
    await expect(this.connectDialog).toHaveCount(0);
  }

  async disconnect(): Promise<void> {
    const dialog = await this.openDialog("Account");
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await expect(this.wallet).toContainText("No wallet connected");
  }

  /** Disconnects the wallet and connects another one. */
  async change(name: string): Promise<void> {
    await this.disconnect();
    await this.connect(name);
  }

  /** Opens a screen by its title in the list of steps. */
  async goTo(step: string): Promise<void> {
    const steps = this.page.getByRole("navigation", { name: "Steps" });
    await steps.getByRole("button", { name: new RegExp(`^${step}`) }).click();
    await expect(this.page.getByRole("heading", { level: 2, name: step })).toBeVisible();
  }

  /** Returns a field by its label. */
  field(name: string): Locator {
    return this.page
      .getByRole("textbox", { name, exact: true })
      .or(this.page.getByRole("combobox", { name, exact: true }));
  }

  /** Returns the results of reading a service address. */
  get results(): Locator {
    return this.page.getByRole("region", { name: "Results" });
  }

  /** Enters a service address and waits for the findings. */
  async look(address: string): Promise<void> {
    const box = this.field("Service address");
    await box.fill(address);
    await box.press("Enter");
    await expect(this.results).toBeVisible();
  }

  /** Selects a suggested DID. */
  async takeDid(did: string): Promise<void> {
    await this.results.locator(`input[type="radio"][value="${did}"]`).check();
  }

  /** Fills in the DID and version on their screen. */
  async identify(fields: { DID?: string; Version?: string }): Promise<void> {
    await this.goTo("DID and version");
    await this.fill(fields);
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.field(label).fill(value);
  }

  /** Selects the types of service on the first screen. */
  async chooseKinds(...labels: string[]): Promise<void> {
    const tiles = this.page.getByRole("region", { name: "Type of service" });
    for (const label of labels) {
      const tile = tiles.getByRole("button", { name: new RegExp(`^(✓ )?${label} ?[A-Z]`) });
      await tile.click();
      await expect(tile).toHaveAttribute("aria-pressed", "true");
    }
  }

  async openProblems(): Promise<Locator> {
    await this.page.getByRole("button", { name: /problems? to fix/ }).click();
    return this.page.getByRole("list", { name: "Problems to fix" });
  }

  async publish(): Promise<void> {
    await this.goTo("Review and publish");
    await this.page.getByRole("button", { name: /^Publish (record|version)/ }).click();
  }

  /** Returns the alert of a problem. */
  get alert(): Locator {
    return this.page.getByRole("main").getByRole("alert");
  }

  /** Returns the dialog in which a test account confirms its transaction. */
  get confirmation(): Locator {
    return this.page.getByRole("dialog", { name: /asks you to confirm/ });
  }

  async confirm(): Promise<void> {
    await this.confirmation.getByRole("button", { name: "Confirm" }).click();
  }

  /** Returns the heading of the last screen, shown once everything is done. */
  get published(): Locator {
    return this.page.getByRole("heading", { name: /^(Your service is registered|Version .+ is published)$/ });
  }

  /** Waits until everything is done, and opens the service's page. */
  async openPublished(): Promise<void> {
    await expect(this.published).toBeVisible();
    await this.page.getByRole("link", { name: "View service" }).click();
    await this.page.waitForURL(/\/apps\/did/);
  }

  /** Publishes, confirms, and waits until the service's page is shown. */
  async publishToEnd(): Promise<void> {
    await this.publish();
    await this.confirm();
    await this.openPublished();
  }

  /** Fills in a REST API of a DID's host that is ready to publish. */
  async fillRestApi(did: string): Promise<void> {
    await this.identify({ DID: did, Version: "1.0.0" });
    await this.goTo("About the service");
    await this.fill({ Name: "Tide Tables", Description: "High and low water.", Publisher: "Example Ltd" });
    await this.goTo("Your service");
    await this.chooseKinds("API");
    await this.goTo("API");
    await this.fill({ "Endpoint URL": `http://${getProvenSubject(did).name}/v1` });
  }
}
