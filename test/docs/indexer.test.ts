import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { postgresSettings } from "../../bench/stack.ts";
import { renderIndexerPage } from "../../scripts/docs/indexerPage.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/indexer.md", () => {
  const page = () => readFile(join(rootDirectory, "docs/indexer.md"), "utf8");

  it("contains the figures of the committed benchmark", async () => {
    expect(await page(), "run node scripts/generate-docs.ts").to.equal(await renderIndexerPage());
  });

  it("names PostgreSQL's settings in the benchmark", async () => {
    for (const [name, value] of Object.entries(postgresSettings)) {
      expect(await page()).to.contain(`${name}=${value}`);
    }
  });
});
