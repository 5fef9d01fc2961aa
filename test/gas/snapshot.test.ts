import { expect } from "chai";
import { measureGas } from "../../bench/gas/measure.ts";
import { findGrownRows, type GasFigures, gasRows } from "../../bench/gas/rows.ts";
import { readSnapshot } from "../../bench/results.ts";

describe("The gas of every operation", function () {
  this.timeout(180_000);
  let figures: GasFigures;
  let snapshot: Partial<GasFigures>;

  before(async () => {
    figures = await measureGas();
    snapshot = await readSnapshot("gas");
  });

  it("has a figure in the snapshot, and no other one is there", () => {
    expect(snapshot).to.have.all.keys(Object.keys(gasRows));
  });

  it("is at most 1 % above the snapshot; where a change is worth more, run `pnpm bench:gas --update`", () => {
    expect(findGrownRows(figures, snapshot)).to.deep.equal([]);
  });
});
