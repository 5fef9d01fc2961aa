import { RegisterPage } from "./pages/RegisterPage.ts";
import { expectAccessible } from "./support/accessibility.ts";
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

test("every screen of the wizard is accessible in both themes and fits a phone", async ({ page }) => {
  const wizard = new RegisterPage(page);
  await wizard.open();
  await wizard.goTo("Your service");
  await wizard.chooseKinds("Website or app", "MCP server", "Contract");
  await expectAccessible(page, "Your service");
  for (const screen of screens) {
    await wizard.goTo(screen);
    await expectAccessible(page, screen);
  }
  await wizard.openProblems();
  await expectAccessible(page, "the list of problems");
});
