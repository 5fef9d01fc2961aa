import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { readInterfaceMembers, renderErrorReference } from "../../scripts/docs/contractPages.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

describe("docs/errors.md", () => {
  it("matches the interfaces and the sdk", async () => {
    const page = await readFile(join(rootDirectory, "docs/errors.md"), "utf8");
    expect(page, "run `pnpm docs:generate`").to.equal(await renderErrorReference());
  });

  it("uses the notices of an interface", () => {
    const source = `
    /// @notice The page is too long,
    /// in records.
    /// @param limit Records asked for.
    error TooLong(
        uint256 limit
    );
    /// @notice Nothing is there.
    error Nothing();`;
    expect(readInterfaceMembers(source)).to.deep.equal([
      {
        kind: "error",
        name: "TooLong",
        isView: false,
        notice: "The page is too long, in records.",
      },
      { kind: "error", name: "Nothing", isView: false, notice: "Nothing is there." },
    ]);
  });

  it("refuses a member without a notice", () => {
    expect(() => readInterfaceMembers("    /// @dev Reverts.\n    error Silent();\n")).to.throw("no notice");
  });
});
