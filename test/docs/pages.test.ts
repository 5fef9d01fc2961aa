import { globSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect } from "chai";
import { postgresSettings } from "../../bench/stack.ts";
import { replaceBlock } from "../../scripts/docs/operationPages.ts";
import { pages } from "../../scripts/docs/pages.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

const read = (path: string) => readFile(join(rootDirectory, path), "utf8");

describe("generated pages", () => {
  for (const [name, render] of Object.entries(pages)) {
    it(`docs/${name}.md matches the code`, async () => {
      expect(await read(`docs/${name}.md`), "run `pnpm docs:generate`").to.equal(await render());
    });
  }

  it("have generated parts between two comments, of which there must be one pair", () => {
    const page = "Text\n<!-- gas -->\nold\n<!-- /gas -->\nmore";
    expect(replaceBlock(page, "gas", "new")).to.equal("Text\n<!-- gas -->\nnew\n<!-- /gas -->\nmore");
    for (const wrong of ["Text", "<!-- gas -->", "<!-- /gas -->", `${page}${page}`]) {
      expect(() => replaceBlock(wrong, "gas", "new")).to.throw("one block");
    }
  });
});

describe("docs/gallery.md", () => {
  it("shows exactly the existing pictures", async () => {
    const shown = [...(await read("docs/gallery.md")).matchAll(/\(gallery\/([^)]+)\)/g)].map(
      ([, file]) => file,
    );
    const taken = await readdir(join(rootDirectory, "docs/gallery"));
    expect(taken.sort(), "run npx -y pnpm@10 screenshots").to.deep.equal(shown.sort());
  });
});

describe("docs/performance.md", () => {
  it("names the settings that PostgreSQL was measured with", async () => {
    const page = await read("docs/performance.md");
    for (const [name, value] of Object.entries(postgresSettings)) expect(page).to.contain(`${name}=${value}`);
  });
});

describe("SECURITY.md", () => {
  it("names each contract or library with assembly or unchecked arithmetic, and no other", async () => {
    const [, table = ""] = /<!-- unsafe -->\n(.*)<!-- \/unsafe -->/s.exec(await read("SECURITY.md")) ?? [];
    const named = (word: string) =>
      new Set(
        [...table.matchAll(new RegExp(`^\\| \`(\\w+).*\\| ${word} \\|`, "gm"))].map(([, name]) => name),
      );
    for (const word of ["assembly", "unchecked"]) {
      const found = new Set<string>();
      for (const file of globSync("contracts/**/*.sol", { cwd: rootDirectory })) {
        if (new RegExp(`\\b${word}\\b.*\\{`).test(await read(file))) found.add(basename(file, ".sol"));
      }
      expect(named(word), word).to.deep.equal(found);
    }
  });
});
