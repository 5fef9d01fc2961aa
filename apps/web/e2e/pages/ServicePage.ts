import { expect, type Locator, type Page } from "@playwright/test";

/** The page of one service. */
export class ServicePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get name(): Locator {
    return this.page.locator('[data-claim="name"]');
  }

  /** The host, the path or the contract that is proven. */
  get proven(): Locator {
    return this.page.locator("[data-proven]");
  }

  /** One of the facts, once it was checked. */
  fact(name: "record" | "control" | "content" | "attested" | "origin" | "live"): Locator {
    return this.page.locator(`[data-fact="${name}"]`);
  }

  /** Waits until the facts that make a service trustworthy are checked and pass. */
  async expectVerified({ origin = "pass" } = {}): Promise<void> {
    const outcomes = { record: "pass", control: "pass", content: "pass", attested: "pass", origin } as const;
    for (const [name, outcome] of Object.entries(outcomes)) {
      const fact = this.fact(name as keyof typeof outcomes);
      await expect(fact).toHaveAttribute("data-outcome", outcome);
    }
  }

  /** Unfolds what the shown version changed after the one before it. */
  async openChanges(): Promise<Locator> {
    const changes = this.page.locator("details", { has: this.page.getByText(/^Changes from .* to /) });
    await changes.locator("summary").click();
    return changes;
  }
}
