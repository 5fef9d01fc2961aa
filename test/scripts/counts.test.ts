import { expect } from "chai";
import {
  addCounts,
  countHardhat,
  countPlaywright,
  countVitest,
  formatCounts,
} from "../../scripts/test/counts.ts";

describe("Counting the runners' tests", () => {
  it("takes Hardhat's sum and not its runners' own lines as well", () => {
    const output =
      "  446 passing (5m)\n  6 failing\n\n470 passing (25 solidity, 445 mocha)\n6 failing (6 mocha)\n";
    expect(countHardhat(output)).to.deep.equal({ passed: 470, failed: 6, skipped: 0 });
  });

  it("counts nothing where Hardhat says nothing", () => {
    expect(countHardhat("Error HHE1: no tests")).to.deep.equal({ passed: 0, failed: 0, skipped: 0 });
  });

  it("counts vitest's pending and todo tests as skipped", () => {
    const report = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };
    expect(countVitest(JSON.stringify(report))).to.deep.equal({ passed: 3, failed: 1, skipped: 2 });
  });

  it("counts a browser test that passed only when tried again as failed", () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 };
    expect(countPlaywright(JSON.stringify({ stats }))).to.deep.equal({ passed: 5, failed: 2, skipped: 0 });
  });

  it("closes with one plain line, which names skipped tests where there are any", () => {
    const sum = addCounts([
      { passed: 2, failed: 0, skipped: 0 },
      { passed: 3, failed: 1, skipped: 0 },
    ]);
    expect(formatCounts(sum)).to.equal("5 passed, 1 failed");
    expect(formatCounts({ ...sum, skipped: 4 })).to.equal("5 passed, 1 failed, 4 skipped");
  });
});
