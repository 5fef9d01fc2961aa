import { expect, type Locator, type Page } from "@playwright/test";

/** The services of the connected wallet. */
export class MyPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/my");
    await expect(this.page.getByRole("region", { name: "Wallet" })).toBeVisible({ timeout: 90_000 });
  }

  service(did: string): Locator {
    return this.page
      .getByRole("list", { name: "My services" })
      .getByRole("listitem")
      .filter({ hasText: did });
  }

  async changeStatus(did: string, action: "Deprecate" | "Reactivate" | "Mark as replaced"): Promise<void> {
    await this.service(did).getByRole("button", { name: action }).click();
    const question = this.page.getByRole("dialog", { name: /asks you to confirm/ });
    await question.getByRole("button", { name: "Confirm" }).click();
  }
}
