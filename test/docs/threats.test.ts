import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { findThreatTests } from "../../scripts/docs/testPages.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/threats.md", () => {
  it("includes every test of test/threats", async () => {
    for await (const path of glob("test/threats/**/*.test.ts", { cwd: rootDirectory })) {
      const source = await readFile(join(rootDirectory, path), "utf8");
      const listed = findThreatTests(path, source).map(({ title }) => title);
      const titles = [...source.matchAll(/\bit\(\s*(["`])(.+?)\1,\s*async/g)].map(
        ([, , title = ""]) => title,
      );
      expect(
        titles.filter((title) => !listed.includes(title)),
        path,
      ).to.deep.equal([]);
    }
  });

  it("refuses a comment without a test below it", () => {
    expect(() => findThreatTests("a.test.ts", "// @threat contracts: nothing\n")).to.throw(
      "a.test.ts: no test follows",
    );
  });
});
