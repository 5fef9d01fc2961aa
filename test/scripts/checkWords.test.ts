import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { capture, rootDirectory } from "../../scripts/stack/processes.ts";

describe("conventions", () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "words-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** Runs a check in a repository with these files. Returns the lines that it prints, sorted, after it has failed. */
  async function runCheck(name: string, files: (readonly [path: string, text: string])[]) {
    for (const [path, text] of files) await writeFile(join(directory, path), text);
    await capture("git", ["init", "--quiet"], { directory });
    await capture("git", ["add", "."], { directory });
    const script = join(rootDirectory, `scripts/${name}.ts`);
    const { code, output } = await capture(process.execPath, [script], { directory });
    expect(code).to.equal(1);
    return output.trim().split("\n").sort();
  }

  it("scripts/checkWords.ts names each place that breaks a rule, and no other", async () => {
    const doc = "A doc comment must begin with a verb or a noun";
    const word = "This word is on the drop list";
    const name = "A name must not end with Of";
    const files: Record<string, [text: string, ...problems: string[]]> = {
      "whether.ts": ["\n/** Whether it works. */", `2: ${doc}: Whether`],
      "second.tsx": ["/**\n * What it does.\n */", `2: ${doc}: What`],
      "slashes.sol": ["/// To be called once.", `1: ${doc}: To be`],
      "dev.sol": ["/// Mints.\n/// @dev Whether it fails.", `2: ${doc}: Whether`],
      "returns.sol": ["/// Counts.\n/// @return a How many.", `2: ${doc}: How`],
      "code.ts": ["// Read it anew.", `1: ${word}: anew`],
      "lines.ts": ["// There is\n// none.", `2: ${word}: is none`],
      "page.md": ["Comes to 3.", `1: ${word}: Comes to`],
      "function.ts": ["function hostOf() {}", `1: ${name}: hostOf`],
      "constant.ts": ["const hostOf = 1;", `1: ${name}: hostOf`],
      "spelling.ts": ["// Its behaviour.", "1: Use American spelling: behaviour"],
      "message.ts": ['// It cannot.\nthrow "It cannot.";', "2: Write can't in messages: cannot"],
      "verb.ts": ["/** Returns true if the host is\n * of a tenant. */"],
      "question.ts": ["/** What is a DID? */"],
      "longer.sol": ["/// Mints.\n/// What fails reverts."],
      "erc721.sol": ["function ownerOf() {}\nfunction balanceOf() {}"],
      "CHANGELOG.md": ["Built anew."],
    };
    const texts = Object.entries(files).map(([file, [text]]) => [file, text] as const);
    const expected = Object.entries(files).flatMap(([file, [, ...problems]]) =>
      problems.map((problem) => `${file}:${problem}`),
    );
    expect(await runCheck("checkWords", texts)).to.deep.equal(expected.sort());
  });

  it("scripts/checkExpressions.ts names each expression of more than linear time with its place, and no other", async () => {
    const slow = {
      exponential: "/^(a+)+$/",
      cubic: String.raw`/^\s*type\s*=\s*$|\s+'x/`,
      "every-space": String.raw`/\s+$/`,
      "jsx-attribute": String.raw`/^(?:\w+\s*)+$/u`,
    };
    const linear = String.raw`const linear = [/^[a-z]+$/u, /(?<!\s)\s+$/, 4 / 2 / 1]; // /(a+)+$/`;
    const named = await runCheck("checkExpressions", [
      ...Object.entries(slow).map(
        ([name, expression]) => [`${name}.tsx`, `const one = 1;\nconst two = ${expression};\n`] as const,
      ),
      ["a.test.ts", "const hostile = /(a+)+$/;"],
      ["linear.ts", linear],
    ]);
    const expected = Object.entries(slow).map(
      ([name, expression]) => `${name}.tsx:2: May take more than linear time: ${expression}`,
    );
    expect(named).to.deep.equal(expected.sort());
  });

  it(".githooks/commit-msg accepts conventional subjects of at most 72 characters", async () => {
    const check = async (message: string) => {
      await writeFile(join(directory, "message"), message);
      return capture(join(rootDirectory, ".githooks/commit-msg"), [join(directory, "message")], {
        directory,
      });
    };
    const longest = `fix(web): ${"ü".repeat(62)}`;
    for (const subject of [
      "docs: describe blocks",
      "feat(sdk)!: drop an export",
      longest,
      "Merge branch 'a'",
    ]) {
      const accepted = await check(`# a comment\n${subject}\n\nThe body.\n`);
      expect(accepted, subject).to.deep.equal({ code: 0, output: "" });
    }
    const wrong = ["Describe blocks", "docs describe blocks", "docs:", "docs(a b): describe blocks"];
    for (const [subject, reason] of [
      [`${longest}ü`, "72 characters"],
      ...wrong.map((subject) => [subject, "type(scope): subject"] as const),
    ] as const) {
      const { code, output } = await check(`${subject}\n\nThe body.\n`);
      expect([code, output], subject).to.satisfy(() => code === 1 && output.includes(reason));
    }
  });
});
