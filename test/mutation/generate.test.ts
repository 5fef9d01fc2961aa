import { expect } from "chai";
import { parse } from "../../scripts/mutation/compiler.ts";
import { applyMutant, generateMutants, type Mutant } from "../../scripts/mutation/generate.ts";
import { filesReaching } from "../../scripts/mutation/reach.ts";
import { orderBySample } from "../../scripts/mutation/sample.ts";

const generate = (text: string): Mutant[] => {
  const sources = { "A.sol": text };
  return generateMutants(["A.sol"], { sources, trees: parse({ sources, remappings: [] }) });
};

const source = (body: string) =>
  `pragma solidity ^0.8.28; /* 1 … 9 */ contract A { uint256 a; function f() external { ${body} } }`;

describe("The faults of a source", () => {
  it("stand where they are in its bytes, and nothing else changes", () => {
    const text = source("a = 7;");
    const [mutant] = generate(text).filter(({ replacement }) => replacement === "8");
    if (!mutant) throw new Error("7 → 8 is missing");
    expect(applyMutant({ "A.sol": text }, mutant)["A.sol"]).to.equal(text.replace("7", "8"));
  });

  it("keep their ids when something else is written before them", () => {
    const ids = (text: string) =>
      generate(text)
        .filter(({ original }) => original.includes("7"))
        .map(({ id }) => id);
    expect(ids(source("a += 1; a = 7;"))).to.deep.equal(ids(source("a = 7;")));
  });

  it("have an id each, be they alike", () => {
    const ids = generate(source("a = 7; a = 7;")).map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
  });
});

const mutantOf = (name: string, rule: Mutant["rule"], index: number): Mutant => ({
  ...{ id: `${name}${rule}${index}`, rule, source: name, member: "A.f", line: 1 },
  ...{ start: index, length: 1, original: "a", replacement: "b" },
});

describe("The sample of faults", () => {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  const mutants = [
    ...range(200).map((index) => mutantOf("Large.sol", "constant", index)),
    ...range(3).map((index) => mutantOf("Large.sol", "dropped event", index)),
    ...range(5).map((index) => mutantOf("Small.sol", "constant", index)),
    ...range(1).map((index) => mutantOf("Tiny.sol", "equality", index)),
  ];

  it("begins with faults of every source and every rule", () => {
    const first = orderBySample(mutants, 1).slice(0, 6);
    expect(new Set(first.map(({ source }) => source))).to.have.property("size", 3);
    expect(new Set(first.map(({ rule }) => rule))).to.have.property("size", 3);
  });

  it("gives a large source more places than a small one", () => {
    const first = orderBySample(mutants, 1).slice(0, 20);
    const count = (name: string) => first.filter(({ source }) => source === name).length;
    expect(count("Large.sol")).to.be.above(count("Small.sol"));
  });

  it("is the same for a seed, in whatever order the faults come, and another for another seed", () => {
    const ids = (list: Mutant[], seed: number) => orderBySample(list, seed).map(({ id }) => id);
    expect(ids([...mutants].reverse(), 1)).to.deep.equal(ids(mutants, 1));
    expect(ids(mutants, 2)).not.to.deep.equal(ids(mutants, 1));
    expect(ids(mutants, 2)).to.have.members(ids(mutants, 1));
  });
});

describe("The tests that reach a fault", () => {
  const reach = {
    "whole.test.ts": ["A.sol:0:100", "A.sol:10:20"],
    "outer.test.ts": ["A.sol:0:100"],
    "other.test.ts": ["B.sol:0:100"],
  };
  const filesOf = (name: string, start: number) => [
    ...filesReaching(mutantOf(name, "constant", start), reach),
  ];

  it("are those that run the smallest statement around it", () => {
    expect(filesOf("A.sol", 12)).to.deep.equal(["whole.test.ts"]);
    expect(filesOf("A.sol", 50)).to.deep.equal(["whole.test.ts", "outer.test.ts"]);
  });

  it("are all that run the source, for a fault that is in no statement", () => {
    expect(filesOf("B.sol", 200)).to.deep.equal(["other.test.ts"]);
  });
});
