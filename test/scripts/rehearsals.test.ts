import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { rootDirectory } from "../../scripts/stack/processes.ts";

/** Runs a rehearsal as an operator does; gives what it printed. */
function rehearse(name: string): Promise<{ code: number; output: string; errors: string }> {
  // Hardhat's keystore refuses to look further while a test runs.
  const env = { ...process.env, HH_TEST: undefined };
  return new Promise((resolve) => {
    const parameters = [`scripts/rehearse/${name}.ts`];
    execFile(process.execPath, parameters, { cwd: rootDirectory, env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    );
  });
}

describe("The runbooks of docs/keys.md", function () {
  this.timeout(600_000);

  it("have every command rehearsed", async () => {
    const page = await readFile(join(rootDirectory, "docs/keys.md"), "utf8");
    const blocks = page.split("```sh").slice(1);
    const names = [...page.matchAll(/<!-- ((leak|rotation): \w+) -->\n```sh\n.+\n```/g)];
    expect(names).to.have.length(blocks.length).and.not.to.have.length(0);
    for (const [, name = "", rehearsal = ""] of names) {
      const script = await readFile(join(rootDirectory, `scripts/rehearse/${rehearsal}.ts`), "utf8");
      expect(script).to.contain(`run("${name}"`);
    }
  });

  if (process.env.TEST_LONG) {
    it("end a leak: the honest count again, and the thief does not", async () => {
      const { code, output, errors } = await rehearse("leak");
      expect({ code, errors }).to.deep.equal({ code: 0, errors: "" });
      expect(output).to.contain("The honest count, and the thief does not.");
    });

    it("rotate a key while requests go on, of which none is refused for good", async () => {
      const { code, output, errors } = await rehearse("rotation");
      expect({ code, errors }).to.deep.equal({ code: 0, errors: "" });
      expect(output).to.match(/\d+ publishers count, and the new issuer attests each of them/);
    });
  }
});
