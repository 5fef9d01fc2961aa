import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderAlertsPage } from "./docs/alertsPage.ts";
import { renderArchitecturePage } from "./docs/architecturePage.ts";
import { renderCliPage } from "./docs/cliPage.ts";
import { renderConfigurationPage } from "./docs/configurationPage.ts";
import { renderContractsPage } from "./docs/contractsPage.ts";
import { renderControlPage } from "./docs/controlPage.ts";
import { renderErrorReference } from "./docs/errorReference.ts";
import { renderGalleryPage } from "./docs/galleryPage.ts";
import { renderHttpPage } from "./docs/httpPage.ts";
import { renderIndexerPage } from "./docs/indexerPage.ts";
import { renderPerformancePage } from "./docs/performancePage.ts";
import { renderThreatsPage } from "./docs/threatsPage.ts";
import { rootDirectory } from "./stack/processes.ts";

/** Writes the generated pages and parts of pages of the documentation. The contracts must be built (`pnpm build`). */
await writeFile(join(rootDirectory, "docs/errors.md"), await renderErrorReference());
await writeFile(join(rootDirectory, "docs/contracts.md"), await renderContractsPage());
await writeFile(join(rootDirectory, "docs/indexer.md"), await renderIndexerPage());
await writeFile(join(rootDirectory, "docs/control.md"), await renderControlPage());
await writeFile(join(rootDirectory, "docs/gallery.md"), renderGalleryPage());
await writeFile(join(rootDirectory, "docs/threats.md"), await renderThreatsPage());
await writeFile(join(rootDirectory, "docs/cli.md"), await renderCliPage());
await writeFile(join(rootDirectory, "docs/http-api.md"), await renderHttpPage());
await writeFile(join(rootDirectory, "docs/alerts.md"), await renderAlertsPage());
await writeFile(join(rootDirectory, "docs/configuration.md"), await renderConfigurationPage());
await writeFile(join(rootDirectory, "docs/performance.md"), await renderPerformancePage());
await writeFile(join(rootDirectory, "docs/architecture.md"), await renderArchitecturePage());
