import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderGalleryPage } from "../../scripts/docs/testPages.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

const docs = join(rootDirectory, "docs");

describe("docs/gallery.md", () => {
  it("matches the deceptions of the tests", async () => {
    const page = await readFile(join(docs, "gallery.md"), "utf8");
    expect(page, "run `pnpm docs:generate`").to.equal(renderGalleryPage());
  });

  it("shows exactly the existing pictures", async () => {
    const shown = [...renderGalleryPage().matchAll(/\(gallery\/([^)]+)\)/g)].map(([, file]) => file);
    const taken = await readdir(join(docs, "gallery"));
    expect(taken.sort(), "run npx -y pnpm@10 screenshots").to.deep.equal(shown.sort());
  });
});
