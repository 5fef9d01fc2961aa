import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderContractsPage, renderErrorReference } from "./docs/contractPages.ts";
import { renderCliPage, renderHttpPage, renderMetadataPage } from "./docs/interfacePages.ts";
import {
  renderAlertsPage,
  renderConfigurationPage,
  renderDeploymentPage,
  renderPerformancePage,
} from "./docs/operationPages.ts";
import { renderGalleryPage, renderThreatsPage } from "./docs/testPages.ts";
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
