import { expect } from "chai";
import { ZeroAddress } from "ethers";
import {
  CHALLENGE_PERIOD,
  createResolverSuite,
  DAY,
  dataHash,
  didHash,
  HOUR,
  MATURATION,
  YEAR,
} from "./fixture.ts";

const { ethers, load } = await createResolverSuite();

describe("ResolverWithStore", () => {
  describe("when the resolver is deployed", () => {
    it("stores the owner and the settings of the constructor", async () => {
      const { resolver, owner } = await load();
      expect(await resolver.owner()).to.equal(owner.address);
      expect(await resolver.maxTTL()).to.equal(YEAR);
      expect(await resolver.maturation()).to.equal(MATURATION);
      expect(await resolver.challengePeriod()).to.equal(CHALLENGE_PERIOD);
    });

    it("refuses the zero address as owner, and settings outside their bounds", async () => {
      const { resolver, owner } = await load();
      const deploy = (account: string, ...settings: number[]) =>
        ethers.deployContract("ResolverWithStore", [account, ...settings]);
      await expect(deploy(ZeroAddress, MATURATION, CHALLENGE_PERIOD, YEAR))
        .to.be.revertedWithCustomError(resolver, "OwnableInvalidOwner")
        .withArgs(ZeroAddress);
      const bounds = [
        [HOUR, 7 * DAY],
        [7 * DAY, 60 * DAY],
        [30 * DAY, 730 * DAY],
      ] as const;
      for (const [place, [min, max]] of bounds.entries()) {
        for (const value of [0, min - 1, max + 1]) {
          const settings = [MATURATION, CHALLENGE_PERIOD, YEAR].with(place, value);
          await expect(deploy(owner.address, ...settings))
            .to.be.revertedWithCustomError(resolver, "SettingOutOfBounds")
            .withArgs(value, min, max);
        }
        for (const value of [min, max]) {
          await deploy(owner.address, ...[MATURATION, CHALLENGE_PERIOD, YEAR].with(place, value));
        }
      }
    });
  });

  it("says if an account is an active issuer", async () => {
    const { resolver, issuer, stranger } = await load();
    expect([await resolver.isIssuer(issuer), await resolver.isIssuer(stranger)]).to.deep.equal([true, false]);
    await resolver.retireIssuer(issuer);
    expect(await resolver.isIssuer(issuer)).to.equal(false);
  });

  // @threat contracts: Lose the ownership, or act as the owner
  it("passes only to an account that accepts it, and never to nobody", async () => {
    const { resolver, owner, first } = await load();
    await resolver.transferOwnership("0x000000000000000000000000000000000000dEaD");
    await resolver.transferOwnership(first);
    expect(await resolver.owner()).to.equal(owner);
    await resolver.connect(first).acceptOwnership();
    expect(await resolver.owner()).to.equal(first);
    await expect(resolver.connect(first).renounceOwnership()).to.be.revertedWithCustomError(
      resolver,
      "RenounceRefused",
    );
  });

  describe("when an account other than the owner calls", () => {
    // @threat contracts: Lose the ownership, or act as the owner
    it("refuses every function of the owner", async () => {
      const { resolver, issuer, stranger, first } = await load();
      for (const caller of [issuer, stranger]) {
        const other = resolver.connect(caller);
        for (const call of [
          () => other.addIssuer(stranger),
          () => other.retireIssuer(issuer),
          () => other.distrustIssuer(issuer, 0),
          () => other.endDIDAttestation(didHash, first, issuer),
          () => other.endDataHashAttestation(didHash, dataHash, issuer),
          () => other.transferOwnership(stranger),
        ]) {
          await expect(call())
            .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
            .withArgs(caller);
        }
      }
    });
  });
});
