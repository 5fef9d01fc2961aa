import { expect } from "chai";
import { createResolverSuite, DAY, didHash, MATURATION } from "./fixture.ts";

const { ethers, time, at, load } = await createResolverSuite();

describe("Rejecting a controller", () => {
  /** Two controllers that count, and a newcomer that waits. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer2, third, claimWithTwo, attest } = suite;
    await claimWithTwo();
    const waitsFrom = await attest(issuer2, third);
    const reject = (by: typeof third, controller: typeof third) =>
      resolver.connect(by).rejectController(didHash, controller.address);
    return { ...suite, newcomer: third, reject, waitsUntil: waitsFrom + MATURATION };
  }

  describe("when a controller rejects a newcomer that waits", () => {
    it("keeps it from counting after the wait, and says so", async () => {
      const { resolver, first, newcomer, reject, waitsUntil, counts } = await setup();
      await expect(reject(first, newcomer))
        .to.emit(resolver, "ControllerRejected")
        .withArgs(didHash, newcomer.address, first.address);
      await at(waitsUntil);
      expect(await counts(newcomer)).to.equal(false);
      const view = await resolver.getController(didHash, newcomer.address);
      expect([view.attested, view.rejected, view.countsFrom]).to.deep.equal([true, true, BigInt(waitsUntil)]);
    });

    it("loses its force when the rejecter no longer counts", async () => {
      const { resolver, issuer, first, newcomer, reject, waitsUntil, counts } = await setup();
      await reject(first, newcomer);
      await at(waitsUntil);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      expect(await counts(newcomer)).to.equal(true);
      expect((await resolver.getController(didHash, newcomer.address)).rejected).to.equal(false);
    });

    it("has force again when the rejecter had only expired", async () => {
      const { issuer, first, newcomer, reject, waitsUntil, attest, counts } = await setup();
      await attest(issuer, first, waitsUntil);
      await reject(first, newcomer);
      await at(waitsUntil);
      expect(await counts(newcomer)).to.equal(true);
      await attest(issuer, first);
      expect(await counts(newcomer)).to.equal(false);
    });

    it("stands until no rejecting controller counts any more", async () => {
      const { resolver, issuer, first, second, newcomer, reject, waitsUntil, counts } = await setup();
      await reject(first, newcomer);
      await reject(second, newcomer);
      await at(waitsUntil);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      expect(await counts(newcomer)).to.equal(false);
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      expect(await counts(newcomer)).to.equal(true);
    });

    it("is not shed by a revocation of the newcomer", async () => {
      const { resolver, issuer2, first, newcomer, reject, attest, counts } = await setup();
      await reject(first, newcomer);
      await resolver.connect(issuer2).revokeDID(didHash, newcomer.address);
      await attest(issuer2, newcomer);
      await time.increase(MATURATION);
      expect(await counts(newcomer)).to.equal(false);
    });

    it("takes a newcomer whose attestation has lapsed, so that a second of it does not hide the wait", async () => {
      const { issuer2, first, stranger, reject, attest, counts } = await setup();
      const attestedAt = await attest(issuer2, stranger, (await time.latest()) + 2);
      await time.increase(DAY);
      await reject(first, stranger);
      await at(attestedAt + MATURATION);
      await attest(issuer2, stranger);
      expect(await counts(stranger)).to.equal(false);
    });

    it("may be said again, after the newcomer has waited", async () => {
      const { first, second, newcomer, reject, waitsUntil, counts } = await setup();
      await reject(first, newcomer);
      await at(waitsUntil);
      await reject(first, newcomer);
      await reject(second, newcomer);
      expect(await counts(newcomer)).to.equal(false);
    });
  });

  describe("when a rejected newcomer is vouched for", () => {
    it("refuses the vouch of another controller", async () => {
      const { resolver, first, second, newcomer, reject } = await setup();
      await reject(first, newcomer);
      await expect(resolver.connect(second).vouchController(didHash, newcomer.address))
        .to.be.revertedWithCustomError(resolver, "RejectionStands")
        .withArgs(didHash, newcomer.address);
    });

    it("withdraws the rejecter's own word when the rejecter vouches", async () => {
      const { resolver, first, newcomer, reject, waitsUntil, counts } = await setup();
      await reject(first, newcomer);
      await resolver.connect(first).vouchController(didHash, newcomer.address);
      expect(await counts(newcomer)).to.equal(true);
      await at(waitsUntil);
      expect((await resolver.getController(didHash, newcomer.address)).rejected).to.equal(false);
    });
  });

  describe("with a rejecter that counts by a vouch", () => {
    it("has force while the voucher counts", async () => {
      const { resolver, issuer, issuer2, first, stranger, newcomer, reject, waitsUntil, attest, counts } =
        await setup();
      await time.increase(DAY);
      await attest(issuer2, stranger);
      await resolver.connect(first).vouchController(didHash, stranger.address);
      await reject(stranger, newcomer);
      await at(waitsUntil);
      expect(await counts(newcomer)).to.equal(false);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      expect(await counts(newcomer)).to.equal(true);
    });
  });

  describe("with controllers that reject each other", () => {
    it("lets the one that counts speak, and drops the word of the one that was restarted", async () => {
      const { resolver, issuer, second, newcomer, reject, waitsUntil, attest, counts } = await setup();
      await reject(second, newcomer);
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      await attest(issuer, second);
      await at(waitsUntil);
      expect(await counts(newcomer)).to.equal(true);
      await reject(newcomer, second);
      await time.increase(MATURATION);
      expect(await counts(second)).to.equal(false);
      expect(await counts(newcomer)).to.equal(true);
    });

    it("frees a controller of rejections without force once it acts", async () => {
      const { issuer, second, stranger, newcomer, reject, waitsUntil, attest, counts } = await setup();
      await attest(issuer, second, waitsUntil);
      await reject(second, newcomer);
      await at(waitsUntil);
      await attest(issuer, stranger);
      await reject(newcomer, stranger);
      await attest(issuer, second);
      expect(await counts(newcomer)).to.equal(true);
    });
  });

  describe("when it may not be rejected", () => {
    it("refuses a rejecter that does not count", async () => {
      const { resolver, stranger, newcomer, issuer, reject, attest } = await setup();
      await attest(issuer, stranger);
      await expect(reject(stranger, newcomer))
        .to.be.revertedWithCustomError(resolver, "NotController")
        .withArgs(didHash, stranger.address);
    });

    it("refuses to reject a controller that counts, or one that is not attested", async () => {
      const { resolver, first, second, stranger, reject } = await setup();
      for (const [rejecter, controller] of [
        [second, first],
        [first, second],
        [first, stranger],
      ] as const) {
        await expect(reject(rejecter, controller))
          .to.be.revertedWithCustomError(resolver, "NotWaiting")
          .withArgs(didHash, controller.address);
      }
    });

    it("refuses to reject a controller that has waited and has only expired", async () => {
      const { resolver, issuer, first, second, reject, attest } = await setup();
      const expiresAt = (await time.latest()) + DAY;
      await attest(issuer, second, expiresAt);
      await at(expiresAt);
      await expect(reject(first, second))
        .to.be.revertedWithCustomError(resolver, "NotWaiting")
        .withArgs(didHash, second.address);
    });

    it("refuses to reject oneself", async () => {
      const { resolver, first, reject } = await setup();
      await expect(reject(first, first))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(first.address);
    });
  });

  describe("with many rejecters", () => {
    it("keeps four with force, and takes the place of one that has lost it", async () => {
      const { resolver, issuer, first, second, newcomer, reject, attest } = await setup();
      const more = (await ethers.getSigners()).slice(10, 13);
      for (const each of more) {
        await attest(issuer, each, (await time.latest()) + 10 * DAY);
        await resolver.connect(first).vouchController(didHash, each.address);
      }
      for (const each of [second, ...more]) await reject(each, newcomer);
      await expect(reject(first, newcomer))
        .to.be.revertedWithCustomError(resolver, "TooManyRejections")
        .withArgs(4);
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      await reject(first, newcomer);
      await time.increase(11 * DAY);
      expect((await resolver.getController(didHash, newcomer.address)).rejected).to.equal(true);
    });
  });
});
