import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderContractsPage } from "../../scripts/docs/contractsPage.ts";
import { replaceBlock } from "../../scripts/docs/replaceBlock.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/contracts.md", () => {
  it("has the figures of the committed snapshots", async () => {
    const page = await readFile(join(rootDirectory, "docs/contracts.md"), "utf8");
    expect(page, "run node scripts/generate-docs.ts").to.equal(await renderContractsPage());
  });

  it("has its figures between two comments, of which there must be one pair", () => {
    const page = "Text\n<!-- gas -->\nold\n<!-- /gas -->\nmore";
    expect(replaceBlock(page, "gas", "new")).to.equal("Text\n<!-- gas -->\nnew\n<!-- /gas -->\nmore");
    for (const wrong of ["Text", "<!-- gas -->", "<!-- /gas -->", `${page}${page}`]) {
      expect(() => replaceBlock(wrong, "gas", "new")).to.throw("one block");
    }
  });
});
