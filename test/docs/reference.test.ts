import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderCliPage, renderHttpPage } from "../../scripts/docs/interfacePages.ts";
import {
  renderAlertsPage,
  renderConfigurationPage,
  renderDeploymentPage,
  renderPerformancePage,
} from "../../scripts/docs/operationPages.ts";
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
