import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { postgresSettings } from "../../bench/stack.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/performance.md", () => {
  it("names the settings that PostgreSQL was measured with", async () => {
    const page = await readFile(join(rootDirectory, "docs/performance.md"), "utf8");
    for (const [name, value] of Object.entries(postgresSettings)) {
      expect(page).to.contain(`${name}=${value}`);
    }
  });
});
