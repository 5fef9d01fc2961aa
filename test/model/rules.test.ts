import { expect } from "chai";
import type { Action, Says } from "./actions.ts";
import { Rules } from "./rules.ts";
import { DAY, GRACE, HOUR } from "./runs.ts";

const maturation = 2 * DAY;
const challengePeriod = 10 * DAY;
const did = "did:web:example.com";
const address = (digit: string) => `0x${digit.repeat(40)}`;
const [first, second, third] = [address("1"), address("2"), address("3")];
const [issuer, issuer2, issuer3] = [address("a"), address("b"), address("c")];

describe("Model of the rules", () => {
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
  const block = (by: string, account: string, lasting = 30 * DAY) =>
    act({ kind: "block", by, request: { did, account, until: rules.now + lasting } });
  const distrust = (by: string, since: number) => act({ kind: "distrustIssuer", issuer: by, since });
  const controls = (account: string) => rules.checkDID(did, account);
  const inCharge = (account: string) => rules.account(did, account).isInCharge(rules.now);
  const resists = (account: string) => rules.account(did, account).resistsReclaim(rules.now);
  const from = (account: string) => rules.account(did, account).controlsFrom(rules.now);

  /** Expects an answer to change exactly `seconds` from now. */
  const expectChange = (seconds: number, answer: () => unknown, before: unknown, after: unknown) => {
    wait(seconds - 1);
    expect(answer()).to.equal(before);
    wait(1);
    expect(answer()).to.equal(after);
  };

  beforeEach(() => {
    rules = new Rules({ maturation, challengePeriod, maxTTL: 365 * DAY });
    rules.now = 1_800_000_000;
    for (const added of [issuer, issuer2, issuer3]) act({ kind: "addIssuer", issuer: added });
    attest(issuer, first);
  });

  it("gives control to a DID's first controller immediately, and to others up to two maturations later", () => {
    attest(issuer, second);
    expect(controls(first)).to.equal(true);
    expect(from(second)).to.equal(rules.now + 2 * maturation);
    wait(maturation + HOUR);
    attest(issuer, third);
    expectChange(maturation - HOUR, () => controls(second), false, true);
    expectChange(HOUR, () => controls(third), false, true);
  });

  it("refuses an attestation that would expire before it matures, or skips it in a batch", () => {
    wait(maturation);
    expect(attest(issuer, second, maturation)).to.deep.equal(["ExpiresBeforeMaturing"]);
    const entries = [second, third].map((subject, index) => ({
      ...{ did, subject, expiresAt: rules.now + maturation + index },
    }));
    act({ kind: "stateBatch", topic: "DID", says: "attest", issuer, entries });
    wait(maturation);
    expect([controls(second), controls(third)]).to.deep.equal([false, true]);
  });

  it("makes an issuer wait only after its own last revocation", () => {
    revoke(issuer, first);
    wait(HOUR);
    revoke(issuer, first);
    wait(maturation - 1);
    expect(attest(issuer, first)).to.deep.equal(["RecentlyRevoked"]);
    expect(attest(issuer2, first)).to.deep.equal([]);
    wait(1);
    expect(attest(issuer, first)).to.deep.equal([]);
  });

  it("lets a revoked account resist for the grace, from its first revocation", () => {
    wait(DAY);
    revoke(issuer, first);
    wait(DAY);
    revoke(issuer, first);
    expect([controls(first), inCharge(first)]).to.deep.equal([false, false]);
    expectChange(GRACE - DAY, () => resists(first), true, false);
  });

  it("restores a run that a leaked key revoked, for 23 days if the key also extended it", () => {
    wait(10 * DAY);
    const leakedAt = rules.now;
    attest(issuer2, second);
    wait(DAY);
    attest(issuer, first);
    revoke(issuer, first);
    distrust(issuer, leakedAt);
    expect(controls(first)).to.equal(true);
    expectChange(23 * DAY, () => controls(first), true, false);
    expect(inCharge(first)).to.equal(true);
  });

  it("keeps the end of a revoked run that the owner ends for good", () => {
    const end = () => act({ kind: "endAttestation", topic: "DID", did, subject: first, issuer });
    wait(DAY);
    revoke(issuer, first);
    const revokedAt = rules.now;
    expect(end()).to.deep.equal(["IssuerActive"]);
    act({ kind: "retireIssuer", issuer });
    wait(DAY);
    expect([resists(first), end(), resists(first)]).to.deep.equal([true, [], false]);
    distrust(issuer, revokedAt);
    expect(controls(first)).to.equal(false);
  });

  describe("with a block", () => {
    beforeEach(() => wait(maturation));

    it("prevents control by runs that mature later until the block ends", () => {
      attest(issuer, second);
      wait(HOUR);
      expect(block(first, second)).to.deep.equal([]);
      const until = rules.now + 30 * DAY;
      attest(issuer2, second, DAY * 3);
      wait(3 * DAY);
      expect([controls(second), from(second)]).to.deep.equal([false, until]);
      expect(rules.account(did, second).score(rules.now)).to.equal(1);
      wait(DAY);
      block(first, second, DAY);
      expect(rules.blockOn(did, second)).to.deep.include({ until, weight: 1 });
      rules.now = until;
      expect(controls(second)).to.equal(true);
    });

    it("is outweighed if runs of more issuers matured a challenge period ago", () => {
      block(first, second);
      for (const by of [issuer2, issuer3]) attest(by, second);
      const overruledAt = rules.now + maturation + challengePeriod;
      expect(from(second)).to.equal(overruledAt);
      expectChange(maturation + challengePeriod, () => controls(second), false, true);
      revoke(issuer3, second);
      expect(controls(second)).to.equal(false);
    });

    it("is not outweighed by a run that expires within the challenge period", () => {
      block(first, second);
      attest(issuer2, second);
      attest(issuer3, second, maturation + challengePeriod);
      wait(maturation + challengePeriod);
      expect(controls(second)).to.equal(false);
    });

    it("can be ended by any account in charge, and stays in force if its author loses control", () => {
      attest(issuer2, third);
      attest(issuer2, second);
      block(first, second);
      revoke(issuer, first);
      wait(maturation);
      expect(controls(second)).to.equal(false);
      expect(act({ kind: "unblock", by: first, did, account: second })).to.deep.equal(["NotInCharge"]);
      expect(act({ kind: "unblock", by: third, did, account: second })).to.deep.equal([]);
      expect(controls(second)).to.equal(true);
    });
  });
});
