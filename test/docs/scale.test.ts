import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { renderScalePage } from "../../scripts/docs/scalePage.ts";
import { CONNECTIONS } from "../../scripts/stack/fleet.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/scale.md", () => {
  const page = () => readFile(join(rootDirectory, "docs/scale.md"), "utf8");

  it("has the figures of the committed benchmark", async () => {
    expect(await page(), "run node scripts/generate-docs.ts").to.equal(await renderScalePage());
  });

  it("has the connection budget that the soak holds the parts to", async () => {
    const { web, reader, writer, worker } = CONNECTIONS;
    expect(await page()).to.contain(
      `max_connections ≥ ${web} × web + ${reader} × readers + ${writer} × writers + ${worker} × workers`,
    );
  });
});
