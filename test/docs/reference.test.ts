import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderCliPage } from "../../scripts/docs/cliPage.ts";
import { renderHttpPage } from "../../scripts/docs/httpPage.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

const pages = {
  "docs/cli.md": renderCliPage,
  "docs/http-api.md": renderHttpPage,
};

describe("generated reference pages", () => {
  for (const [path, render] of Object.entries(pages)) {
    it(`${path} matches the code`, async () => {
      const page = await readFile(join(rootDirectory, path), "utf8");
      expect(page, "run node scripts/generate-docs.ts").to.equal(await render());
    });
  }
});
