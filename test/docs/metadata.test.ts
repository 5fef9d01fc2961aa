import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderMetadataPage } from "../../scripts/docs/interfacePages.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/metadata.md", () => {
  it("lists the fields of the schema and the limits", async () => {
    const page = await readFile(join(rootDirectory, "docs/metadata.md"), "utf8");
    expect(page, "run `pnpm docs:generate`").to.equal(await renderMetadataPage());
  });
});
