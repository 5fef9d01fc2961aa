import { expect } from "chai";
import { createResolverSuite, DAY, didHash, HOUR, MATURATION } from "./fixture.ts";

const { ethers, time, at, load } = await createResolverSuite();

describe("Challenging a controller", () => {
  /** An incumbent with one issuer, and a challenger with two; `open` challenges and returns the time of it. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer, issuer2, issuer3, first, second, attest } = suite;
    await attest(issuer, first);
    await attest(issuer2, second);
    await attest(issuer3, second);
    const [incumbent, challenger] = [first, second];
    const open = async (by = challenger) => {
      await resolver.connect(by).challengeDID(didHash, incumbent.address);
      return time.latest();
    };
    const resolve = (by = challenger) => resolver.resolveChallenge(didHash, incumbent.address, by.address);
    const window = async (by = challenger) => [
      ...(await resolver.getChallenge(didHash, incumbent.address, by.address)),
    ];
    return { ...suite, incumbent, challenger, open, resolve, window };
  }

  describe("when it is opened", () => {
    it("names its window, and changes nothing", async () => {
      const { resolver, incumbent, challenger, open, window, counts } = await setup();
      expect(await window()).to.deep.equal([0n, 0n, 0n]);
      const now = (await time.latest()) + 10;
      await time.setNextBlockTimestamp(now);
      await expect(resolver.connect(challenger).challengeDID(didHash, incumbent.address))
        .to.emit(resolver, "DIDChallenged")
        .withArgs(didHash, incumbent.address, challenger.address, now + MATURATION, now + 2 * MATURATION);
      expect(await window()).to.deep.equal([now, now + MATURATION, now + 2 * MATURATION].map(BigInt));
      expect(await counts(incumbent)).to.equal(true);
      expect(await counts(challenger)).to.equal(false);
      await expect(open())
        .to.be.revertedWithCustomError(resolver, "ChallengeAlreadyOpen")
        .withArgs(didHash, incumbent.address, challenger.address);
    });

    it("asks for a live attestation of the challenger and of the incumbent", async () => {
      const { resolver, issuer, incumbent, challenger, stranger, open } = await setup();
      await expect(open(stranger))
        .to.be.revertedWithCustomError(resolver, "NotAttested")
        .withArgs(didHash, stranger.address);
      await resolver.connect(issuer).revokeDID(didHash, incumbent.address);
      await expect(open(challenger))
        .to.be.revertedWithCustomError(resolver, "NotAttested")
        .withArgs(didHash, incumbent.address);
    });

    it("refuses to challenge oneself", async () => {
      const { resolver, incumbent, open } = await setup();
      await expect(open(incumbent))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(incumbent.address);
    });
  });

  describe("when it is resolved", () => {
    it("waits for the maturation, to the second", async () => {
      const { resolver, open, resolve } = await setup();
      const openedAt = await open();
      await time.setNextBlockTimestamp(openedAt + MATURATION - 1);
      await expect(resolve())
        .to.be.revertedWithCustomError(resolver, "ChallengeNotResolvable")
        .withArgs(openedAt + MATURATION);
      await time.setNextBlockTimestamp(openedAt + MATURATION);
      await expect(resolve()).to.emit(resolver, "ChallengeResolved");
    });

    it("is void from twice the maturation, and may then be opened again", async () => {
      const { resolver, incumbent, challenger, open, resolve, window } = await setup();
      const openedAt = await open();
      await at(openedAt + 2 * MATURATION);
      await expect(resolve())
        .to.be.revertedWithCustomError(resolver, "ChallengeNotOpen")
        .withArgs(didHash, incumbent.address, challenger.address);
      expect(await window()).to.deep.equal([0n, 0n, 0n]);
      await open();
    });

    it("can be resolved in the last second before it is void", async () => {
      const { resolver, open, resolve } = await setup();
      const openedAt = await open();
      await time.setNextBlockTimestamp(openedAt + 2 * MATURATION - 1);
      await expect(resolve()).to.emit(resolver, "ChallengeResolved");
    });

    it("keeps the window that it was opened with", async () => {
      const { resolver, open, resolve } = await setup();
      const openedAt = await open();
      await resolver.setMaturation(HOUR);
      await time.setNextBlockTimestamp(openedAt + MATURATION - 1);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotResolvable");
    });

    it("is over once it is resolved", async () => {
      const { resolver, open, resolve } = await setup();
      await open();
      await time.increase(MATURATION);
      await resolve();
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotOpen");
    });

    it("can't be resolved when nobody opened it", async () => {
      const { resolver, stranger, incumbent, resolve } = await setup();
      await expect(resolve(stranger))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotOpen")
        .withArgs(didHash, incumbent.address, stranger.address);
    });
  });

  describe("with a score that is higher than all the incumbent's live attestations", () => {
    it("ousts the incumbent", async () => {
      const { resolver, incumbent, challenger, open, resolve, counts } = await setup();
      await open();
      await time.increase(MATURATION);
      await expect(resolve())
        .to.emit(resolver, "ChallengeResolved")
        .withArgs(didHash, incumbent.address, challenger.address, true, 2, 1);
      expect(await counts(incumbent)).to.equal(false);
      expect(await counts(challenger)).to.equal(true);
      expect(await resolver.getDIDAttestations(didHash, incumbent.address)).to.deep.equal([]);
      expect(await resolver.firstController(didHash)).to.equal(incumbent.address);
    });

    it("takes attestations written later as new", async () => {
      const { resolver, issuer, incumbent, open, resolve, attest, counts } = await setup();
      await open();
      await time.increase(MATURATION);
      await resolve();
      await attest(issuer, incumbent);
      expect(await counts(incumbent)).to.equal(true);
      expect(await resolver.ownershipScore(didHash, incumbent.address)).to.equal(0);
    });

    it("starts the wait of an ousted newcomer anew", async () => {
      const { resolver, issuer, issuer2, issuer3, first, second, claimWithTwo, attest, counts } =
        await load();
      await claimWithTwo();
      await attest(issuer2, first);
      await attest(issuer3, first);
      await resolver.connect(first).challengeDID(didHash, second.address);
      await time.increase(MATURATION);
      expect(await counts(second)).to.equal(true);
      await resolver.resolveChallenge(didHash, second.address, first.address);
      const attestedAt = await attest(issuer, second);
      expect(await counts(second)).to.equal(false);
      await at(attestedAt + MATURATION);
      expect(await counts(second)).to.equal(true);
    });

    it("lets a rejected challenger count, even when its rejecter is attested again", async () => {
      const { resolver, issuer, incumbent, challenger, open, resolve, attest, counts } = await setup();
      await resolver.connect(incumbent).rejectController(didHash, challenger.address);
      await open();
      await time.increase(MATURATION);
      expect(await counts(challenger)).to.equal(false);
      await resolve();
      expect(await counts(challenger)).to.equal(true);
      await attest(issuer, incumbent);
      expect(await counts(challenger)).to.equal(true);
    });

    it("ousts attestations in every lane", async () => {
      const { resolver, issuer, first, second, attest } = await load();
      const issuers = (await ethers.getSigners()).slice(8, 18);
      for (const each of issuers) {
        await resolver.addIssuer(each.address);
        await attest(each, second);
      }
      await attest(issuer, first);
      for (const each of issuers.slice(0, 6)) await attest(each, first);
      await time.increase(MATURATION);
      await resolver.connect(second).challengeDID(didHash, first.address);
      await time.increase(MATURATION);
      await resolver.resolveChallenge(didHash, first.address, second.address);
      expect(await resolver.getDIDAttestations(didHash, first.address)).to.deep.equal([]);
      expect(await resolver.checkDID(didHash, first.address)).to.equal(false);
    });
  });

  describe("with a score that is not higher", () => {
    it("changes nothing when both are equal, so that one issuer alone ousts nobody", async () => {
      const { resolver, issuer, first, second, claimWithTwo, counts } = await load();
      await claimWithTwo();
      await resolver.connect(second).challengeDID(didHash, first.address);
      await time.increase(MATURATION);
      await expect(resolver.resolveChallenge(didHash, first.address, second.address))
        .to.emit(resolver, "ChallengeResolved")
        .withArgs(didHash, first.address, second.address, false, 1, 1);
      expect(await counts(first)).to.equal(true);
      expect(await resolver.getIssuers()).to.include(issuer.address);
    });

    it("counts the incumbent's live attestations, matured or not", async () => {
      const { resolver, issuer2, incumbent, challenger, open, resolve, attest, counts } = await setup();
      await open();
      await time.increase(MATURATION);
      await attest(issuer2, incumbent);
      await expect(resolve())
        .to.emit(resolver, "ChallengeResolved")
        .withArgs(didHash, incumbent.address, challenger.address, false, 2, 2);
      expect(await counts(incumbent)).to.equal(true);
    });

    it("counts only the challenger's matured attestations", async () => {
      const { resolver, issuer3, incumbent, challenger, open, resolve, attest } = await setup();
      await resolver.connect(issuer3).revokeDID(didHash, challenger.address);
      await open();
      await time.increase(DAY);
      await attest(issuer3, challenger);
      await time.increase(MATURATION - DAY);
      await expect(resolve())
        .to.emit(resolver, "ChallengeResolved")
        .withArgs(didHash, incumbent.address, challenger.address, false, 1, 1);
    });

    it("leaves the DID to its incumbent against one rogue issuer of three", async () => {
      const { resolver, issuer, issuer2, issuer3, first, stranger, attest, counts } = await load();
      await attest(issuer, first);
      await attest(issuer2, first);
      await attest(issuer3, stranger);
      await resolver.connect(stranger).challengeDID(didHash, first.address);
      await time.increase(MATURATION);
      for (const each of [issuer, issuer2]) await attest(each, first);
      await attest(issuer3, stranger);
      await resolver.resolveChallenge(didHash, first.address, stranger.address);
      expect(await counts(first)).to.equal(true);
    });
  });

  describe("with several challengers", () => {
    it("keeps their challenges apart", async () => {
      const { resolver, issuer2, incumbent, challenger, third, open, resolve, attest, window } =
        await setup();
      await attest(issuer2, third);
      await open();
      await time.increase(HOUR);
      await open(third);
      await time.increase(MATURATION);
      await expect(resolve(third))
        .to.emit(resolver, "ChallengeResolved")
        .withArgs(didHash, incumbent.address, third.address, false, 1, 1);
      expect((await window(challenger))[0]).not.to.equal(0n);
      await expect(resolve(challenger))
        .to.emit(resolver, "ChallengeResolved")
        .withArgs(didHash, incumbent.address, challenger.address, true, 2, 1);
    });
  });
});
