import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { capture, rootDirectory } from "../../scripts/stack/processes.ts";

describe("scripts/checkExpressions.ts", () => {
  it("names each expression of more than linear time with its place, and no other", async () => {
    const directory = await mkdtemp(join(tmpdir(), "expressions-"));
    const slow = {
      exponential: "/^(a+)+$/",
      cubic: String.raw`/^\s*type\s*=\s*$|\s+'x/`,
      "every-space": String.raw`/\s+$/`,
      "jsx-attribute": String.raw`/^(?:\w+\s*)+$/u`,
    };
    for (const [name, expression] of Object.entries(slow))
      await writeFile(join(directory, `${name}.tsx`), `const one = 1;\nconst two = ${expression};\n`);
    await writeFile(join(directory, "a.test.ts"), "const hostile = /(a+)+$/;");
    const linear = String.raw`const linear = [/^[a-z]+$/u, /(?<!\s)\s+$/, 4 / 2 / 1]; // /(a+)+$/`;
    await writeFile(join(directory, "linear.ts"), linear);
    await capture("git", ["init", "--quiet"], { directory });
    await capture("git", ["add", "."], { directory });
    const script = join(rootDirectory, "scripts/checkExpressions.ts");
    const { code, output } = await capture(process.execPath, [script], { directory });
    await rm(directory, { recursive: true, force: true });
    const expected = Object.entries(slow).map(
      ([name, expression]) => `${name}.tsx:2: May take more than linear time: ${expression}`,
    );
    expect(output.trim().split("\n").sort()).to.deep.equal(expected.sort());
    expect(code).to.equal(1);
  });
});
