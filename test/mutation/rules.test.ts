import { expect } from "chai";
import { parse } from "../../scripts/mutation/compiler.ts";
import { applyMutant, generateMutants } from "../../scripts/mutation/generate.ts";
import type { RuleName } from "../../scripts/mutation/rules/rules.ts";

const NAME = "Example.sol";

/** The faults of one rule in the body of a function, as `before → after`; each must compile where it says so. */
function faultsOf(rule: RuleName, body: string, members = ""): string[] {
  const sources = {
    [NAME]: `pragma solidity ^0.8.28;
contract Example {
  event Seen(uint256 a, uint256 b);
  error Refused();
  uint256 state; uint256 other; bool flag;
  uint256[1 << 4] words;
  modifier guarded() { _; }
  function look(uint256 a) internal pure { if (a == 7) revert Refused(); }
  function write(uint256 a, uint256 b, address c) internal returns (uint256) { state = a; other = b; c; return a; }
  ${members}
  function subject(uint256 a, uint256 b, bool p, bool q) external guarded returns (uint256 r) { ${body} }
}`,
  };
  const project = { sources, remappings: [] };
  const found = generateMutants([NAME], { sources, trees: parse(project) }).filter(
    (mutant) => mutant.rule === rule && mutant.member === "Example.subject",
  );
  for (const mutant of found) parse({ ...project, sources: applyMutant(sources, mutant) });
  return found.map(({ original, replacement }) => `${original} → ${replacement}`);
}

