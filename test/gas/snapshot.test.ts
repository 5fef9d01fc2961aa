import { expect } from "chai";
import { type GasFigures, gasRows } from "../../scripts/bench/gasRows.ts";
import { findGrownRows, measureGas, readGasSnapshot } from "../../scripts/bench/gasSnapshot.ts";

describe("The gas of every operation", function () {
  this.timeout(180_000);
  let figures: GasFigures;
  let snapshot: Partial<GasFigures>;

  before(async () => {
    figures = await measureGas();
    snapshot = await readGasSnapshot();
  });

  it("has a figure in the snapshot, and no other one is there", () => {
    expect(snapshot).to.have.all.keys(Object.keys(gasRows));
  });

  it("is at most 1 % above the snapshot; where a change is worth more, run `pnpm bench:gas --update`", () => {
    expect(findGrownRows(figures, snapshot)).to.deep.equal([]);
  });

  it("counts as grown above 1 %, not at it", () => {
    const at = { ...figures, transfer: 101_000 };
    const above = { ...figures, transfer: 101_001 };
    const before = { ...figures, transfer: 100_000 };
    expect(findGrownRows(at, before)).to.deep.equal([]);
    expect(findGrownRows(above, before)).to.deep.equal([
      { row: "transfer", before: 100_000, after: 101_001 },
    ]);
  });
});
