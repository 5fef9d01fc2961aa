import { expect } from "chai";
import { type Equivalent, judge } from "../../scripts/mutation/equivalents.ts";
import type { Mutant } from "../../scripts/mutation/generate.ts";
import { createReport, formatTable } from "../../scripts/mutation/report.ts";
import type { Result, Status } from "../../scripts/mutation/results.ts";

const mutantOf = (id: string, rule: Mutant["rule"] = "constant"): Mutant => ({
  ...{ id, rule, source: "project/contracts/A.sol", member: "A.f", line: 3 },
  ...{ start: 0, length: 1, original: "7", replacement: "8" },
});
const resultOf = (id: string, status: Status): Result => ({
  ...{ id, status, seconds: 1 },
  ...(status === "killed" ? { by: { file: "a.test.ts", test: "refuses" } } : {}),
});
const listed = (id: string): Equivalent => ({
  ...{ id, member: "A.f", original: "7", replacement: "8", reason: "both are refused before" },
});

describe("The judgement of a mutation run", () => {
  const mutants = [mutantOf("a"), mutantOf("b"), mutantOf("c")];

  it("is good when each fault is killed, timed out, or listed and alive", () => {
    const results = [resultOf("a", "killed"), resultOf("b", "timed out"), resultOf("c", "survived")];
    expect(judge([listed("c")], mutants, results)).to.deep.equal([]);
  });

  it("names a survivor that is not listed", () => {
    expect(judge([], mutants, [resultOf("a", "survived")])).to.deep.equal(["a in A.f survives every test"]);
  });

  it("names a listed fault that a test kills after all", () => {
    const [fault] = judge([listed("a")], mutants, [resultOf("a", "killed")]);
    expect(fault).to.equal("a in A.f is listed as equivalent, but is killed by a.test.ts: refuses");
  });

  it("names a listed fault that no rule makes any more", () => {
    expect(judge([listed("z")], mutants, [])).to.deep.equal([
      "z in A.f is listed as equivalent, but no rule makes it",
    ]);
  });
});

describe("The report of a mutation run", () => {
  const report = createReport({
    seed: 1,
    mutants: [mutantOf("a"), mutantOf("b", "equality"), mutantOf("c"), mutantOf("d"), mutantOf("e")],
    results: [
      resultOf("a", "killed"),
      resultOf("b", "survived"),
      resultOf("c", "survived"),
      resultOf("d", "uncompilable"),
    ],
    equivalents: new Map([["c", "both are refused before"]]),
  });

  it("counts by rule and by file; what does not compile or was not tried is no mutant", () => {
    const one = { mutants: 1, killed: 0, timedOut: 0, equivalent: 0, survived: 1 };
    const two = { mutants: 2, killed: 1, timedOut: 0, equivalent: 1, survived: 0 };
    const all = { mutants: 3, killed: 1, timedOut: 0, equivalent: 1, survived: 1 };
    expect(report.byRule).to.deep.include({ constant: two, equality: one });
    expect(report.byFile).to.deep.equal({ "contracts/A.sol": all });
    expect(report).to.deep.include({ total: all, generated: 5, uncompilable: 1 });
  });

  it("gives each survivor its place and its reason, or none", () => {
    expect(report.survivors.map(({ id, place, equivalent }) => [id, place, equivalent])).to.deep.equal([
      ["b", "A.f (contracts/A.sol:3)", null],
      ["c", "A.f (contracts/A.sol:3)", "both are refused before"],
    ]);
  });

  it("is printed as a table with a row for each rule", () => {
    expect(formatTable(report))
      .to.match(/^constant +2 +1 +0 +1 +0$/m)
      .and.to.match(/^all +3 +1 +0 +1 +1$/m);
  });
});
