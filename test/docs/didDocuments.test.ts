import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderDidDocumentsPage } from "../../scripts/docs/didDocumentsPage.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/did-documents.md", () => {
  it("has the forms of a DID document that the issuer's tests accept and refuse", async () => {
    const page = await readFile(join(rootDirectory, "docs/did-documents.md"), "utf8");
    expect(page, "run node scripts/generate-docs.ts").to.equal(await renderDidDocumentsPage());
  });
});
