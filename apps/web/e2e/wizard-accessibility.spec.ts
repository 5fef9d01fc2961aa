import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { RegisterPage } from "./pages/RegisterPage.ts";
import { test } from "./support/test.ts";

const screens = [
  "DID and version",
  "About the service",
  "Website or app",
  "API",
  "Contract",
  "Traits and payments",
  "Advanced",
  "Metadata as JSON",
  "Review and publish",
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`every screen of the wizard is accessible in ${colorScheme} colours`, async ({ page }) => {
    // Contrast is judged at rest: what is half faded in has none.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const wizard = new RegisterPage(page);
    const expectAccessible = async (place: string) => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        place,
      ).toEqual([]);
    };
    await wizard.open();
    await wizard.goTo("What you register");
    await wizard.chooseKinds("Website or app", "MCP server", "Contract");
    await expectAccessible("What you register");
    for (const screen of screens) {
      await wizard.goTo(screen);
      await expectAccessible(screen);
    }
    await wizard.openProblems();
    await expectAccessible("the list of problems");
  });
}
