import { describe, expect, it } from "vitest";
import { type FactOutcomes, formatFactMarks, summarizeFacts, summarizeReport } from "./factSummary.ts";
import { fail, pass, unknown } from "./facts.ts";

const allPass: FactOutcomes = {
  record: "pass",
  control: "pass",
  content: "pass",
  attested: "pass",
  origin: "pass",
  live: "pass",
};

describe("summarizeFacts", () => {
  it.each([
    [{}, "All 6 facts pass"],
    [{ live: "unknown" }, "5 pass, live isn't checked"],
    [{ control: "unknown" }, "5 pass, control couldn't be checked"],
    [{ control: "fail" }, "Control fails: not currently proven. 5 pass"],
    [
      { attested: "fail", live: "fail" },
      "Attested fails: no issuer attests it now. Live fails: failed the last check. 4 pass",
    ],
    [
      { control: "fail", content: "unknown", origin: undefined, live: "unknown" },
      "Control fails: not currently proven. 2 pass, content and origin couldn't be checked, live isn't checked",
    ],
  ] as const)("with %j returns: %s", (changed, text) => {
    expect(summarizeFacts({ ...allPass, ...changed })).toBe(text);
  });

  it("gives the reason of a fact instead of the usual words", () => {
    const reasons = { live: "the publisher opted out", record: "Deprecated" };
    expect(summarizeFacts({ ...allPass, live: "unknown", record: "fail" }, reasons)).toBe(
      "Record fails: Deprecated. 4 pass, live isn't checked: the publisher opted out",
    );
  });

  it("returns the common reason if no fact could be checked", () => {
    expect(summarizeFacts({})).toBe("Not checked now");
    expect(summarizeFacts({}, { record: "the chain doesn't respond" })).toBe(
      "Not checked now: the chain doesn't respond",
    );
  });
});

describe("formatFactMarks", () => {
  it("returns six marks in the order of the facts, also for facts without an outcome", () => {
    expect(formatFactMarks({ ...allPass, live: "unknown" })).toBe("✓✓✓✓✓–");
    expect(formatFactMarks({ origin: "fail" })).toBe("––––✗–");
  });
});

const ended = (times: object) => ({ startedAt: 1, statedAt: 2, expiresAt: 1_795_305_600, ...times });

describe("summarizeReport", () => {
  const chain = {
    record: pass(""),
    control: pass(""),
    content: pass(""),
    attested: pass(""),
    origin: pass(""),
  };
  const read = (live: ReturnType<typeof unknown> | undefined) =>
    summarizeReport({ facts: { ...chain, ...(live && { live }) } });

  it("says why live isn't checked", () => {
    expect(read(undefined)).toBe("5 pass, live isn't checked");
    expect(read(unknown("The publisher opted out of live checks.", { endpoints: [] }))).toBe(
      "5 pass, live isn't checked: the publisher opted out of live checks",
    );
  });

  it("does not call live unchecked if its result couldn't be read", () => {
    expect(read(unknown("The search index isn't responding.", { error: "IndexUnavailable" }))).toBe(
      "5 pass, live couldn't be checked",
    );
  });

  it.each([
    [{ accounts: [{ attestations: [] }] }, "no issuer attests it now"],
    [
      { accounts: [{ attestations: [ended({}), ended({ statedAt: 1, expiresAt: 1 })] }] },
      "the proof expired on 22 Nov 2026",
    ],
    [
      { accounts: [{ attestations: [ended({ endedAt: 1_795_000_000 })] }] },
      "the proof was revoked or challenged on 18 Nov 2026",
    ],
    [{ accounts: [], blockedUntil: 1_795_305_600 }, "blocked until 22 Nov 2026"],
    [{ accounts: [], controlsFrom: 1_795_305_600, waiting: true }, "not in effect before 22 Nov 2026"],
    [{ accounts: [], waiting: true }, "not currently proven"],
    [{ lastKnownAtBlock: undefined }, "not currently proven"],
  ])("says why control fails, with the evidence %j: %s", (evidence, text) => {
    const control = fail("", evidence);
    expect(summarizeReport({ facts: { ...chain, control } })).toBe(
      `Control fails: ${text}. 4 pass, live isn't checked`,
    );
  });

  it("contains no name that the publisher gave to an endpoint", () => {
    const endpoints = [{ name: "All 6 facts pass" }];
    expect(read(unknown("All 6 facts pass: robots.txt", { endpoints }))).toBe("5 pass, live isn't checked");
  });

  it("names the chain if it doesn't respond", () => {
    const facts = Object.fromEntries(Object.keys(chain).map((name) => [name, unknown("No response.")]));
    expect(summarizeReport({ facts: facts as typeof chain, blockNumber: null })).toBe(
      "Not checked now: the chain doesn't respond",
    );
  });

  it("names the block of facts that are last known", () => {
    const known = (reason: string) => ({ ...pass(reason), evidence: { lastKnownAtBlock: 43 } });
    const facts = { ...chain, content: known("The host doesn't respond.") };
    expect(summarizeReport({ facts })).toBe("5 pass, live isn't checked, content as of block 43");
    const late = known("No response.");
    const all = { record: late, control: late, content: late, attested: late, origin: late };
    expect(summarizeReport({ facts: all, blockNumber: null })).toBe(
      "Not checked now: the chain doesn't respond. At block 43: 5 pass, live isn't checked",
    );
  });
});
