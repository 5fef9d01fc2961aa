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
  async expectVerified(): Promise<void> {
    for (const name of ["record", "control", "content", "attested", "origin"] as const)
      await expect(this.fact(name)).toHaveAttribute("data-outcome", "pass");
  }
}
