import { expect, type Locator, type Page } from "@playwright/test";

/** Page object of a service's page. */
export class ServicePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get name(): Locator {
    return this.page.getByRole("article").locator('[data-claim="name"]');
  }

  /** Returns the proven host, path or contract. */
  get proven(): Locator {
    return this.page.getByRole("article").locator("[data-proven]");
  }

  /** Returns a fact once it was checked. */
  fact(name: "record" | "control" | "content" | "attested" | "origin" | "live"): Locator {
    return this.page.locator(`[data-fact="${name}"]`);
  }

  /** Waits until all facts except *live* have been checked, and expects them to pass. */
  async expectVerified({ origin = "pass" } = {}): Promise<void> {
    const outcomes = { record: "pass", control: "pass", content: "pass", attested: "pass", origin } as const;
    for (const [name, outcome] of Object.entries(outcomes)) {
      const fact = this.fact(name as keyof typeof outcomes);
      await expect(fact).toHaveAttribute("data-outcome", outcome);
    }
  }

  /** Opens the changes between the shown version and the previous one. */
  async openChanges(): Promise<Locator> {
    const changes = this.page.locator("details", { has: this.page.getByText(/^Changes from .* to /) });
    await changes.locator("summary").click();
    return changes;
  }
}
