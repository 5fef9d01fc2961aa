import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pages } from "./docs/pages.ts";
import { rootDirectory } from "./stack/processes.ts";

/** Writes the generated pages and parts of pages of the documentation. The contracts must be built (`pnpm build`). */
for (const [name, render] of Object.entries(pages)) {
  await writeFile(join(rootDirectory, `docs/${name}.md`), await render());
}