describe("A rule of the mutation test", function () {
  // The compiler takes a moment to load.
  this.timeout(60_000);

  it("moves the boundary of a comparison, and leaves equalities alone", () => {
    expect(faultsOf("comparison boundary", "if (a < b || a >= 3) r = a == b ? 1 : 0;")).to.deep.equal([
      "a < b → (a <= b)",
      "a >= 3 → (a > 3)",
    ]);
  });

  it("turns an equality round, keeping what belongs together", () => {
    expect(faultsOf("equality", "if ((a & 3) == b && p != q) r = 1;")).to.deep.equal([
      "(a & 3) == b → ((a & 3) != b)",
      "p != q → (p == q)",
    ]);
  });

  it("exchanges and with or, within what was grouped", () => {
    expect(faultsOf("logical operator", "if (p || q && a < b) r = 1;")).to.deep.equal([
      "p || q && a < b → p && (q && a < b)",
      "q && a < b → (q || (a < b))",
    ]);
  });

  it("exchanges arithmetic operators, those of assignments and steps too", () => {
    expect(faultsOf("arithmetic operator", "r = a + b * 2; r -= a % b; ++state;")).to.deep.equal([
      "a + b * 2 → a - (b * 2)",
      "b * 2 → (b / 2)",
      "r -= a % b → r += a % b",
      "a % b → a * b",
      "++state → --state",
    ]);
  });

  it("exchanges bitwise operators, and takes a complement away", () => {
    expect(faultsOf("bitwise operator", "r = a & ~b; r ^= a; r |= b;")).to.deep.equal([
      "a & ~b → a | ~b",
      "~b → b",
      "r ^= a → r |= a",
      "r |= b → r &= b",
    ]);
  });

  it("shifts by one bit more and less", () => {
    expect(faultsOf("shift distance", "r = a << 8; r = a >> b;")).to.deep.equal([
      "8 → 9",
      "8 → 7",
      "b → (b + 1)",
      "b → (b - 1)",
    ]);
  });

  it("swaps operands that are not alike, and no others", () => {
    expect(faultsOf("swapped operands", "r = a - b + (a * b); if (a < b) r = a - a;")).to.deep.equal([
      "a - b → (b - a)",
      "a < b → b < a",
    ]);
  });

  it("swaps neighbouring arguments of one type", () => {
    expect(
      faultsOf("swapped arguments", "r = write(a, b, msg.sender); write(a, a, msg.sender);"),
    ).to.deep.equal(["a, b → b, a"]);
  });

  it("counts a number up and down: with its unit, in hexadecimal, and never below nothing", () => {
    expect(
      faultsOf("constant", "r = 1 days; r = 0x0a; r = 0; r = a << 5; bytes2 c = 0x0100; c;"),
    ).to.deep.equal([
      "1 days → (1 days + 1)",
      "1 days → (1 days - 1)",
      "0x0a → 0x0b",
      "0x0a → 0x09",
      "0 → 1",
      "0x0100 → 0x0101",
      "0x0100 → 0x00ff",
    ]);
  });

  it("leaves the length in a type alone", () => {
    expect(faultsOf("constant", "uint256[2] memory pair; pair;")).to.deep.equal([]);
  });

  it("turns truth into falsehood where it is written or returned", () => {
    expect(faultsOf("boolean value", "flag = true;")).to.deep.equal(["true → false"]);
    const members = "function truth(uint256 a, bool p) external pure returns (bool) { return a < 3 && p; }";
    const sources = { [NAME]: `pragma solidity ^0.8.28; contract Example { ${members} }` };
    const found = generateMutants([NAME], { sources, trees: parse({ sources, remappings: [] }) });
    expect(found.filter(({ rule }) => rule === "boolean value")).to.have.nested.property(
      "[0].replacement",
      "!(a < 3 && p)",
    );
  });

  it("negates conditions, but those that are equalities, which have a rule", () => {
    expect(
      faultsOf("negated condition", "if (a < b) r = 1; if (!p) r = q ? 1 : 2; if (a == b) r = 3;"),
    ).to.deep.equal(["a < b → !(a < b)", "!p → p", "q → !q"]);
  });

  it("drops what can only revert: a refusal, a check, a requirement", () => {
    const body = "if (p) revert Refused(); look(a); require(q); write(a, b, msg.sender); if (q) r = 1;";
    expect(faultsOf("dropped check", body)).to.deep.equal([
      "if (p) revert Refused(); → {}",
      "look(a); → {}",
      "require(q); → {}",
    ]);
  });

  it("never takes a branch that does something", () => {
    expect(faultsOf("dropped branch", "if (p) revert Refused(); if (q) { r = 1; }")).to.deep.equal([
      "q → false",
    ]);
  });

  it("drops assignments and deletions", () => {
    expect(faultsOf("dropped assignment", "state = a; delete other; words[1] += 2; ++state;")).to.deep.equal([
      "state = a; → {}",
      "delete other; → {}",
      "words[1] += 2; → {}",
    ]);
  });

  it("drops calls whose result nobody takes", () => {
    expect(faultsOf("dropped call", "write(a, b, msg.sender); r = write(b, a, msg.sender);")).to.deep.equal([
      "write(a, b, msg.sender); → {}",
    ]);
  });

  it("drops increments, as a statement, within an expression and in a loop", () => {
    const body = "++state; r = ++other; for (uint256 i; i < 3; ++i) r = i;";
    expect(faultsOf("dropped increment", body)).to.deep.equal(["++state; → {}", "++other → other", "++i → "]);
  });

  it("drops events", () => {
    expect(faultsOf("dropped event", "emit Seen(a, b);")).to.deep.equal(["emit Seen(a, b); → {}"]);
  });

  it("takes a function's modifier away", () => {
    expect(faultsOf("dropped modifier", "")).to.deep.equal(["guarded → "]);
  });

  it("knows the words of assembly", () => {
    const body =
      'assembly ("memory-safe") { let x := sub(a, 2) x := shl(3, and(x, b)) mstore(0x40, not(x)) }';
    expect(faultsOf("arithmetic operator", body)).to.deep.equal(["sub → add"]);
    expect(faultsOf("swapped operands", body)).to.deep.equal(["sub(a, 2) → sub(2, a)"]);
    expect(faultsOf("shift distance", body)).to.deep.equal(["3 → 4", "3 → 2"]);
    expect(faultsOf("bitwise operator", body)).to.deep.equal(["and → or", "not(x) → x"]);
    expect(faultsOf("constant", body)).to.deep.equal(["2 → 3", "2 → 1", "0x40 → 0x41", "0x40 → 0x3f"]);
    expect(faultsOf("dropped assignment", body)).to.deep.equal(["x := shl(3, and(x, b)) → {}"]);
    expect(faultsOf("dropped call", body)).to.deep.equal(["mstore(0x40, not(x)) → {}"]);
  });
});
