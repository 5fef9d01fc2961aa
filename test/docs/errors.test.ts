import { expect } from "chai";
import { readInterfaceMembers } from "../../scripts/docs/contractPages.ts";

describe("readInterfaceMembers", () => {
  it("reads the notices of an interface", () => {
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
