import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { isCompiled, readCompiled } from "../../scripts/stack/buildContracts.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("committed ABIs and bytecode", () => {
  it("equal the output of the compiler", async () => {
    for (const [path, text] of Object.entries(await readCompiled())) {
      const isCurrent = (await readFile(join(rootDirectory, path), "utf8")) === text;
      expect(isCurrent, `${path} is stale: npx -y pnpm@10 build, then commit it`).to.equal(true);
    }
  });
});

describe("isCompiled", () => {
  const inputs = ["contracts", "hardhat.config.ts", "package.json"];
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "compiled-"));
    for (const path of inputs)
      await cp(join(rootDirectory, path), join(directory, path), { recursive: true });
  });
  afterEach(() => rm(directory, { recursive: true }));

  it("returns true for the committed files", async () => {
    expect(await isCompiled(directory)).to.equal(true);
  });

  for (const path of ["contracts/libraries/Run.sol", "hardhat.config.ts"]) {
    it(`returns false after a change of ${path}`, async () => {
      await appendFile(join(directory, path), "\n");
      expect(await isCompiled(directory)).to.equal(false);
    });
  }

  it("returns false after another version of the compiler is installed", async () => {
    const file = join(directory, "package.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"solc": "', '"solc": "1'));
    expect(await isCompiled(directory)).to.equal(false);
  });
});
