import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite, DAY, didHash, HOUR, MATURATION, YEAR } from "./fixture.ts";

const { time, at, load } = await createResolverSuite();

describe("Who counts as a controller", () => {
  describe("when a DID has its first controller", () => {
    it("counts at once", async () => {
      const { resolver, issuer, first, attest, counts } = await load();
      expect(await resolver.firstController(didHash)).to.equal(ZeroAddress);
      await attest(issuer, first);
      expect(await counts(first)).to.equal(true);
      expect(await resolver.firstController(didHash)).to.equal(first.address);
      expect([...(await resolver.getController(didHash, first.address))]).to.deep.equal([
        ...[true, true, true, 0n, false, ZeroAddress],
      ]);
    });

    it("counts at once again after expiry, and after a revocation", async () => {
      const { resolver, issuer, first, attest, counts } = await load();
      await attest(issuer, first, (await time.latest()) + DAY);
      await time.increase(DAY);
      expect(await counts(first)).to.equal(false);
      await attest(issuer, first);
      expect(await counts(first)).to.equal(true);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      expect(await counts(first)).to.equal(false);
      await attest(issuer, first);
      expect(await counts(first)).to.equal(true);
    });

    it("stays the first for ever, whoever is attested while it is not", async () => {
      const { resolver, issuer, first, second, attest, counts } = await load();
      await attest(issuer, first);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      await attest(issuer, second);
      expect(await resolver.firstController(didHash)).to.equal(first.address);
      expect(await counts(second)).to.equal(false);
    });
  });

  describe("when a second controller is attested", () => {
    it("counts once it has waited, to the second, and not before", async () => {
      const { resolver, issuer, first, second, attest, counts } = await load();
      await attest(issuer, first);
      const attestedAt = await attest(issuer, second);
      expect([...(await resolver.getController(didHash, second.address))]).to.deep.equal([
        ...[false, true, false, BigInt(attestedAt + MATURATION), false, ZeroAddress],
      ]);
      await at(attestedAt + MATURATION - 1);
      expect(await counts(second)).to.equal(false);
      await at(attestedAt + MATURATION);
      expect(await counts(second)).to.equal(true);
      expect(await counts(first)).to.equal(true);
    });

    it("makes a leaked issuer key wait, so that it takes over nothing at once", async () => {
      const { issuer, issuer2, first, stranger, attest, counts } = await load();
      await attest(issuer2, first);
      await attest(issuer, stranger);
      expect(await counts(stranger)).to.equal(false);
      expect(await counts(first)).to.equal(true);
    });

    it("follows a change of the wait", async () => {
      const { resolver, issuer, first, second, attest, counts } = await load();
      await attest(issuer, first);
      await attest(issuer, second);
      await time.increase(HOUR);
      expect(await counts(second)).to.equal(false);
      await resolver.setMaturation(HOUR);
      expect(await counts(second)).to.equal(true);
      await resolver.setMaturation(30 * DAY);
      expect(await counts(second)).to.equal(false);
    });
  });

  describe("with a wait that has begun", () => {
    it("survives expiry", async () => {
      const { issuer, first, second, attest, counts } = await load();
      await attest(issuer, first);
      const attestedAt = await attest(issuer, second, (await time.latest()) + HOUR);
      await at(attestedAt + MATURATION - 10);
      await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
      await at(attestedAt + MATURATION);
      expect(await counts(second)).to.equal(true);
    });

    it("survives a change of issuer", async () => {
      const { resolver, issuer, issuer2, first, second, attest, counts } = await load();
      await attest(issuer2, first);
      const attestedAt = await attest(issuer, second);
      await resolver.removeIssuer(issuer.address);
      await at(attestedAt + MATURATION);
      expect(await counts(second)).to.equal(false);
      await attest(issuer2, second);
      expect(await counts(second)).to.equal(true);
    });

    it("starts anew after a revocation", async () => {
      const { resolver, issuer, second, claimWithTwo, attest, counts } = await load();
      await claimWithTwo();
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      const attestedAt = await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
      await at(attestedAt + MATURATION);
      expect(await counts(second)).to.equal(true);
    });

    it("starts anew after a revocation of an expired attestation", async () => {
      const { resolver, issuer, second, claimWithTwo, attest, counts } = await load();
      await claimWithTwo();
      await time.increase(YEAR);
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
    });

    it("is not restarted by a rogue issuer that attests and revokes beside a live attestation", async () => {
      const { resolver, issuer2, second, claimWithTwo, attest, counts } = await load();
      await claimWithTwo();
      await attest(issuer2, second);
      await resolver.connect(issuer2).revokeDID(didHash, second.address);
      expect(await counts(second)).to.equal(true);
    });

    it("starts anew when the last of several issuers has revoked", async () => {
      const { resolver, issuer, issuer2, second, claimWithTwo, attest, counts } = await load();
      await claimWithTwo();
      await attest(issuer2, second);
      await resolver.connect(issuer).revokeDID(didHash, second.address);
      expect(await counts(second)).to.equal(true);
      await resolver.connect(issuer2).revokeDID(didHash, second.address);
      await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
    });
  });

  describe("with one rogue issuer of three", () => {
    it("keeps the score of the honest ones, however often they renew", async () => {
      const { resolver, issuer, issuer2, issuer3, first, stranger, attest, counts } = await load();
      await attest(issuer, first);
      await attest(issuer2, first);
      await time.increase(MATURATION);
      await attest(issuer3, stranger);
      await attest(issuer, first);
      await attest(issuer2, first);
      expect(await resolver.ownershipScore(didHash, first.address)).to.equal(2);
      expect(await resolver.ownershipScore(didHash, stranger.address)).to.equal(0);
      expect(await counts(first)).to.equal(true);
      expect(await counts(stranger)).to.equal(false);
    });
  });

  describe("with several issuers", () => {
    it("counts as long as one of them attests, whichever recorded the first controller", async () => {
      const { resolver, issuer, issuer2, first, attest, counts } = await load();
      await attest(issuer, first);
      await attest(issuer2, first);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      expect(await counts(first)).to.equal(true);
      await resolver.connect(issuer2).revokeDID(didHash, first.address);
      expect(await counts(first)).to.equal(false);
    });
  });

  describe("with an ownership score", () => {
    it("counts each issuer whose live attestation has matured", async () => {
      const { resolver, issuer, issuer2, issuer3, first, attest } = await load();
      const score = () => resolver.ownershipScore(didHash, first.address);
      const begun = await attest(issuer, first);
      await attest(issuer2, first, begun + MATURATION + DAY);
      expect(await score()).to.equal(0);
      await at(begun + MATURATION);
      expect(await score()).to.equal(1);
      await time.increase(1);
      expect(await score()).to.equal(2);
      await attest(issuer3, first);
      expect(await score()).to.equal(2);
      await at(begun + MATURATION + DAY);
      expect(await score()).to.equal(1);
      await resolver.removeIssuer(issuer.address);
      expect(await score()).to.equal(0);
    });

    it("starts an issuer's age anew after a gap or a revocation", async () => {
      const { resolver, issuer, first, attest } = await load();
      await attest(issuer, first, (await time.latest()) + DAY);
      await time.increase(MATURATION);
      await attest(issuer, first);
      expect(await resolver.ownershipScore(didHash, first.address)).to.equal(0);
      await time.increase(MATURATION);
      expect(await resolver.ownershipScore(didHash, first.address)).to.equal(1);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      await attest(issuer, first);
      expect(await resolver.ownershipScore(didHash, first.address)).to.equal(0);
    });
  });
});
