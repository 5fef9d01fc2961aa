import { expect, type Locator, type Page } from "@playwright/test";

/** Page object of /my, the services of the connected wallet. */
export class MyPage {
  readonly page: Page;
  /** Section of the running change. */
  readonly change: Locator;

  constructor(page: Page) {
    this.page = page;
    this.change = page.getByRole("region", { name: "Your change" });
  }

  async open(): Promise<void> {
    await this.page.goto("/my");
    await expect(this.page.getByRole("region", { name: "Wallet" })).toBeVisible();
  }

  service(did: string): Locator {
    return this.page.getByRole("list", { name: "My services" }).locator("> li").filter({ hasText: did });
  }

  /** Presses an action of a service, in its row or its details. */
  async press(did: string, action: string): Promise<void> {
    await this.openDetails(did);
    await this.service(did).getByRole("button", { name: action, exact: true }).click();
  }

  async openDetails(did: string): Promise<void> {
    const summary = this.service(did).getByText("Details and other actions");
    await expect(summary).toBeVisible();
    const isOpen = () => summary.evaluate(({ parentElement }) => parentElement?.hasAttribute("open"));
    if (!(await isOpen())) await summary.click();
  }

  /** Presses an action that has no form, continues after its consequence, and confirms it in the wallet. */
  async confirm(did: string, action: string, sentence: string): Promise<void> {
    await this.press(did, action);
    await expect(this.change).toContainText(sentence);
    await this.continueToWallet();
    await this.answer("Confirm", sentence);
  }

  /** Continues a change whose consequence is shown, which has the focus. */
  async continueToWallet(): Promise<void> {
    await expect(this.change.getByRole("heading").first()).toBeFocused();
    await this.change.getByRole("button", { name: "Continue" }).click();
  }

  /** Answers the dialog in which a test account confirms its transaction. The dialog must contain `sentence`. */
  async answer(button: "Confirm" | "Reject", sentence = ""): Promise<void> {
    const question = this.page.getByRole("dialog", { name: /asks you to confirm/ });
    await expect(question).toContainText(sentence);
    await question.getByRole("button", { name: button }).click();
  }

  /** Returns the reason an action is not possible. */
  reason(did: string, action: string): Locator {
    return this.service(did).locator("dt").getByText(action, { exact: true }).locator(":scope + dd");
  }

  /** Waits until a change has completed all stages, and closes it. */
  async closeChange(): Promise<void> {
    const close = this.change.getByRole("button", { name: "Close" });
    await expect(close).toBeVisible();
    for (const item of await this.change.getByRole("listitem").all())
      await expect(item).toContainText("Done");
    await close.click();
  }
}
