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

const { ethers, time, at, load } = await createResolverSuite();

describe("The owner of a resolver", () => {
  describe("when the resolver is deployed", () => {
    it("is the account of the constructor, with a year of lifetime, the given wait and a week to challenge", async () => {
      const { resolver, owner } = await load();
      expect(await resolver.owner()).to.equal(owner.address);
      expect(await resolver.maxTTL()).to.equal(YEAR);
      expect(await resolver.maturation()).to.equal(MATURATION);
      expect(await resolver.challengePeriod()).to.equal(CHALLENGE_PERIOD);
    });

    it("says each limit in an event", async () => {
      const { owner } = await load();
      const resolver = await ethers.deployContract("ResolverWithStore", [owner.address, HOUR]);
      const deploying = resolver.deploymentTransaction();
      await expect(deploying).to.emit(resolver, "MaxTTLUpdated").withArgs(0, YEAR);
      await expect(deploying).to.emit(resolver, "MaturationUpdated").withArgs(0, HOUR);
      await expect(deploying).to.emit(resolver, "ChallengePeriodUpdated").withArgs(0, CHALLENGE_PERIOD);
      expect(await resolver.getIssuers()).to.deep.equal([]);
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
      const { resolver, issuer, stranger, first } = await load();
      for (const caller of [issuer, stranger]) {
        const other = resolver.connect(caller);
        for (const call of [
          () => other.addIssuer(stranger),
          () => other.retireIssuer(issuer),
          () => other.distrustIssuer(issuer, 0),
          () => other.endDIDAttestation(didHash, first, issuer),
          () => other.endDataHashAttestation(didHash, dataHash, issuer),
          () => other.setMaxTTL(YEAR),
          () => other.setMaturation(MATURATION),
          () => other.setChallengePeriod(CHALLENGE_PERIOD),
          () => other.transferOwnership(stranger),
        ]) {
          await expect(call())
            .to.be.revertedWithCustomError(resolver, "OwnableUnauthorizedAccount")
            .withArgs(caller);
        }
      }
    });
  });

  describe("when a limit is set", () => {
    const limits = [
      ["setMaxTTL", "maxTTL", "MaxTTLUpdated", "InvalidMaxTTL", [DAY, 3650 * DAY]],
      ["setMaturation", "maturation", "MaturationUpdated", "InvalidMaturation", [HOUR, 30 * DAY]],
      [
        ...(["setChallengePeriod", "challengePeriod", "ChallengePeriodUpdated"] as const),
        ...(["InvalidChallengePeriod", [2 * DAY, 60 * DAY]] as const),
      ],
    ] as const;
    for (const [set, read, event, error, [min, max]] of limits) {
      it(`keeps ${read} within its bounds, and says so in an event`, async () => {
        const { resolver } = await load();
        await resolver.setMaturation(HOUR);
        await resolver.setMaxTTL(YEAR);
        for (const value of [0n, BigInt(min - 1), BigInt(max + 1), 2n ** 64n - 1n]) {
          const args = [value, min, max];
          await expect(resolver[set](value))
            .to.be.revertedWithCustomError(resolver, error)
            .withArgs(...args);
        }
        let before = await resolver[read]();
        for (const value of [min, max]) {
          await expect(resolver[set](value)).to.emit(resolver, event).withArgs(before, value);
          before = await resolver[read]();
          expect(before).to.equal(value);
        }
      });
    }
  });

  describe("when the lifetime and the wait come close", () => {
    it("keeps the lifetime longer than the wait, so that every newcomer can settle", async () => {
      const { resolver } = await load();
      const setMaxTTL = (ttl: number) =>
        expect(resolver.setMaxTTL(ttl))
          .to.be.revertedWithCustomError(resolver, "InvalidMaxTTL")
          .withArgs(ttl, MATURATION + 1, 3650 * DAY);
      await setMaxTTL(MATURATION);
      await resolver.setMaxTTL(MATURATION + 1);
      await resolver.setMaturation(DAY);
      await resolver.setMaxTTL(DAY + 1);
      await expect(resolver.setMaxTTL(DAY))
        .to.be.revertedWithCustomError(resolver, "InvalidMaxTTL")
        .withArgs(DAY, DAY + 1, 3650 * DAY);
      await resolver.setMaturation(DAY - 1);
      await resolver.setMaxTTL(DAY);
    });

    it("keeps the wait shorter than the lifetime", async () => {
      const { resolver } = await load();
      const expectRefused = (maturation: number, max: number) =>
        expect(resolver.setMaturation(maturation))
          .to.be.revertedWithCustomError(resolver, "InvalidMaturation")
          .withArgs(maturation, HOUR, max);
      await resolver.setMaxTTL(10 * DAY);
      await expectRefused(10 * DAY, 10 * DAY - 1);
      await resolver.setMaturation(10 * DAY - 1);
      await resolver.setMaxTTL(30 * DAY);
      await expectRefused(30 * DAY, 30 * DAY - 1);
      await resolver.setMaxTTL(30 * DAY + 1);
      await resolver.setMaturation(30 * DAY);
      await expectRefused(30 * DAY + 1, 30 * DAY);
    });
  });

  describe("when the lifetime changes", () => {
    it("holds for every issuer, old and new, and leaves written attestations", async () => {
      const { resolver, issuer, issuer2, issuer3, first, stranger, attest, runOf, counts } = await load();
      const writtenAt = await attest(issuer, first);
      await resolver.distrustIssuer(issuer2, 0);
      await resolver.setMaxTTL(3 * DAY);
      await resolver.addIssuer(stranger);
      for (const by of [issuer3, stranger]) {
        const startedAt = await attest(by, first);
        expect((await runOf(by, first))?.expiresAt).to.equal(startedAt + 3 * DAY);
      }
      await at(writtenAt + YEAR - 1);
      expect(await counts(first)).to.equal(true);
    });

    it("does not shorten what is renewed", async () => {
      const { resolver, issuer, first, attest, runOf } = await load();
      const writtenAt = await attest(issuer, first);
      await resolver.setMaxTTL(3 * DAY);
      await attest(issuer, first);
      expect((await runOf(issuer, first))?.expiresAt).to.equal(writtenAt + YEAR);
    });
  });

  describe("when the maturation changes", () => {
    it("decides nothing of runs that have begun, waiting or settled", async () => {
      const { resolver, issuer, first, second, third, claimWithTwo, attest, counts, runOf } = await load();
      await claimWithTwo();
      const startedAt = await attest(issuer, third);
      for (const maturation of [30 * DAY, HOUR]) {
        await resolver.setMaturation(maturation);
        await time.increase(2 * HOUR);
        expect(await Promise.all([first, second, third].map(counts))).to.deep.equal([true, true, false]);
        expect((await runOf(issuer, third))?.settlesAt).to.equal(startedAt + MATURATION);
      }
      await attest(issuer, third);
      expect((await runOf(issuer, third))?.settlesAt).to.equal(startedAt + MATURATION);
    });

    it("holds for runs that begin later, of old and new issuers", async () => {
      const { resolver, issuer, issuer2, first, second, stranger, attest, runOf } = await load();
      await attest(issuer, first);
      await resolver.setMaturation(30 * DAY);
      await resolver.addIssuer(stranger);
      for (const by of [issuer2, stranger]) {
        const startedAt = await attest(by, second);
        expect((await runOf(by, second))?.settlesAt).to.equal(startedAt + 30 * DAY);
      }
    });
  });

  describe("with every limit at its maximum", () => {
    it("still answers every check", async () => {
      const { resolver, issuer, issuer2, first, second, attest, counts, score, standing } = await load();
      await resolver.setMaxTTL(3650 * DAY);
      await resolver.setMaturation(30 * DAY);
      await resolver.setChallengePeriod(60 * DAY);
      await attest(issuer, first);
      const startedAt = await attest(issuer2, second);
      await resolver.connect(second).challengeDID(didHash, first);
      expect([await counts(first), await counts(second)]).to.deep.equal([true, false]);
      await at(startedAt + 30 * DAY);
      expect([await counts(second), await score(second), await standing(second)]).to.deep.equal([true, 1, 1]);
      await at(startedAt + 3650 * DAY - 1);
      expect(await counts(second)).to.equal(true);
      await at(startedAt + 3650 * DAY);
      expect(await counts(second)).to.equal(false);
      await resolver.retireIssuer(issuer2);
      const { seatFreeAt } = await resolver.getIssuer(issuer2);
      expect(seatFreeAt).to.equal((await time.latest()) + (3650 + 90) * DAY);
    });
  });
});
