import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect } from "chai";
import { renderContractsPage } from "../../scripts/docs/contractPages.ts";
import { replaceBlock } from "../../scripts/docs/operationPages.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/contracts.md", () => {
  it("contains the figures of the committed snapshots", async () => {
    const page = await readFile(join(rootDirectory, "docs/contracts.md"), "utf8");
    expect(page, "run `pnpm docs:generate`").to.equal(await renderContractsPage());
  });

  it("has its figures between two comments, of which there must be one pair", () => {
    const page = "Text\n<!-- gas -->\nold\n<!-- /gas -->\nmore";
    expect(replaceBlock(page, "gas", "new")).to.equal("Text\n<!-- gas -->\nnew\n<!-- /gas -->\nmore");
    for (const wrong of ["Text", "<!-- gas -->", "<!-- /gas -->", `${page}${page}`]) {
      expect(() => replaceBlock(wrong, "gas", "new")).to.throw("one block");
    }
  });
});

describe("SECURITY.md", () => {
  it("names each contract or library with assembly or unchecked arithmetic, and no other", async () => {
    const page = await readFile(join(rootDirectory, "SECURITY.md"), "utf8");
    const [, table = ""] = /<!-- unsafe -->\n(.*)<!-- \/unsafe -->/s.exec(page) ?? [];
    const named = (word: string) =>
      new Set(
        [...table.matchAll(new RegExp(`^\\| \`(\\w+).*\\| ${word} \\|`, "gm"))].map(([, name]) => name),
      );
    for (const word of ["assembly", "unchecked"]) {
      const found = new Set<string>();
      for (const file of globSync("contracts/**/*.sol", { cwd: rootDirectory })) {
        const source = await readFile(join(rootDirectory, file), "utf8");
        if (new RegExp(`\\b${word}\\b.*\\{`).test(source)) found.add(basename(file, ".sol"));
      }
      expect(named(word), word).to.deep.equal(found);
    }
  });
});
