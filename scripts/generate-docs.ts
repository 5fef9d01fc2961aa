import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderContractsPage } from "./docs/contractsPage.ts";
import { renderControlPage } from "./docs/controlPage.ts";
import { renderErrorReference } from "./docs/errorReference.ts";
import { renderGalleryPage } from "./docs/galleryPage.ts";
import { renderIndexerPage } from "./docs/indexerPage.ts";
import { renderThreatsPage } from "./docs/threatsPage.ts";
import { rootDirectory } from "./stack/processes.ts";

/** Writes docs/errors.md from the compiled contracts (`pnpm build`), and the figures and tables of other pages. */
await writeFile(join(rootDirectory, "docs/errors.md"), await renderErrorReference());
await writeFile(join(rootDirectory, "docs/contracts.md"), await renderContractsPage());
await writeFile(join(rootDirectory, "docs/indexer.md"), await renderIndexerPage());
await writeFile(join(rootDirectory, "docs/control.md"), await renderControlPage());
await writeFile(join(rootDirectory, "docs/gallery.md"), renderGalleryPage());
await writeFile(join(rootDirectory, "docs/threats.md"), await renderThreatsPage());
