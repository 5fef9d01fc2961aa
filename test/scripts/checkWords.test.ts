import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { capture, rootDirectory } from "../../scripts/stack/processes.ts";

describe("conventions", () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "words-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function write(file: string, text: string): Promise<string> {
    const path = join(directory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  describe("scripts/checkWords.ts", () => {
    async function check(file: string, text: string) {
      await write(file, text);
      await capture("git", ["init", "--quiet"], { directory });
      await capture("git", ["add", "."], { directory });
      return capture(process.execPath, [join(rootDirectory, "scripts/checkWords.ts")], { directory });
    }

    const refused: [kind: string, file: string, text: string, output: string][] = [
      [
        "a doc comment that begins with “Whether”",
        "a.ts",
        "\n/** Whether it works. */",
        "a.ts:2: A doc comment",
      ],
      [
        "“What” on a doc comment's second line",
        "a.tsx",
        "/**\n * What it does.\n */",
        "a.tsx:2: A doc comment",
      ],
      ["“To be” after `///`", "A.sol", "/// To be called once.", "A.sol:1: A doc comment"],
      ["“Whether” after `@dev`", "A.sol", "/// Mints.\n/// @dev Whether it fails.", "A.sol:2: A doc comment"],
      [
        "“How” after a named `@return`",
        "A.sol",
        "/// Counts.\n/// @return a How many.",
        "A.sol:2: A doc comment",
      ],
      ["a dropped word in code", "a.ts", "// Read it anew.", "a.ts:1: This word is on the drop list: anew"],
      [
        "dropped words across lines",
        "a.ts",
        "// There is\n// none.",
        "a.ts:2: This word is on the drop list: is none",
      ],
      [
        "a dropped word in a document",
        "a.md",
        "Comes to 3.",
        "a.md:1: This word is on the drop list: Comes to",
      ],
      [
        "a function whose name ends with Of",
        "a.ts",
        "function hostOf() {}",
        "a.ts:1: A name must not end with Of: hostOf",
      ],
      [
        "a constant whose name ends with Of",
        "a.ts",
        "const hostOf = 1;",
        "a.ts:1: A name must not end with Of: hostOf",
      ],
    ];
    for (const [kind, file, text, expected] of refused) {
      it(`refuses ${kind}`, async () => {
        const { code, output } = await check(file, text);
        expect(output)
          .to.match(/^.+\n$/)
          .and.contain(expected);
        expect(code).to.equal(1);
      });
    }

    const accepted: [kind: string, file: string, text: string][] = [
      [
        "a doc comment that begins with a verb",
        "a.ts",
        "/** Returns true if the host is\n * of a tenant. */",
      ],
      ["a doc comment that asks a question", "a.ts", "/** What is a DID? */"],
      [
        "a sentence that begins with “What” in a longer comment",
        "A.sol",
        "/// Mints.\n/// What fails reverts.",
      ],
      ["the functions of ERC-721", "A.sol", "function ownerOf() {}\nfunction balanceOf() {}"],
      ["a changelog that quotes a word", "CHANGELOG.md", "Built anew."],
    ];
    for (const [kind, file, text] of accepted) {
      it(`accepts ${kind}`, async () => {
        expect(await check(file, text)).to.deep.equal({ code: 0, output: "" });
      });
    }
  });

  describe(".githooks/commit-msg", () => {
    async function check(message: string) {
      const parameters = [await write("message", message)];
      return capture(join(rootDirectory, ".githooks/commit-msg"), parameters, { directory });
    }

    const longest = `fix(web): ${"ü".repeat(62)}`;
    for (const subject of [
      "docs: describe blocks",
      "feat(sdk)!: drop an export",
      longest,
      "Merge branch 'a'",
    ]) {
      it(`accepts “${subject}”`, async () => {
        expect(await check(`# a comment\n${subject}\n\nThe body.\n`)).to.deep.equal({ code: 0, output: "" });
      });
    }

    it("refuses a subject over 72 characters", async () => {
      const { code, output } = await check(`${longest}ü\n`);
      expect(output).to.contain("72 characters");
      expect(code).to.equal(1);
    });

    for (const subject of [
      "Describe blocks",
      "docs describe blocks",
      "docs:",
      "docs(a b): describe blocks",
    ]) {
      it(`refuses the subject “${subject}”`, async () => {
        const { code, output } = await check(`${subject}\n\nThe body.\n`);
        expect(output).to.contain("type(scope): subject");
        expect(code).to.equal(1);
      });
    }
  });
});
