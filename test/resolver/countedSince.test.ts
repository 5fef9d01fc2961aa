import { expect } from "chai";
import {
  CHALLENGE_PERIOD,
  createResolverSuite,
  DAY,
  didHash,
  GRACE,
  HOUR,
  MATURATION,
  YEAR,
} from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("Whether a controller counted since a time", () => {
  async function setup() {
    const suite = await load();
    const { resolver, issuer, third, attest } = suite;
    // The DID is claimed by somebody else, so that every run of the tests waits.
    await attest(issuer, third);
    const since = (account: typeof third, timestamp: number) =>
      resolver.countedSince(didHash, account, timestamp);
    /** The second from which on the account did not count any more. */
    const expectUntil = async (account: typeof third, end: number) => {
      expect(await since(account, end - 1), `counted since ${end - 1}`).to.equal(true);
      expect(await since(account, end), `counted since ${end}`).to.equal(false);
    };
    return { ...suite, since, expectUntil };
  }

  it("is no before any attestation, and while the first one waits", async () => {
    const { issuer, first, attest, since } = await setup();
    expect(await since(first, 0)).to.equal(false);
    const settlesAt = (await attest(issuer, first)) + MATURATION;
    await at(settlesAt - 1);
    expect(await since(first, 0)).to.equal(false);
    await at(settlesAt);
    expect(await since(first, 0)).to.equal(true);
  });

  it("is yes while the run lives, also for a time to come, up to its expiry", async () => {
    const { issuer, first, attest, expectUntil } = await setup();
    const expiresAt = (await time.latest()) + 5 * DAY;
    await attest(issuer, first, expiresAt);
    await time.increase(MATURATION);
    await expectUntil(first, expiresAt);
  });

  it("is yes up to the expiry, however long ago, and not through grace", async () => {
    const { issuer, first, attest, expectUntil } = await setup();
    const expiresAt = (await time.latest()) + 5 * DAY;
    await attest(issuer, first, expiresAt);
    await at(expiresAt + YEAR);
    await expectUntil(first, expiresAt);
  });

  it("is yes up to a revocation", async () => {
    const { issuer, first, attest, revoke, expectUntil } = await setup();
    await attest(issuer, first);
    await time.increase(3 * DAY);
    await expectUntil(first, await revoke(issuer, first));
  });

  it("is yes up to the expiry when the revocation came after it", async () => {
    const { issuer, first, attest, revoke, expectUntil } = await setup();
    const expiresAt = (await time.latest()) + 5 * DAY;
    await attest(issuer, first, expiresAt);
    await at(expiresAt + DAY);
    await revoke(issuer, first);
    await expectUntil(first, expiresAt);
  });

  it("is no for a run that was revoked in the very second in which it would settle, or before", async () => {
    const { issuer, first, attest, revoke, since } = await setup();
    const settlesAt = (await attest(issuer, first)) + MATURATION;
    await next(settlesAt);
    await revoke(issuer, first);
    expect(await since(first, 0)).to.equal(false);
    await time.increase(YEAR);
    expect(await since(first, 0)).to.equal(false);
  });

  it("is yes for a run that was settled for one second", async () => {
    const { issuer, first, attest, revoke, expectUntil } = await setup();
    const settlesAt = (await attest(issuer, first)) + MATURATION;
    await next(settlesAt + 1);
    await revoke(issuer, first);
    await expectUntil(first, settlesAt + 1);
  });

  it("is no for a run that never settles", async () => {
    const { issuer, first, attest, since } = await setup();
    await attest(issuer, first, (await time.latest()) + HOUR);
    await attest(issuer, first);
    await time.increase(3 * DAY);
    expect(await since(first, 0)).to.equal(false);
  });

  it("is yes up to an ousting", async () => {
    const { resolver, issuer, issuer2, issuer3, first, second, attest, expectUntil } = await setup();
    await attest(issuer, first);
    for (const each of [issuer2, issuer3]) await attest(each, second);
    await resolver.connect(second).challengeDID(didHash, first);
    await time.increase(CHALLENGE_PERIOD);
    await resolver.resolveChallenge(didHash, first, second);
    await expectUntil(first, await time.latest());
  });

  it("is no for a run that an objection bars, until that is withdrawn", async () => {
    const { resolver, issuer, first, third, attest, since } = await setup();
    await attest(issuer, first);
    await resolver.connect(third).objectToController(didHash, first);
    await time.increase(MATURATION);
    expect(await since(first, 0)).to.equal(false);
    await resolver.connect(third).withdrawObjection(didHash, first);
    expect(await since(first, 0)).to.equal(true);
  });

  it("is yes for a run that had settled before an objection, and for the end of one before that", async () => {
    const { resolver, issuer, first, third, attest, revoke, since, expectUntil } = await setup();
    await attest(issuer, first);
    await time.increase(3 * DAY);
    const endedAt = await revoke(issuer, first);
    await resolver.connect(third).objectToController(didHash, first);
    await expectUntil(first, endedAt);
    await next(endedAt + MATURATION);
    const startedAt = await attest(issuer, first);
    await expectUntil(first, endedAt);
    await at(startedAt + 2 * MATURATION);
    expect(await resolver.checkDID(didHash, first)).to.equal(false);
    await expectUntil(first, endedAt);
    await revoke(issuer, first);
    await time.increase(MATURATION);
    await attest(issuer, first);
    expect(await since(first, 0)).to.equal(false);
  });

  it("is not touched by a vouch", async () => {
    const { resolver, issuer, first, third, attest, since } = await setup();
    await attest(issuer, first);
    await resolver.connect(third).vouchController(didHash, first);
    expect(await since(first, 0)).to.equal(false);
  });

  it("is yes as long as any issuer's run says so", async () => {
    const { issuer, issuer2, first, attest, revoke, expectUntil } = await setup();
    await attest(issuer2, first);
    await attest(issuer, first);
    await time.increase(3 * DAY);
    await revoke(issuer2, first);
    await time.increase(DAY);
    await expectUntil(first, await revoke(issuer, first));
  });

  describe("with an earlier run", () => {
    /** A settled run that was revoked, and a newer one that waits; `endedAt` is the end of the first. */
    async function setupTwoRuns() {
      const suite = await setup();
      const { issuer, first, attest, revoke } = suite;
      const startedAt = await attest(issuer, first);
      await time.increase(3 * DAY);
      const endedAt = await revoke(issuer, first);
      await next(endedAt + MATURATION);
      const againAt = await attest(issuer, first);
      return { ...suite, startedAt, endedAt, againAt };
    }

    it("is yes up to that one's end while the newer one waits, and when that ends too soon", async () => {
      const { issuer, first, endedAt, revoke, expectUntil } = await setupTwoRuns();
      await expectUntil(first, endedAt);
      await revoke(issuer, first);
      await time.increase(MATURATION);
      await expectUntil(first, endedAt);
    });

    it("remembers the last that settled through any number that did not", async () => {
      const { issuer, first, endedAt, attest, revoke, expectUntil } = await setupTwoRuns();
      for (let i = 0; i < 3; i++) {
        await next((await revoke(issuer, first)) + MATURATION);
        await attest(issuer, first, (await time.latest()) + MATURATION + HOUR);
      }
      await expectUntil(first, endedAt);
    });

    it("remembers the end of grace's renewal that came too late: the expiry", async () => {
      const { issuer, first, attest, expectUntil } = await setup();
      const expiresAt = (await time.latest()) + 5 * DAY;
      await attest(issuer, first, expiresAt);
      await next(expiresAt + GRACE);
      await attest(issuer, first);
      await expectUntil(first, expiresAt);
    });

    it("remembers an ousting as the end of the run that it hit", async () => {
      const { resolver, issuer, issuer2, issuer3, first, second, attest, expectUntil } = await setup();
      await attest(issuer, first);
      for (const each of [issuer2, issuer3]) await attest(each, second);
      await resolver.connect(second).challengeDID(didHash, first);
      await time.increase(CHALLENGE_PERIOD);
      await resolver.resolveChallenge(didHash, first, second);
      const oustedAt = await time.latest();
      await attest(issuer, first);
      await expectUntil(first, oustedAt);
    });

    it("is yes up to the newer one's end once that has settled", async () => {
      const { issuer, first, againAt, revoke, expectUntil } = await setupTwoRuns();
      await at(againAt + MATURATION);
      await expectUntil(first, againAt + YEAR);
      await expectUntil(first, await revoke(issuer, first));
    });

    it("ends at the latest when its issuer's distrust begins", async () => {
      const { resolver, issuer, first, startedAt, endedAt, againAt, expectUntil } = await setupTwoRuns();
      await resolver.distrustIssuer(issuer, againAt);
      await expectUntil(first, endedAt);
      await resolver.distrustIssuer(issuer, endedAt - HOUR);
      await expectUntil(first, endedAt - HOUR);
      await resolver.distrustIssuer(issuer, startedAt);
      await expectUntil(first, startedAt);
    });
  });

  describe("with a distrusted issuer", () => {
    it("is no for a run that is void", async () => {
      const { resolver, issuer, first, attest, since } = await setup();
      const startedAt = await attest(issuer, first);
      await time.increase(3 * DAY);
      await resolver.distrustIssuer(issuer, startedAt);
      expect(await since(first, 0)).to.equal(false);
    });

    it("is yes up to what the distrust leaves of a run", async () => {
      const { resolver, issuer, first, attest, expectUntil } = await setup();
      const startedAt = await attest(issuer, first);
      await time.increase(3 * DAY);
      await resolver.distrustIssuer(issuer, startedAt + 1);
      await expectUntil(first, startedAt + 1 + 30 * DAY);
    });

    it("ignores a revocation that the distrust undoes", async () => {
      const { resolver, issuer, first, attest, revoke, expectUntil } = await setup();
      await attest(issuer, first);
      await time.increase(3 * DAY);
      const endedAt = await revoke(issuer, first);
      await resolver.distrustIssuer(issuer, endedAt);
      await expectUntil(first, endedAt + 30 * DAY);
    });
  });
});
