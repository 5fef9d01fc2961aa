import { expect } from "chai";
import { capture } from "../../scripts/stack/processes.ts";

interface Result {
  name: string;
  /** Result of the search for a counterexample of the lemma. */
  proof: string;
  /** Result of that search for the mutant. */
  refutation: string;
}

describe("Lemmas about runs, blocks and seats", function () {
  this.timeout(0);

  it("are proved over unbounded dates and every setting, and each mutant is refuted", async () => {
    const { code, output } = await capture(process.execPath, ["test/proofs/prove.ts"]);
    const results = [...output.matchAll(/^\{.*\}$/gm)].map(([line]) => JSON.parse(line) as Result);
    const wrong = results.filter(({ proof, refutation }) => proof !== "unsat" || refutation !== "sat");
    expect(wrong, output).to.deep.equal([]);
    expect([code, results.length]).to.deep.equal([0, 13]);
  });
});
