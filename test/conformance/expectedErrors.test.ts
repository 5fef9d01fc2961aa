import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { contractErrorsAbi } from "../../packages/sdk/src/errors/contractRevertError.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

/** Inherited errors with which no call can revert. */
const unreachable: Record<string, string> = {
  ERC721InvalidSender: "OpenZeppelin's guard against minting a token twice; the registry only mints new ids",
};

/** Matches `revertedWithCustomError(contract, "Name")`, followed by `.withArgs(` if the error has arguments. */
const direct = (name: string, hasArguments: boolean) =>
  new RegExp(
    `revertedWithCustomError\\(\\s*[\\w.]+,\\s*"${name}",?\\s*\\)${hasArguments ? "\\s*\\.withArgs\\(" : ""}`,
  );
/** Matches `…, "Name", [arguments]` or `…, "Name", arguments` in a table or a call that expects errors. */
const row = (name: string, hasArguments: boolean) =>
  new RegExp(`"${name}",\\s*${hasArguments ? "(\\[[^\\]\\s]|[^[\\]\\s])" : "\\[\\]"}`);
const expectsRows = /revertedWithCustomError\(\s*\w+,\s*error\s*\)\s*\.withArgs\(\.\.\.args\)/;

/** Returns the names of the errors that no source expects by name and with arguments. */
function findUnexpected(errors: { name: string; inputs: readonly unknown[] }[], sources: string[]): string[] {
  return errors
    .filter(({ name, inputs }) => {
      const hasArguments = inputs.length > 0;
      return !sources.some(
        (source) =>
          direct(name, hasArguments).test(source) ||
          (expectsRows.test(source) && row(name, hasArguments).test(source)),
      );
    })
    .map(({ name }) => name);
}

describe("Contract errors", () => {
  it("are each expected by a test, by name and with arguments", async () => {
    const files = globSync("test/**/*.test.ts", { cwd: rootDirectory });
    const sources = await Promise.all(files.map((file) => readFile(join(rootDirectory, file), "utf8")));
    const reachable = contractErrorsAbi.filter(({ name }) => !(name in unreachable));
    expect(findUnexpected([...reachable], sources)).to.deep.equal([]);
    for (const name of Object.keys(unreachable)) {
      expect(contractErrorsAbi.map((error) => error.name)).to.include(name);
    }
  });

  it("are reported as unexpected if tests omit their arguments or name another error", () => {
    const errors = [
      { name: "TooLong", inputs: ["max"] },
      { name: "Empty", inputs: [] },
    ];
    const cases: [source: string, missed: string[]][] = [
      ["", ["TooLong", "Empty"]],
      ['.revertedWithCustomError(a, "TooLong") .revertedWithCustomError(a, "Empty")', ["TooLong"]],
      ['.revertedWithCustomError(a, "TooLong")\n  .withArgs(1)', ["Empty"]],
      ['.revertedWithCustomError(a, "TooLonger").withArgs(1)', ["TooLong", "Empty"]],
      ['[x, "TooLong", [1]], [y, "Empty", []]', ["TooLong", "Empty"]],
      ['[x, "TooLong", [1]], [y, "Empty", []] .revertedWithCustomError(a, error).withArgs(...args)', []],
      ['refuse(x, "TooLong", 1); .revertedWithCustomError(a, error).withArgs(...args)', ["Empty"]],
      ['[x, "TooLong", []] .revertedWithCustomError(a, error).withArgs(...args)', ["TooLong", "Empty"]],
    ];
    for (const [source, missed] of cases) expect(findUnexpected(errors, [source])).to.deep.equal(missed);
  });
});
