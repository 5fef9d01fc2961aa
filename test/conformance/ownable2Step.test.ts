import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite } from "../resolver/fixture.ts";

const { load } = await createResolverSuite();

/** Account whose key nobody has. */
const MISTYPED = "0x000000000000000000000000000000000000dEaD";

describe("Resolver ownership (Ownable2Step)", () => {
  describe("transferOwnership", () => {
    it("leaves the ownership with the owner until the new owner accepts", async () => {
      const { resolver, owner, stranger } = await load();
      await expect(resolver.transferOwnership(stranger))
        .to.emit(resolver, "OwnershipTransferStarted")
        .withArgs(owner, stranger);
      expect(await resolver.owner()).to.equal(owner);
      expect(await resolver.pendingOwner()).to.equal(stranger);
      await expect(resolver.connect(stranger).addIssuer(MISTYPED))
        .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
        .withArgs(stranger);
    });

    it("replaces an earlier offer, so that the owner can correct a mistyped address", async () => {
      const { resolver, first, stranger } = await load();
      await resolver.transferOwnership(stranger);
      await resolver.transferOwnership(MISTYPED);
      await expect(resolver.connect(stranger).acceptOwnership())
        .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
        .withArgs(stranger);
      await resolver.transferOwnership(first);
      await resolver.connect(first).acceptOwnership();
      expect(await resolver.owner()).to.equal(first);
    });

    it("withdraws an offer if called with the zero address", async () => {
      const { resolver, owner, stranger } = await load();
      await resolver.transferOwnership(stranger);
      await resolver.transferOwnership(ZeroAddress);
      await expect(resolver.connect(stranger).acceptOwnership())
        .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
        .withArgs(stranger);
      expect([await resolver.owner(), await resolver.pendingOwner()]).to.deep.equal([
        owner.address,
        ZeroAddress,
      ]);
    });

    it("reverts for accounts other than the owner", async () => {
      const { resolver, stranger } = await load();
      await expect(resolver.connect(stranger).transferOwnership(stranger))
        .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
        .withArgs(stranger);
    });
  });

  describe("acceptOwnership", () => {
    it("moves all rights to the new owner, and reverts if called again", async () => {
      const { resolver, owner, stranger } = await load();
      await resolver.transferOwnership(stranger);
      await expect(resolver.connect(stranger).acceptOwnership())
        .to.emit(resolver, "OwnershipTransferred")
        .withArgs(owner, stranger);
      expect([await resolver.owner(), await resolver.pendingOwner()]).to.deep.equal([
        stranger.address,
        ZeroAddress,
      ]);
      await resolver.connect(stranger).addIssuer(MISTYPED);
      await expect(resolver.retireIssuer(MISTYPED))
        .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
        .withArgs(owner);
      await expect(resolver.connect(stranger).acceptOwnership())
        .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
        .withArgs(stranger);
    });
  });

  describe("renounceOwnership", () => {
    it("reverts with RenounceRefused for the owner and for strangers", async () => {
      const { resolver, owner, stranger } = await load();
      for (const caller of [owner, stranger]) {
        await expect(resolver.connect(caller).renounceOwnership()).to.be.revertedWithCustomError(
          resolver,
          "RenounceRefused",
        );
      }
      expect(await resolver.owner()).to.equal(owner);
    });
  });
});
