import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderContractsPage } from "./docs/contractsPage.ts";
import { renderErrorReference } from "./docs/errorReference.ts";
import { rootDirectory } from "./stack/processes.ts";

/** Writes docs/errors.md, and the figures of docs/contracts.md, from the contracts as they are built (`pnpm build`). */
await writeFile(join(rootDirectory, "docs/errors.md"), await renderErrorReference());
await writeFile(join(rootDirectory, "docs/contracts.md"), await renderContractsPage());
