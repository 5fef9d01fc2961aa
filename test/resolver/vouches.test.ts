import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite, DAY, didHash, MATURATION } from "./fixture.ts";

const { time, at, load } = await createResolverSuite();

describe("Vouching for a controller", () => {
  /** A first controller, and a newcomer that waits. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer, first, second, attest } = suite;
    await attest(issuer, first);
    const waitsFrom = await attest(issuer, second);
    const vouch = (by: typeof first, controller: typeof first) =>
      resolver.connect(by).vouchController(didHash, controller.address);
    return { ...suite, waitsFrom, vouch };
  }

  describe("when the first controller vouches for a newcomer", () => {
    it("counts at once, so a second wallet is one transaction away", async () => {
      const { resolver, first, second, waitsFrom, vouch, counts } = await setup();
      expect(await counts(second)).to.equal(false);
      await expect(vouch(first, second))
        .to.emit(resolver, "ControllerVouched")
        .withArgs(didHash, second.address, first.address);
      expect(await counts(second)).to.equal(true);
      expect([...(await resolver.getController(didHash, second.address))]).to.deep.equal([
        ...[true, true, false, BigInt(waitsFrom + MATURATION), false, first.address],
      ]);
    });

    it("stops counting when the voucher does, and counts by itself once it has waited", async () => {
      const { resolver, issuer, first, second, waitsFrom, vouch, counts } = await setup();
      await vouch(first, second);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      expect(await counts(second)).to.equal(false);
      expect((await resolver.getController(didHash, second.address)).voucher).to.equal(ZeroAddress);
      await at(waitsFrom + MATURATION);
      expect(await counts(second)).to.equal(true);
    });

    it("stays without force when the voucher was revoked and is attested again", async () => {
      const { resolver, issuer, first, second, vouch, attest, counts } = await setup();
      await vouch(first, second);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      await attest(issuer, first);
      expect(await counts(first)).to.equal(true);
      expect(await counts(second)).to.equal(false);
    });

    it("stops counting while the voucher has expired", async () => {
      const { issuer, first, second, vouch, attest, counts } = await setup();
      const expiresAt = (await time.latest()) + DAY;
      await attest(issuer, first, expiresAt);
      await vouch(first, second);
      await at(expiresAt);
      expect(await counts(second)).to.equal(false);
      await attest(issuer, first);
      expect(await counts(second)).to.equal(true);
    });
  });

  describe("when the attestation that was vouched for ends", () => {
    it("ends the vouch with its expiry", async () => {
      const { issuer, first, second, vouch, attest, counts } = await setup();
      const expiresAt = (await time.latest()) + DAY;
      await attest(issuer, second, expiresAt);
      await vouch(first, second);
      await at(expiresAt);
      await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
    });

    it("ends the vouch with its revocation", async () => {
      const { resolver, issuer, first, second, vouch, attest, counts } = await setup();
      await vouch(first, second);
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
    });

    it("is not carried by an attestation that another issuer wrote later", async () => {
      const { resolver, issuer, issuer2, first, second, vouch, attest, counts } = await setup();
      await vouch(first, second);
      await attest(issuer2, second);
      expect(await counts(second)).to.equal(true);
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      expect(await counts(second)).to.equal(false);
    });

    it("holds through a renewal in time", async () => {
      const { issuer, first, second, vouch, attest, counts } = await setup();
      const expiresAt = (await time.latest()) + DAY;
      await attest(issuer, second, expiresAt);
      await vouch(first, second);
      await attest(issuer, second);
      await at(expiresAt);
      expect(await counts(second)).to.equal(true);
    });
  });

  describe("when the voucher may not vouch", () => {
    it("refuses one that does not count", async () => {
      const { resolver, second, third, stranger, issuer, attest, vouch } = await setup();
      await attest(issuer, third);
      for (const voucher of [stranger, second]) {
        await expect(vouch(voucher, third))
          .to.be.revertedWithCustomError(resolver, "NotController")
          .withArgs(didHash, voucher.address);
      }
    });

    it("refuses one that counts by a vouch itself", async () => {
      const { resolver, issuer, first, second, third, attest, vouch } = await setup();
      await attest(issuer, third);
      await vouch(first, second);
      await expect(vouch(second, third))
        .to.be.revertedWithCustomError(resolver, "VouchedCannotVouch")
        .withArgs(didHash, second.address);
    });

    it("takes one that has waited", async () => {
      const { resolver, issuer, second, third, claimWithTwo, attest, counts } = await load();
      await claimWithTwo();
      await attest(issuer, third);
      await resolver.connect(second).vouchController(didHash, third.address);
      expect(await counts(third)).to.equal(true);
    });

    it("refuses to vouch for oneself", async () => {
      const { resolver, first, vouch } = await setup();
      await expect(vouch(first, first))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(first.address);
    });
  });

  describe("when there is nothing to vouch for", () => {
    it("refuses an account without a live attestation", async () => {
      const { resolver, first, stranger, vouch } = await setup();
      await expect(vouch(first, stranger))
        .to.be.revertedWithCustomError(resolver, "NotAttested")
        .withArgs(didHash, stranger.address);
    });

    it("refuses a controller that counts already, so that no vouch takes the place of another", async () => {
      const { resolver, first, second, vouch } = await setup();
      await vouch(first, second);
      await expect(vouch(first, second))
        .to.be.revertedWithCustomError(resolver, "NotWaiting")
        .withArgs(didHash, second.address);
    });
  });
});
