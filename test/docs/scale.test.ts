import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderScalePage } from "../../scripts/docs/scalePage.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/scale.md", () => {
  const page = () => readFile(join(rootDirectory, "docs/scale.md"), "utf8");

  it("has the figures of the committed benchmark", async () => {
    expect(await page(), "run node scripts/generate-docs.ts").to.equal(await renderScalePage());
  });
});
