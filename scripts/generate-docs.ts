import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderAlertsPage } from "./docs/alertsPage.ts";
import { renderCliPage } from "./docs/cliPage.ts";
import { renderConfigurationPage } from "./docs/configurationPage.ts";
import { renderContractsPage } from "./docs/contractsPage.ts";
import { renderDeploymentPage } from "./docs/deploymentPage.ts";
import { renderErrorReference } from "./docs/errorReference.ts";
import { renderGalleryPage } from "./docs/galleryPage.ts";
import { renderHttpPage } from "./docs/httpPage.ts";
import { renderMetadataPage } from "./docs/metadataPage.ts";
import { renderPerformancePage } from "./docs/performancePage.ts";
import { renderThreatsPage } from "./docs/threatsPage.ts";
import { rootDirectory } from "./stack/processes.ts";

const pages = {
  alerts: renderAlertsPage,
  cli: renderCliPage,
  configuration: renderConfigurationPage,
  contracts: renderContractsPage,
  deployment: renderDeploymentPage,
  errors: renderErrorReference,
  gallery: renderGalleryPage,
  "http-api": renderHttpPage,
  metadata: renderMetadataPage,
  performance: renderPerformancePage,
  threats: renderThreatsPage,
};

/** Writes the generated pages and parts of pages of the documentation. The contracts must be built (`pnpm build`). */
for (const [name, render] of Object.entries(pages)) {
  await writeFile(join(rootDirectory, `docs/${name}.md`), await render());
}
