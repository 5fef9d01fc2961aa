import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite, DAY, didHash, HOUR, MATURATION, YEAR } from "./fixture.ts";

const { ethers, time, at, load } = await createResolverSuite();

describe("The owner of a resolver", () => {
  describe("when the resolver is deployed", () => {
    it("is the account of the constructor, with a year of lifetime and the given wait", async () => {
      const { resolver, owner } = await load();
      expect(await resolver.owner()).to.equal(owner.address);
      expect(await resolver.maxTTL()).to.equal(YEAR);
      expect(await resolver.maturation()).to.equal(MATURATION);
      expect(await resolver.getIssuers()).to.have.lengthOf(3);
    });

    it("refuses the zero owner and a wait outside an hour to 30 days", async () => {
      const { resolver, owner } = await load();
      await expect(ethers.deployContract("ResolverWithStore", [ZeroAddress, MATURATION]))
        .to.be.revertedWithCustomError(resolver, "OwnableInvalidOwner")
        .withArgs(ZeroAddress);
      for (const maturation of [0, HOUR - 1, 30 * DAY + 1]) {
        await expect(ethers.deployContract("ResolverWithStore", [owner.address, maturation]))
          .to.be.revertedWithCustomError(resolver, "InvalidMaturation")
          .withArgs(maturation, HOUR, 30 * DAY);
      }
    });
  });

  describe("when somebody else calls", () => {
    it("refuses every change", async () => {
      const { resolver, issuer, stranger } = await load();
      for (const caller of [issuer, stranger]) {
        const other = resolver.connect(caller);
        for (const call of [
          other.addIssuer(stranger.address),
          other.removeIssuer(issuer.address),
          other.setMaxTTL(YEAR),
          other.setMaturation(MATURATION),
          other.transferOwnership(stranger.address),
        ]) {
          await expect(call)
            .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
            .withArgs(caller.address);
        }
      }
    });
  });

  describe("when the limits change", () => {
    it("keeps the lifetime within a day and ten years, and says so in an event", async () => {
      const { resolver } = await load();
      for (const ttl of [0, DAY - 1, 3650 * DAY + 1]) {
        await expect(resolver.setMaxTTL(ttl))
          .to.be.revertedWithCustomError(resolver, "InvalidMaxTTL")
          .withArgs(ttl, DAY, 3650 * DAY);
      }
      await expect(resolver.setMaxTTL(DAY)).to.emit(resolver, "MaxTTLUpdated").withArgs(YEAR, DAY);
      expect(await resolver.maxTTL()).to.equal(DAY);
    });

    it("keeps the wait within an hour and 30 days, and says so in an event", async () => {
      const { resolver } = await load();
      for (const maturation of [0, HOUR - 1, 30 * DAY + 1]) {
        await expect(resolver.setMaturation(maturation))
          .to.be.revertedWithCustomError(resolver, "InvalidMaturation")
          .withArgs(maturation, HOUR, 30 * DAY);
      }
      await expect(resolver.setMaturation(HOUR))
        .to.emit(resolver, "MaturationUpdated")
        .withArgs(MATURATION, HOUR);
      expect(await resolver.maturation()).to.equal(HOUR);
    });

    it("holds a new lifetime for every issuer, old and new, and leaves written attestations", async () => {
      const { resolver, issuer, issuer3, first, stranger, attest } = await load();
      const writtenAt = await attest(issuer, first);
      await resolver.removeIssuer((await resolver.getIssuers())[1] ?? "");
      await resolver.setMaxTTL(2 * DAY);
      await resolver.addIssuer(stranger.address);
      for (const by of [issuer3, stranger]) {
        await attest(by, first);
        const views = await resolver.getDIDAttestations(didHash, first.address);
        const view = views.find((candidate) => candidate.issuer === by.address);
        expect(view?.expiresAt).to.equal(BigInt((await time.latest()) + 2 * DAY));
      }
      await at(writtenAt + YEAR - 1);
      expect(await resolver.checkDID(didHash, first.address)).to.equal(true);
    });

    it("still answers every check with both limits at their maximum", async () => {
      const { resolver, issuer, issuer2, first, second, attest, counts } = await load();
      await resolver.setMaxTTL(3650 * DAY);
      await resolver.setMaturation(30 * DAY);
      await attest(issuer, first);
      const attestedAt = await attest(issuer2, second);
      expect(await counts(first)).to.equal(true);
      expect(await counts(second)).to.equal(false);
      expect(await resolver.ownershipScore(didHash, first.address)).to.equal(0);
      await at(attestedAt + 30 * DAY);
      expect(await counts(second)).to.equal(true);
      expect(await resolver.ownershipScore(didHash, first.address)).to.equal(1);
      await at(attestedAt + 3650 * DAY - 1);
      expect(await counts(second)).to.equal(true);
      await at(attestedAt + 3650 * DAY);
      expect(await counts(second)).to.equal(false);
    });
  });
});
