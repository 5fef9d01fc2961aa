import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderControlPage } from "../../scripts/docs/controlPage.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/control.md", () => {
  it("contains the forms of a DID document that the issuer's tests accept and refuse", async () => {
    const page = await readFile(join(rootDirectory, "docs/control.md"), "utf8");
    expect(page, "run node scripts/generate-docs.ts").to.equal(await renderControlPage());
  });
});
