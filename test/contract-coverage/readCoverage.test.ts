import { expect } from "chai";
import { readCoverage } from "../../scripts/contract-coverage/readCoverage.ts";

const table = (lines: string, statements: string) => `
║ contracts/A.sol │ 50.00  │ 33.33       │ 7-9             ║
╟─────────────────┼────────┼─────────────┼─────────────────╢
║ Total           │ ${lines}  │ ${statements}       │                 ║
`;
const lcov = `TN:
SF:contracts/A.sol
DA:3,1
DA:7,0
DA:9,0
LH:1
LF:3
end_of_record
SF:contracts/B.sol
DA:4,0
LH:0
LF:1
end_of_record
`;

describe("The coverage of a run", () => {
  it("is the share of all contracts, and names each line that was not run", () => {
    expect(readCoverage(table("25.00", "33.33"), lcov)).to.deep.equal({
      linePercent: 25,
      statementPercent: 33.33,
      missed: ["contracts/A.sol:7", "contracts/A.sol:9", "contracts/B.sol:4"],
    });
  });

  it("is not taken for whole when nothing was measured", () => {
    expect(() => readCoverage("", lcov)).to.throw("measured nothing");
    expect(() => readCoverage(table("0.00", "0.00"), "TN:\n")).to.throw("measured nothing");
  });
});
