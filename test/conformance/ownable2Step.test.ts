import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite } from "../resolver/fixture.ts";

const { load } = await createResolverSuite();

/** An account whose key nobody has. */
const MISTYPED = "0x000000000000000000000000000000000000dEaD";

describe("The ownership of a resolver, by OpenZeppelin's Ownable2Step", () => {
  describe("when it is offered", () => {
    it("stays with the owner until the new one accepts", async () => {
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

    it("is accepted by the last one whom it was offered to alone, so that a typo loses nothing", async () => {
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

    it("is withdrawn by an offer to the zero address", async () => {
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

    it("is offered by the owner alone", async () => {
      const { resolver, stranger } = await load();
      await expect(resolver.connect(stranger).transferOwnership(stranger))
        .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
        .withArgs(stranger);
    });
  });

  describe("when it is accepted", () => {
    it("moves with every right, once", async () => {
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

  describe("when somebody renounces it", () => {
    it("is refused, to the owner and to anybody", async () => {
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
