import { expect } from "chai";
import { createResolverSuite, DAY, didHash, MATURATION } from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("Vouching for a controller", () => {
  /** A first controller, and a newcomer that waits. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer, first, second, attest } = suite;
    await attest(issuer, first);
    const startedAt = await attest(issuer, second);
    const vouch = (by: typeof first, controller: typeof first) =>
      resolver.connect(by).vouchController(didHash, controller.address);
    return { ...suite, startedAt, vouch };
  }

  describe("when a controller who counts vouches for a newcomer", () => {
    it("counts at once, so a second wallet is one transaction away", async () => {
      const { resolver, issuer, first, second, startedAt, vouch, counts, runOf } = await setup();
      expect(await counts(second)).to.equal(false);
      await expect(vouch(first, second))
        .to.emit(resolver, "ControllerVouched")
        .withArgs(didHash, second, first);
      expect(await counts(second)).to.equal(true);
      expect(await runOf(issuer, second)).to.include({
        ...{ vouched: true, settled: false, settlesAt: startedAt + MATURATION },
      });
    });

    it("gives neither a score nor standing before the run settles", async () => {
      const { first, second, startedAt, vouch, score, standing } = await setup();
      await vouch(first, second);
      expect([await score(second), await standing(second)]).to.deep.equal([0, 0]);
      await at(startedAt + MATURATION);
      expect([await score(second), await standing(second)]).to.deep.equal([1, 1]);
    });

    it("does not depend on the voucher afterwards", async () => {
      const { issuer, first, second, vouch, revoke, counts } = await setup();
      await vouch(first, second);
      await revoke(issuer, first);
      expect(await counts(second)).to.equal(true);
    });

    it("may vouch in turn for another, and never for itself", async () => {
      const { resolver, issuer2, first, second, third, attest, vouch, counts } = await setup();
      await vouch(first, second);
      await attest(issuer2, third);
      await vouch(second, third);
      expect(await counts(third)).to.equal(true);
      await expect(vouch(first, first))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(first);
    });

    it("vouches for every live run that the newcomer has, and for no later one", async () => {
      const { issuer, issuer2, issuer3, first, second, attest, revoke, vouch, counts, runOf } = await setup();
      await attest(issuer2, second);
      await vouch(first, second);
      await attest(issuer3, second);
      expect((await runOf(issuer2, second))?.vouched).to.equal(true);
      expect((await runOf(issuer3, second))?.vouched).to.equal(false);
      await revoke(issuer, second);
      expect(await counts(second)).to.equal(true);
      await revoke(issuer2, second);
      expect(await counts(second)).to.equal(false);
    });

    it("skips runs that are over", async () => {
      const { issuer2, first, second, attest, vouch, runOf } = await setup();
      const expiresAt = (await time.latest()) + 10;
      await attest(issuer2, second, expiresAt);
      await next(expiresAt);
      await vouch(first, second);
      expect((await runOf(issuer2, second))?.vouched).to.equal(false);
    });

    it("takes a controller that counts already", async () => {
      const { issuer, first, second, vouch, counts, runOf } = await setup();
      await vouch(first, second);
      await vouch(second, first);
      await vouch(first, second);
      expect(await counts(first)).to.equal(true);
      expect((await runOf(issuer, first))?.vouched).to.equal(true);
    });

    it("makes a run count that would never settle", async () => {
      const { issuer, first, third, attest, vouch, counts } = await setup();
      await attest(issuer, third, (await time.latest()) + DAY);
      await vouch(first, third);
      expect(await counts(third)).to.equal(true);
    });
  });

  describe("when the run that was vouched for goes on", () => {
    it("keeps the vouch through a renewal in time", async () => {
      const { issuer, first, third, vouch, attest, counts } = await setup();
      const expiresAt = (await time.latest()) + DAY;
      await attest(issuer, third, expiresAt);
      await vouch(first, third);
      await attest(issuer, third);
      await at(expiresAt);
      expect(await counts(third)).to.equal(true);
    });

    it("keeps the vouch through a late renewal of a run that had settled", async () => {
      const { issuer, first, second, third, vouch, attest, counts, runOf } = await setup();
      await attest(issuer, third, (await time.latest()) + 3 * DAY);
      await vouch(first, third);
      await time.increase(4 * DAY);
      expect(await counts(third)).to.equal(false);
      await attest(issuer, third);
      expect((await runOf(issuer, third))?.vouched).to.equal(true);
      expect(await counts(second)).to.equal(true);
    });
  });

  describe("when the run that was vouched for ends", () => {
    it("ends the vouch with the expiry of a run that had not settled", async () => {
      const { issuer, first, third, vouch, attest, counts, runOf } = await setup();
      const expiresAt = (await time.latest()) + DAY;
      await attest(issuer, third, expiresAt);
      await vouch(first, third);
      await next(expiresAt);
      await attest(issuer, third);
      expect(await counts(third)).to.equal(false);
      expect((await runOf(issuer, third))?.vouched).to.equal(false);
    });

    it("ends the vouch with a revocation", async () => {
      const { issuer, first, second, vouch, attest, revoke, counts } = await setup();
      await vouch(first, second);
      await next((await revoke(issuer, second)) + MATURATION);
      await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
    });
  });

  describe("when the voucher objects to the newcomer", () => {
    it("withdraws that objection, and no other", async () => {
      const { resolver, issuer, first, second, third, attest, vouch, counts } = await setup();
      await attest(issuer, third);
      await vouch(first, second);
      for (const each of [first, second]) await resolver.connect(each).objectToController(didHash, third);
      const vouching = vouch(first, third);
      await expect(vouching).to.emit(resolver, "ObjectionWithdrawn").withArgs(didHash, third, first);
      await expect(vouching).to.emit(resolver, "ControllerVouched").withArgs(didHash, third, first);
      const objections = await resolver.getObjections(didHash, third);
      expect(objections.map(({ author }) => author)).to.deep.equal([second.address]);
      expect(await counts(third)).to.equal(false);
      await vouch(second, third);
      expect(await counts(third)).to.equal(true);
    });

    it("says nothing of a withdrawal when there was no objection", async () => {
      const { resolver, first, second, vouch } = await setup();
      await expect(vouch(first, second)).not.to.emit(resolver, "ObjectionWithdrawn");
    });
  });

  describe("when it is refused", () => {
    it("refuses a voucher that does not count", async () => {
      const { resolver, second, third, stranger, issuer, attest, vouch } = await setup();
      await attest(issuer, third);
      for (const voucher of [stranger, second]) {
        await expect(vouch(voucher, third))
          .to.be.revertedWithCustomError(resolver, "NotController")
          .withArgs(didHash, voucher);
      }
    });

    it("refuses a newcomer without a live attestation", async () => {
      const { resolver, issuer, first, third, stranger, attest, vouch } = await setup();
      const expiresAt = (await time.latest()) + DAY;
      await attest(issuer, third, expiresAt);
      await at(expiresAt);
      for (const newcomer of [stranger, third]) {
        await expect(vouch(first, newcomer))
          .to.be.revertedWithCustomError(resolver, "NotAttested")
          .withArgs(didHash, newcomer);
      }
    });
  });
});
