import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { rootDirectory } from "../../scripts/stack/processes.ts";

const pages = globSync(["*.md", "docs/**/*.md", "examples/*/*.md", ".changeset/README.md"], {
  cwd: rootDirectory,
});

const read = (page: string) => readFileSync(join(rootDirectory, page), "utf8");

/** Returns the anchors that GitHub generates for the headings of a page. */
function listAnchors(page: string): string[] {
  const text = read(page).replace(/^```.*?^```/gms, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the Markdown pages", () => {
  it("link to existing files and headings", () => {
    const broken: string[] = [];
    for (const page of pages) {
      for (const [, link = ""] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?|mailto):/.test(link)) continue;
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : join(dirname(page), path);
        const isThere = existsSync(join(rootDirectory, target));
        const isHeading =
          !anchor || !target.endsWith(".md") || (isThere && listAnchors(target).includes(anchor));
        if (!isThere || !isHeading) broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).to.deep.equal([]);
  });
});
