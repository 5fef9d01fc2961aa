import { expect, type Locator, type Page } from "@playwright/test";

/** The services of the connected wallet. */
export class MyPage {
  readonly page: Page;
  /** The change on its way. */
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
    return this.page
      .getByRole("list", { name: "My services" })
      .getByRole("listitem")
      .filter({ hasText: did });
  }

  async changeStatus(did: string, action: "Deprecate" | "Reactivate" | "Mark as replaced"): Promise<void> {
    await this.service(did).getByRole("button", { name: action }).click();
    await this.answer("Confirm");
  }

  /** Answers what a test account asks before it signs, which says `sentence`. */
  async answer(button: "Confirm" | "Reject", sentence = ""): Promise<void> {
    const question = this.page.getByRole("dialog", { name: /asks you to confirm/ });
    await expect(question).toContainText(sentence);
    await question.getByRole("button", { name: button }).click();
  }

  /** Why the wallet can't do something now. */
  reason(did: string, action: string): Locator {
    const item = this.page.locator("dl > div", { has: this.page.getByText(action, { exact: true }) });
    return this.service(did).locator(item).getByRole("definition");
  }

  /** Waits until a change has passed all its steps, and closes it. */
  async closeChange(...steps: string[]): Promise<void> {
    const close = this.change.getByRole("button", { name: "Close" });
    await expect(close).toBeVisible();
    const items = this.change.getByRole("listitem");
    await expect(items).toHaveCount(steps.length);
    for (const [index, step] of steps.entries()) {
      await expect(items.nth(index)).toContainText(new RegExp(`${step}.*Done`, "s"));
    }
    await close.click();
  }
}
