import { expect } from "chai";
import { measureGas } from "../../bench/gas/measure.ts";
import { findGrownRows, type GasFigures, gasRows } from "../../bench/gas/rows.ts";
import { readSnapshot } from "../../bench/results.ts";

describe("Gas snapshot", function () {
  this.timeout(180_000);
  let figures: GasFigures;
  let snapshot: Partial<GasFigures>;

  before(async () => {
    figures = await measureGas();
    snapshot = await readSnapshot("gas");
  });

  it("has exactly one figure for each measured operation", () => {
    expect(snapshot).to.have.all.keys(Object.keys(gasRows));
  });

  it("is exceeded by at most 1 % (if a change is worth more, run `pnpm bench:gas --update`)", () => {
    expect(findGrownRows(figures, snapshot)).to.deep.equal([]);
  });
});
