import { expect } from "chai";
import type { Action, Says } from "./actions.ts";
import { RECLAIM_VOID, RECLAIM_WAIT, Rules } from "./rules.ts";
import { DAY, GRACE, HOUR, STANDING_TAIL } from "./runs.ts";

const MATURATION = 2 * DAY;
const START = 1_800_000_000;
const did = "did:web:example.com";
const account = (digit: string) => `0x${digit.repeat(40)}`;
const [first, second, third] = [account("1"), account("2"), account("3")];
const [issuer, issuer2, issuer3] = [account("a"), account("b"), account("c")];

describe("The model of the rules of control", () => {
  let rules: Rules;

  const act = (action: Action) => rules.perform(action);
  const wait = (seconds: number) => {
    rules.now += seconds;
  };
  const state = (says: Says, by: string, subject: string, expiresAt = 0) =>
    act({ kind: "state", topic: "DID", says, issuer: by, entry: { did, subject, expiresAt } });
  const attest = (by: string, subject: string, lifetime?: number) =>
    state("attest", by, subject, lifetime === undefined ? 0 : rules.now + lifetime);
  const revoke = (by: string, subject: string) => state("revoke", by, subject);
  const carry = (says: Says, by: string, subject: string, statedAt: number) => {
    const entry = { did, subject, expiresAt: 0 };
    const dates = { statedAt, deadline: statedAt + DAY };
    return act({ kind: "stateSigned", topic: "DID", says, issuer: by, entry, ...dates, genuine: true });
  };
  const counts = (subject: string) => rules.checkDID(did, subject);
  const object = (by: string, subject: string) =>
    act({ kind: "objectToController", by, did, account: subject });
  const resolve = (challenger: string, incumbent: string) =>
    act({ kind: "resolveChallenge", by: third, did, incumbent, challenger });

  beforeEach(() => {
    rules = new Rules(MATURATION);
    rules.now = START;
    for (const address of [issuer, issuer2, issuer3]) act({ kind: "addIssuer", issuer: address });
  });

  it("lets a DID's first controller count at once, and the next after maturation", () => {
    attest(issuer, first);
    attest(issuer, second);
    expect([counts(first), counts(second)]).to.deep.equal([true, false]);
    wait(MATURATION - 1);
    expect(counts(second)).to.equal(false);
    wait(1);
    expect(counts(second)).to.equal(true);
  });

  it("never settles a run that expires before it would", () => {
    attest(issuer, first);
    attest(issuer, second, MATURATION);
    expect(attest(issuer, second, 10 * DAY)).to.deep.equal([]);
    wait(9 * DAY);
    expect([rules.isAttested(did, second), counts(second)]).to.deep.equal([true, false]);
  });

  it("keeps a run that is renewed until the grace is over, and begins another after that", () => {
    attest(issuer, first, DAY);
    wait(DAY + GRACE - 1);
    expect([counts(first), rules.isLate(did, first)]).to.deep.equal([false, true]);
    attest(issuer, first, DAY);
    expect(counts(first)).to.equal(true);
    wait(DAY + GRACE);
    attest(issuer, first);
    expect(counts(first)).to.equal(false);
    expect(rules.countedSince(did, first, rules.now - GRACE - 1)).to.equal(true);
    expect(rules.countedSince(did, first, rules.now - GRACE)).to.equal(false);
  });

  it("lets standing end 48 hours after the run is no longer held, or maturation if that is longer", () => {
    attest(issuer, first);
    revoke(issuer, first);
    expect(rules.standing(did, first)).to.equal(0);
    attest(issuer2, second);
    wait(MATURATION + DAY);
    revoke(issuer2, second);
    wait(STANDING_TAIL - 1);
    expect(rules.standing(did, second)).to.equal(1);
    wait(1);
    expect(rules.standing(did, second)).to.equal(0);
    act({ kind: "setMaturation", seconds: STANDING_TAIL + 1 });
    expect(rules.standing(did, second)).to.equal(1);
  });

  it("takes the newest of signed statements, whatever the order in which they arrive", () => {
    wait(DAY);
    const signedAt = rules.now - HOUR;
    expect(carry("revoke", issuer, first, signedAt)).to.deep.equal([]);
    expect(carry("attest", issuer, first, signedAt)).to.deep.equal(["StaleStatement"]);
    expect(carry("revoke", issuer, first, signedAt - 1)).to.deep.equal([]);
    wait(MATURATION);
    attest(issuer, first);
    expect(carry("attest", issuer, first, rules.now)).to.deep.equal([]);
    expect(carry("revoke", issuer, first, rules.now)).to.deep.equal([]);
    expect(rules.isAttested(did, first)).to.equal(false);
  });

  it("makes an issuer wait after its own revocation only", () => {
    attest(issuer, first);
    revoke(issuer, first);
    wait(MATURATION - 1);
    expect(attest(issuer, first)).to.deep.equal(["RecentlyRevoked"]);
    expect(attest(issuer2, first)).to.deep.equal([]);
    wait(1);
    expect(attest(issuer, first)).to.deep.equal([]);
  });

  it("restores the answers as of the time since when an issuer is distrusted", () => {
    attest(issuer, first);
    wait(10 * DAY);
    const leakedAt = rules.now;
    attest(issuer, second);
    revoke(issuer, first);
    wait(MATURATION);
    expect([counts(first), counts(second)]).to.deep.equal([false, true]);
    act({ kind: "distrustIssuer", issuer, since: leakedAt });
    expect([counts(first), counts(second)]).to.deep.equal([true, false]);
    wait(30 * DAY - MATURATION - 1);
    expect(counts(first)).to.equal(true);
    wait(1);
    expect(counts(first)).to.equal(false);
  });

  it("keeps out for a week whom a controller of equal standing objects to", () => {
    attest(issuer, first);
    wait(DAY);
    for (const by of [issuer2, issuer3]) attest(by, second);
    expect(object(first, second)).to.deep.equal([]);
    wait(MATURATION + GRACE - 1);
    expect(counts(second)).to.equal(false);
    wait(1);
    expect(counts(second)).to.equal(true);
  });

  it("bars by an objection only what had not settled when it was made", () => {
    attest(issuer, first);
    attest(issuer, second, 5 * DAY);
    wait(5 * DAY);
    expect(object(first, second)).to.deep.equal([]);
    attest(issuer2, second);
    wait(MATURATION);
    expect(counts(second)).to.equal(false);
    attest(issuer, second);
    expect(counts(second)).to.equal(true);
    revoke(issuer, second);
    expect([counts(second), rules.isObjected(did, second)]).to.deep.equal([false, true]);
  });

  it("forgets for a while that somebody counted whom an objection bars", () => {
    attest(issuer, first);
    for (const by of [issuer, issuer2]) attest(by, second);
    object(first, second);
    wait(MATURATION);
    expect(rules.countedSince(did, second, START)).to.equal(false);
    wait(GRACE);
    expect(rules.countedSince(did, second, START)).to.equal(true);
  });

  it("weighs of an objection's author only what it had when it objected", () => {
    attest(issuer, first);
    object(first, second);
    wait(1);
    attest(issuer2, first);
    wait(MATURATION);
    const weights = rules.objectionsTo(did, second).map((one) => rules.authorWeight(did, one));
    expect([rules.standing(did, first), ...weights]).to.deep.equal([2, 1]);
    for (const by of [issuer, issuer2]) revoke(by, first);
    wait(STANDING_TAIL - 1);
    attest(issuer3, second);
    wait(1);
    expect([rules.isObjected(did, second), rules.isAttested(did, second)]).to.deep.equal([false, true]);
  });

  it("lets a late controller object, but not vouch", () => {
    attest(issuer, first, DAY);
    attest(issuer, second);
    wait(DAY);
    expect(act({ kind: "vouchController", by: first, did, account: second })).to.deep.equal([
      "NotController",
    ]);
    expect(object(first, second)).to.deep.equal([]);
    wait(GRACE);
    expect(object(first, third)).to.deep.equal(["NotController"]);
  });

  it("ends a run by the owner where its issuer did, for good", () => {
    const end = () => act({ kind: "endAttestation", topic: "DID", did, subject: first, issuer });
    attest(issuer, first);
    wait(DAY);
    revoke(issuer, first);
    const revokedAt = rules.now;
    expect(end()).to.deep.equal(["IssuerActive"]);
    act({ kind: "retireIssuer", issuer });
    wait(DAY);
    expect([end(), end()]).to.deep.equal([[], []]);
    act({ kind: "distrustIssuer", issuer, since: revokedAt });
    expect(rules.isAttested(did, first)).to.equal(false);
    expect(rules.countedSince(did, first, revokedAt - 1)).to.equal(true);
    expect(rules.countedSince(did, first, revokedAt)).to.equal(false);
  });

  it("keeps attestations longer than their maturation", () => {
    expect(act({ kind: "setMaxTTL", seconds: MATURATION })).to.deep.equal(["InvalidMaxTTL"]);
    expect(act({ kind: "setMaxTTL", seconds: MATURATION + 1 })).to.deep.equal([]);
    expect(act({ kind: "setMaturation", seconds: MATURATION + 1 })).to.deep.equal(["InvalidMaturation"]);
  });

  it("lets vouched newcomers count without waiting, without a score", () => {
    attest(issuer, first);
    attest(issuer, second);
    act({ kind: "vouchController", by: first, did, account: second });
    expect([counts(second), rules.ownershipScore(did, second)]).to.deep.equal([true, 0]);
    revoke(issuer, first);
    expect(counts(second)).to.equal(true);
  });

  describe("with a challenge", () => {
    const period = 7 * DAY;
    beforeEach(() => {
      attest(issuer, first);
      wait(DAY);
      for (const by of [issuer2, issuer3]) attest(by, second);
      act({ kind: "challengeDID", by: second, did, incumbent: first });
    });

    it("ousts an incumbent of less standing, in the window", () => {
      wait(period - 1);
      expect(resolve(second, first)).to.deep.equal(["ChallengeNotResolvable"]);
      wait(1);
      expect(resolve(second, first)).to.deep.equal([]);
      expect([counts(first), counts(second)]).to.deep.equal([false, true]);
      expect(attest(issuer, first)).to.deep.equal(["StaleStatement"]);
      expect(carry("attest", issuer, first, rules.now - HOUR)).to.deep.equal(["StaleStatement"]);
    });

    it("leaves the end of an ousted run where it is when another challenger wins", () => {
      for (const by of [issuer2, issuer3]) attest(by, third);
      wait(1);
      act({ kind: "challengeDID", by: third, did, incumbent: first });
      wait(period);
      resolve(second, first);
      const oustedAt = rules.now;
      wait(5 * DAY);
      expect(resolve(third, first)).to.deep.equal([]);
      expect([rules.standing(did, first), rules.countedSince(did, first, oustedAt)]).to.deep.equal([
        0,
        false,
      ]);
    });

    it("weighs the incumbent's unsettled attestations, and none that the challenger got later", () => {
      wait(period);
      attest(issuer2, first);
      expect(resolve(second, first)).to.deep.equal(["ChallengeNotWon"]);
      attest(issuer, second);
      wait(MATURATION);
      expect(resolve(second, first)).to.deep.equal(["ChallengeNotWon"]);
      wait(period - MATURATION);
      expect(resolve(second, first)).to.deep.equal(["ChallengeNotOpen"]);
    });
  });

  it("ends a reclaim for the buyer when the seller came back after the opening", () => {
    const call = { by: second, did, major: 0 };
    attest(issuer, first);
    act({ kind: "mint", by: first, did, major: 0 });
    act({ kind: "transfer", by: first, did, major: 0, to: third });
    for (const by of [second, third]) attest(issuer, by);
    revoke(issuer, first);
    revoke(issuer, third);
    wait(MATURATION);
    expect(act({ kind: "openReclaim", ...call })).to.deep.equal([]);
    attest(issuer2, third);
    wait(DAY);
    act({ kind: "transfer", by: third, did, major: 0, to: account("4") });
    wait(RECLAIM_WAIT - DAY);
    expect(act({ kind: "finishReclaim", ...call })).to.deep.equal(["ReclaimContested"]);
    revoke(issuer2, third);
    expect(act({ kind: "finishReclaim", ...call })).to.deep.equal(["ReclaimContested"]);
  });

  it("gives a record to a claimant who counts, when no owner of it counted for 30 days", () => {
    const call = { by: second, did, major: 0 };
    attest(issuer, first);
    attest(issuer, second);
    act({ kind: "mint", by: first, did, major: 0 });
    wait(MATURATION);
    expect(act({ kind: "openReclaim", ...call })).to.deep.equal(["ReclaimContested"]);
    revoke(issuer, first);
    expect(act({ kind: "openReclaim", ...call })).to.deep.equal([]);
    wait(RECLAIM_WAIT - 1);
    expect(act({ kind: "finishReclaim", ...call })).to.deep.equal(["ReclaimNotFinishable"]);
    wait(1);
    expect(act({ kind: "finishReclaim", ...call })).to.deep.equal([]);
    expect(rules.recordOf(did, 0)?.holder).to.equal(second);
    wait(RECLAIM_VOID);
    expect(act({ kind: "finishReclaim", ...call })).to.deep.equal(["ReclaimNotOpen"]);
  });
});
