import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { contractErrorsAbi } from "../../packages/sdk/src/errors/contractErrorsAbi.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

/** Errors that the contracts inherit and no call can revert with. */
const unreachable: Record<string, string> = {
  ERC721InvalidSender: "OpenZeppelin's guard of minting a token twice; token ids are counted up",
};

/** `revertedWithCustomError(contract, "Name")`, with `.withArgs(` where the error has arguments. */
const direct = (name: string, hasArguments: boolean) =>
  new RegExp(
    `revertedWithCustomError\\(\\s*[\\w.]+,\\s*"${name}",?\\s*\\)${hasArguments ? "\\s*\\.withArgs\\(" : ""}`,
  );
/** A row `…, "Name", [arguments]]` of a table whose rows are expected so. */
const row = (name: string, hasArguments: boolean) =>
  new RegExp(`"${name}",\\s*\\[${hasArguments ? "[^\\]\\s]" : "\\]"}`);
const expectsRows = /revertedWithCustomError\(\s*\w+,\s*error\s*\)\s*\.withArgs\(\.\.\.args\)/;

/** Names of the errors that no source expects by name and with its arguments. */
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

describe("Every error of the contracts", () => {
  it("is expected in a test, by name and with its arguments", async () => {
    const files = globSync("test/**/*.test.ts", { cwd: rootDirectory });
    const sources = await Promise.all(files.map((file) => readFile(join(rootDirectory, file), "utf8")));
    const reachable = contractErrorsAbi.filter(({ name }) => !(name in unreachable));
    expect(findUnexpected([...reachable], sources)).to.deep.equal([]);
    for (const name of Object.keys(unreachable)) {
      expect(contractErrorsAbi.map((error) => error.name)).to.include(name);
    }
  });

  it("is missed where a test names it without its arguments, or names another one", () => {
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
      ['[x, "TooLong", []] .revertedWithCustomError(a, error).withArgs(...args)', ["TooLong", "Empty"]],
    ];
    for (const [source, missed] of cases) expect(findUnexpected(errors, [source])).to.deep.equal(missed);
  });
});
