import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderErrorReference } from "./docs/errorReference.ts";
import { rootDirectory } from "./stack/processes.ts";

/** Writes docs/errors.md from the contracts as they are built (`pnpm build`) and the sdk's texts. */
await writeFile(join(rootDirectory, "docs/errors.md"), await renderErrorReference());
