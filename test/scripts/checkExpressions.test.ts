import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { capture, rootDirectory } from "../../scripts/stack/processes.ts";

describe("scripts/checkExpressions.ts", () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "expressions-"));
    await capture("git", ["init", "--quiet"], { directory });
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function check(file: string, text: string) {
    await writeFile(join(directory, file), text);
    await capture("git", ["add", "."], { directory });
    return capture(process.execPath, [join(rootDirectory, "scripts/checkExpressions.ts")], { directory });
  }

  for (const [kind, expression] of [
    ["exponential", "/^(a+)+$/"],
    ["of cubic time", String.raw`/^\s*type\s*=\s*$|\s+'x/`],
    ["that starts at every space", String.raw`/\s+$/`],
    ["of a JSX attribute", String.raw`/^(?:\w+\s*)+$/u`],
  ] as const) {
    it(`refuses an expression ${kind}, with its place`, async () => {
      const { code, output } = await check("a.tsx", `const one = 1;\nconst two = ${expression};\n`);
      expect(output).to.contain(`a.tsx:2: May take more than linear time: ${expression}`);
      expect(code).to.equal(1);
    });
  }

  it("accepts linear expressions, divisions, comments and tests", async () => {
    await writeFile(join(directory, "a.test.ts"), "const hostile = /(a+)+$/;");
    expect(
      await check("a.ts", String.raw`const linear = [/^[a-z]+$/u, /(?<!\s)\s+$/, 4 / 2 / 1]; // /(a+)+$/`),
    ).to.deep.equal({ code: 0, output: "" });
  });
});
