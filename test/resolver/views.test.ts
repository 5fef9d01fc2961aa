import { expect } from "chai";
import { createResolverSuite, DAY, didHash, GRACE, MATURATION, otherDidHash, YEAR } from "./fixture.ts";

const { time, at, load } = await createResolverSuite();

describe("getController", () => {
  async function setup() {
    const suite = await load();
    const { resolver, issuer, first } = suite;
    await suite.claim(issuer, first);
    const view = async (account: typeof first) => {
      const { controls, inCharge, attested, controlsFrom, blockedUntil, score, resistance } =
        await resolver.getController(didHash, account);
      const numbers = [controlsFrom, blockedUntil, score, resistance].map(Number);
      return [controls, inCharge, attested, ...numbers];
    };
    return { ...suite, view };
  }

  it("returns zeros for an account without statements", async () => {
    const { stranger, view } = await setup();
    expect(await view(stranger)).to.deep.equal([false, false, false, 0, 0, 0, 0]);
  });

  it("returns control for a matured attestation", async () => {
    const { first, view } = await setup();
    const [controls, inCharge, attested, , ...others] = await view(first);
    expect([controls, inCharge, attested, ...others]).to.deep.equal([true, true, true, 0, 1, 1]);
  });

  it("returns the time at which the first of several attestations matures", async () => {
    const { issuer, issuer2, second, attest, revoke, view } = await setup();
    const startedAt = await attest(issuer, second);
    await attest(issuer2, second);
    expect(await view(second)).to.deep.equal([false, false, true, startedAt + MATURATION, 0, 0, 2]);
    await revoke(issuer, second);
    expect(await view(second)).to.deep.equal([false, false, true, startedAt + MATURATION + 1, 0, 0, 2]);
  });

  it("returns the end of a block, from which the account controls the DID", async () => {
    const { first, issuer, second, attest, block, view } = await setup();
    await attest(issuer, second);
    const until = (await block(first, second, 3 * DAY)) + 3 * DAY;
    expect(await view(second)).to.deep.equal([false, false, true, until, until, 0, 1]);
  });

  it("returns that an account with an overdue renewal is in charge without control", async () => {
    const { issuer, second, attest, view } = await setup();
    const expiresAt = (await time.latest()) + 5 * DAY;
    await attest(issuer, second, expiresAt);
    await at(expiresAt);
    expect(await view(second)).to.deep.equal([false, true, false, 0, 0, 0, 1]);
  });
});

describe("Score and resistance of an account", () => {
  it("count issuers with matured runs, and issuers with runs that are live or ended less than 7 days ago", async () => {
    const { issuer, issuer2, first, third, attest, claim, revoke, score, resistance } = await load();
    await claim(issuer, third);
    const startedAt = await attest(issuer, first, (await time.latest()) + 5 * DAY);
    await attest(issuer2, first);
    const expiresAt = startedAt + 5 * DAY - 1;
    const read = async () => [await score(first), await resistance(first)];
    expect(await read()).to.deep.equal([0, 2]);
    await at(startedAt + MATURATION);
    expect(await read()).to.deep.equal([1, 2]);
    await at(startedAt + MATURATION + 1);
    expect(await read()).to.deep.equal([2, 2]);
    await at(expiresAt + GRACE - 1);
    expect(await read()).to.deep.equal([1, 2]);
    await at(expiresAt + GRACE);
    expect(await read()).to.deep.equal([1, 1]);
    const endedAt = await revoke(issuer2, first);
    expect(await read()).to.deep.equal([0, 1]);
    await at(endedAt + GRACE - 1);
    expect(await read()).to.deep.equal([0, 1]);
    await at(endedAt + GRACE);
    expect(await read()).to.deep.equal([0, 0]);
  });

  it("do not resist a reclaim with a run that ended before it matured or in that second", async () => {
    const { resolver, issuer, issuer2, first, second, third, attest, claim, revoke } = await load();
    await claim(issuer, first);
    await attest(issuer2, second);
    await revoke(issuer2, second);
    const startedAt = await attest(issuer2, third);
    await at(startedAt + MATURATION - 1);
    await revoke(issuer2, third);
    for (const account of [second, third]) {
      expect(await resolver.resistsReclaim(didHash, account)).to.equal(false);
    }
  });

  it("count only the runs of one DID", async () => {
    const { resolver, issuer, first, claim } = await load();
    await claim(issuer, first);
    expect(await resolver.ownershipScore(otherDidHash, first)).to.equal(0);
    expect((await resolver.getController(otherDidHash, first)).resistance).to.equal(0);
    expect(await resolver.claimedAt(otherDidHash)).to.equal(0);
    await time.increase(YEAR);
    expect(await resolver.claimedAt(didHash)).to.be.greaterThan(0);
  });
});
