import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { rootDirectory } from "../../scripts/stack/processes.ts";

const page = await readFile(join(rootDirectory, "docs/threats.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .filter((line) => line !== "| Attack | Tests |");

/** A link to a test: the test's title as its file writes it. */
const links = [...page.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)].map(([, title = "", file = ""]) => ({
  title,
  file,
}));

describe("docs/threats.md", () => {
  it("names a test for every attack", () => {
    for (const row of rows) expect(row).to.match(/ \| \[[^\]]+\]\(\.\.\/[^)]+\)/);
  });

  it("names tests that are there", async () => {
    const missing: string[] = [];
    for (const { title, file } of links) {
      const source = await readFile(join(rootDirectory, file), "utf8").catch(() => "");
      if (!source.includes(title)) missing.push(`${file}: ${title}`);
    }
    expect(missing).to.deep.equal([]);
  });

  it("leaves out no test of test/threats", async () => {
    for await (const path of glob("test/threats/**/*.test.ts", { cwd: rootDirectory })) {
      const source = await readFile(join(rootDirectory, path), "utf8");
      for (const [, title = ""] of source.matchAll(/\bit\(\s*["`](.+?)["`],\s*async/g)) {
        expect(
          links.some((link) => link.file === path && title.startsWith(link.title)),
          `${path}: ${title}`,
        ).to.equal(true);
      }
    }
  });
});
