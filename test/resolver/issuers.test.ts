import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite, dataHash, didHash, otherDidHash } from "./fixture.ts";

const { ethers, load } = await createResolverSuite();

describe("The issuers of a resolver", () => {
  async function setup() {
    const suite = await load();
    const { resolver, issuer, first } = suite;
    return {
      ...suite,
      attestBoth: async () => {
        await resolver.connect(issuer).attestDID(didHash, first.address, 0);
        await resolver.connect(issuer).attestDataHash(didHash, dataHash, 0);
      },
      /** Answers for the controller and for the dataHash. */
      live: async () => [
        await resolver.checkDID(didHash, first.address),
        await resolver.checkDataHashAttestation(didHash, dataHash),
      ],
    };
  }

  describe("when the owner adds one", () => {
    it("lists it, numbers its authorisation and says so in an event", async () => {
      const { resolver, issuer, issuer2, issuer3, stranger } = await setup();
      await expect(resolver.addIssuer(stranger.address))
        .to.emit(resolver, "IssuerAdded")
        .withArgs(stranger.address, 4);
      expect(await resolver.isIssuer(stranger.address)).to.equal(true);
      expect(await resolver.issuerEpoch(stranger.address)).to.equal(4);
      expect(await resolver.getIssuers()).to.deep.equal(
        [issuer, issuer2, issuer3, stranger].map(({ address }) => address),
      );
    });

    it("refuses the zero address and one that is an issuer already", async () => {
      const { resolver, issuer } = await setup();
      await expect(resolver.addIssuer(ZeroAddress)).to.be.revertedWithCustomError(resolver, "ZeroAddress");
      await expect(resolver.addIssuer(issuer.address))
        .to.be.revertedWithCustomError(resolver, "AlreadyIssuer")
        .withArgs(issuer.address);
    });

    it("takes 16 of them, and the seventeenth once a seat is free", async () => {
      const { resolver, issuer2 } = await setup();
      const more = Array.from({ length: 14 }, () => ethers.Wallet.createRandom().address);
      for (const address of more.slice(0, 13)) await resolver.addIssuer(address);
      const seventeenth = more[13] ?? "";
      expect(await resolver.getIssuers()).to.have.lengthOf(16);
      await expect(resolver.addIssuer(seventeenth))
        .to.be.revertedWithCustomError(resolver, "TooManyIssuers")
        .withArgs(16);
      await resolver.removeIssuer(issuer2.address);
      await resolver.addIssuer(seventeenth);
      expect((await resolver.getIssuers())[1]).to.equal(seventeenth);
    });
  });

  describe("when the owner removes one", () => {
    it("no longer lists it, and says so in an event", async () => {
      const { resolver, issuer, issuer2, issuer3 } = await setup();
      await expect(resolver.removeIssuer(issuer.address))
        .to.emit(resolver, "IssuerRemoved")
        .withArgs(issuer.address);
      expect(await resolver.isIssuer(issuer.address)).to.equal(false);
      expect(await resolver.issuerEpoch(issuer.address)).to.equal(0);
      expect(await resolver.getIssuers()).to.deep.equal([issuer2.address, issuer3.address]);
    });

    it("refuses one that is no issuer", async () => {
      const { resolver, stranger } = await setup();
      await expect(resolver.removeIssuer(stranger.address))
        .to.be.revertedWithCustomError(resolver, "NotIssuer")
        .withArgs(stranger.address);
    });

    it("silences at once all that it wrote", async () => {
      const { resolver, issuer, first, attestBoth, live } = await setup();
      await attestBoth();
      expect(await live()).to.deep.equal([true, true]);
      await resolver.removeIssuer(issuer.address);
      expect(await live()).to.deep.equal([false, false]);
      expect(await resolver.getDIDAttestations(didHash, first.address)).to.deep.equal([]);
      expect(await resolver.getDataHashAttestations(didHash, dataHash)).to.deep.equal([]);
    });

    it("leaves the first controller to be attested by another issuer", async () => {
      const { resolver, issuer, issuer2, first, attestBoth, attest, live } = await setup();
      await attestBoth();
      await resolver.removeIssuer(issuer.address);
      await attest(issuer2, first);
      expect(await live()).to.deep.equal([true, false]);
    });
  });

  describe("when a removed issuer is added again", () => {
    it("revives nothing that it wrote before, in the same lane or in another", async () => {
      const { resolver, issuer, stranger, attestBoth, live } = await setup();
      await attestBoth();
      await resolver.removeIssuer(issuer.address);
      await resolver.addIssuer(issuer.address);
      expect(await resolver.issuerEpoch(issuer.address)).to.equal(4);
      expect(await live()).to.deep.equal([false, false]);

      await resolver.removeIssuer(issuer.address);
      await resolver.addIssuer(stranger.address);
      await resolver.addIssuer(issuer.address);
      expect(await live()).to.deep.equal([false, false]);
    });

    it("counts what it attests anew, and can't revoke what it wrote before", async () => {
      const { resolver, issuer, first, attestBoth, live } = await setup();
      await attestBoth();
      await resolver.removeIssuer(issuer.address);
      await resolver.addIssuer(issuer.address);
      await expect(resolver.connect(issuer).revokeDID(didHash, first.address)).to.be.revertedWithCustomError(
        resolver,
        "NothingToRevoke",
      );
      await attestBoth();
      expect(await live()).to.deep.equal([true, true]);
      await resolver.connect(issuer).revokeDID(didHash, first.address);
      expect(await live()).to.deep.equal([false, true]);
    });
  });

  describe("when another issuer takes a removed one's lane", () => {
    it("inherits none of its attestations and can't revoke them", async () => {
      const { resolver, issuer, stranger, first, attestBoth, live } = await setup();
      await attestBoth();
      await resolver.removeIssuer(issuer.address);
      await resolver.addIssuer(stranger.address);
      expect(await live()).to.deep.equal([false, false]);
      expect(await resolver.getDIDAttestations(didHash, first.address)).to.deep.equal([]);
      await expect(
        resolver.connect(stranger).revokeDataHash(didHash, dataHash),
      ).to.be.revertedWithCustomError(resolver, "NothingToRevoke");
    });
  });

  describe("when somebody attests before being authorised", () => {
    it("refuses it, so that nothing of it counts afterwards", async () => {
      const { resolver, stranger, first } = await setup();
      await expect(
        resolver.connect(stranger).attestDID(didHash, first.address, 0),
      ).to.be.revertedWithCustomError(resolver, "NotIssuer");
      await resolver.addIssuer(stranger.address);
      expect(await resolver.checkDID(didHash, first.address)).to.equal(false);
    });
  });

  describe("with all 16 seats taken", () => {
    it("finds the attestation of the last one", async () => {
      const { resolver, issuer, first, second, stranger } = await setup();
      for (let i = 0; i < 12; i++) await resolver.addIssuer(ethers.Wallet.createRandom().address);
      await resolver.addIssuer(stranger.address);
      await resolver.connect(stranger).attestDID(didHash, first.address, 0);
      await resolver.connect(stranger).attestDID(otherDidHash, second.address, 0);
      await resolver.connect(issuer).attestDID(otherDidHash, first.address, 0);
      await resolver.connect(stranger).attestDID(otherDidHash, first.address, 0);
      await resolver.connect(stranger).attestDataHash(didHash, dataHash, 0);
      expect(await resolver.checkDID(didHash, first.address)).to.equal(true);
      expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(true);
      expect(
        (await resolver.getDIDAttestations(otherDidHash, first.address)).map((view) => view.issuer),
      ).to.deep.equal([issuer.address, stranger.address]);
    });
  });
});
