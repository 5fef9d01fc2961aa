import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderAlertsPage } from "../../scripts/docs/alertsPage.ts";
import { renderCliPage } from "../../scripts/docs/cliPage.ts";
import { renderConfigurationPage } from "../../scripts/docs/configurationPage.ts";
import { renderDeploymentPage } from "../../scripts/docs/deploymentPage.ts";
import { renderHttpPage } from "../../scripts/docs/httpPage.ts";
import { renderPerformancePage } from "../../scripts/docs/performancePage.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

const pages = {
  "docs/alerts.md": renderAlertsPage,
  "docs/cli.md": renderCliPage,
  "docs/configuration.md": renderConfigurationPage,
  "docs/deployment.md": renderDeploymentPage,
  "docs/http-api.md": renderHttpPage,
  "docs/performance.md": renderPerformancePage,
};

describe("generated reference pages", () => {
  for (const [path, render] of Object.entries(pages)) {
    it(`${path} matches the code`, async () => {
      const page = await readFile(join(rootDirectory, path), "utf8");
      expect(page, "run `pnpm docs:generate`").to.equal(await render());
    });
  }
});
