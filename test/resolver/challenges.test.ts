import { expect } from "chai";
import { CHALLENGE_PERIOD, createResolverSuite, DAY, didHash, HOUR, MATURATION, YEAR } from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

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
      await resolver.connect(by).challengeDID(didHash, incumbent);
      return time.latest();
    };
    const resolve = (by = challenger) => resolver.resolveChallenge(didHash, incumbent, by);
    const window = async (by = challenger) => [...(await resolver.getChallenge(didHash, incumbent, by))];
    return { ...suite, incumbent, challenger, open, resolve, window };
  }

  describe("when it is opened", () => {
    it("names its window, and changes nothing", async () => {
      const { resolver, incumbent, challenger, open, window, counts } = await setup();
      expect(await window()).to.deep.equal([0n, 0n, 0n]);
      const now = (await time.latest()) + 10;
      const [resolvableFrom, voidFrom] = [now + CHALLENGE_PERIOD, now + 2 * CHALLENGE_PERIOD];
      await next(now);
      await expect(resolver.connect(challenger).challengeDID(didHash, incumbent))
        .to.emit(resolver, "DIDChallenged")
        .withArgs(didHash, incumbent, challenger, resolvableFrom, voidFrom);
      expect(await window()).to.deep.equal([now, resolvableFrom, voidFrom].map(BigInt));
      expect(await counts(incumbent)).to.equal(true);
      expect(await counts(challenger)).to.equal(false);
      await expect(open())
        .to.be.revertedWithCustomError(resolver, "ChallengeAlreadyOpen")
        .withArgs(didHash, incumbent, challenger);
    });

    it("asks for a live attestation of the challenger, settled or not", async () => {
      const { resolver, issuer3, third, stranger, attest, open } = await setup();
      const expiresAt = (await time.latest()) + 10;
      await attest(issuer3, third, expiresAt);
      await open(third);
      await at(expiresAt);
      for (const challenger of [stranger, third]) {
        await expect(open(challenger))
          .to.be.revertedWithCustomError(resolver, "NotAttested")
          .withArgs(didHash, challenger);
      }
    });

    it("asks for standing or a live attestation of the incumbent", async () => {
      const { resolver, issuer, issuer2, challenger, third, revoke, attest, incumbent } = await setup();
      const challenge = (account: typeof third) =>
        resolver.connect(challenger).challengeDID(didHash, account);
      await expect(challenge(third))
        .to.be.revertedWithCustomError(resolver, "NotAttested")
        .withArgs(didHash, third);
      await attest(issuer2, third);
      await expect(challenge(third)).to.emit(resolver, "DIDChallenged");
      const endedAt = await revoke(issuer, incumbent);
      await next(endedAt + MATURATION - 1);
      await expect(challenge(incumbent)).to.emit(resolver, "DIDChallenged");
    });

    it("is refused from the second in which a revoked incumbent's standing ends", async () => {
      const { resolver, issuer, incumbent, challenger, revoke } = await setup();
      const endedAt = await revoke(issuer, incumbent);
      await next(endedAt + MATURATION);
      await expect(resolver.connect(challenger).challengeDID(didHash, incumbent))
        .to.be.revertedWithCustomError(resolver, "NotAttested")
        .withArgs(didHash, incumbent);
    });

    it("refuses to challenge oneself", async () => {
      const { resolver, incumbent, open } = await setup();
      await expect(open(incumbent))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(incumbent);
    });
  });

  describe("when it is resolved", () => {
    it("waits for the challenge period, to the second", async () => {
      const { resolver, open, resolve } = await setup();
      const openedAt = await open();
      await next(openedAt + CHALLENGE_PERIOD - 1);
      await expect(resolve())
        .to.be.revertedWithCustomError(resolver, "ChallengeNotResolvable")
        .withArgs(openedAt + CHALLENGE_PERIOD);
      await next(openedAt + CHALLENGE_PERIOD);
      await expect(resolve()).to.emit(resolver, "ControllerOusted");
    });

    it("is void from twice the period, and may then be opened again", async () => {
      const { resolver, incumbent, challenger, open, resolve, window } = await setup();
      const openedAt = await open();
      await at(openedAt + 2 * CHALLENGE_PERIOD - 1);
      expect((await window())[0]).to.equal(openedAt);
      await next(openedAt + 2 * CHALLENGE_PERIOD);
      await expect(resolve())
        .to.be.revertedWithCustomError(resolver, "ChallengeNotOpen")
        .withArgs(didHash, incumbent, challenger);
      await at(openedAt + 2 * CHALLENGE_PERIOD + 1);
      expect(await window()).to.deep.equal([0n, 0n, 0n]);
      const again = await open();
      expect((await window())[0]).to.equal(again);
    });

    it("can be resolved in the last second before it is void", async () => {
      const { resolver, open, resolve } = await setup();
      const openedAt = await open();
      await next(openedAt + 2 * CHALLENGE_PERIOD - 1);
      await expect(resolve()).to.emit(resolver, "ControllerOusted");
    });

    it("keeps the window that it was opened with", async () => {
      const { resolver, open, resolve, window } = await setup();
      const openedAt = await open();
      await resolver.setChallengePeriod(2 * DAY);
      expect(await window()).to.deep.equal(
        [openedAt, openedAt + CHALLENGE_PERIOD, openedAt + 2 * CHALLENGE_PERIOD].map(BigInt),
      );
      await next(openedAt + CHALLENGE_PERIOD - 1);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotResolvable");
    });

    it("is over once it is resolved", async () => {
      const { resolver, incumbent, challenger, open, resolve, window } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await resolve();
      expect(await window()).to.deep.equal([0n, 0n, 0n]);
      await expect(resolve())
        .to.be.revertedWithCustomError(resolver, "ChallengeNotOpen")
        .withArgs(didHash, incumbent, challenger);
    });

    it("can't be resolved when nobody opened it", async () => {
      const { resolver, stranger, incumbent, resolve } = await setup();
      await expect(resolve(stranger))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotOpen")
        .withArgs(didHash, incumbent, stranger);
    });
  });

  describe("with a score that is higher than the incumbent's weight", () => {
    it("ousts the incumbent, whoever resolves it", async () => {
      const { resolver, issuer, incumbent, challenger, stranger, open, counts, runOf } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      const oustedAt = (await time.latest()) + 10;
      await next(oustedAt);
      await expect(resolver.connect(stranger).resolveChallenge(didHash, incumbent, challenger))
        .to.emit(resolver, "ControllerOusted")
        .withArgs(didHash, incumbent, challenger, 2, 1);
      expect(await counts(incumbent)).to.equal(false);
      expect(await counts(challenger)).to.equal(true);
      expect(await runOf(issuer, incumbent)).to.include({ endedAt: oustedAt, live: false, held: false });
    });

    it("leaves the ousted one its standing for two days, as to whoever loses control", async () => {
      const { incumbent, open, resolve, standing } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await resolve();
      const oustedAt = await time.latest();
      await at(oustedAt + MATURATION - 1);
      expect(await standing(incumbent)).to.equal(1);
      await at(oustedAt + MATURATION);
      expect(await standing(incumbent)).to.equal(0);
    });

    it("takes attestations written later as new", async () => {
      const { issuer, incumbent, open, resolve, attest, counts, score } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await resolve();
      const startedAt = await attest(issuer, incumbent);
      expect([await counts(incumbent), await score(incumbent)]).to.deep.equal([false, 0]);
      await at(startedAt + MATURATION - 1);
      expect(await counts(incumbent)).to.equal(false);
      await at(startedAt + MATURATION);
      expect([await counts(incumbent), await score(incumbent)]).to.deep.equal([true, 1]);
    });

    it("can't be undone by undoing the issuers' statements", async () => {
      const { resolver, issuer, issuer2, issuer3, incumbent, open, resolve, revoke, counts, runOf } =
        await setup();
      await revoke(issuer, incumbent);
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await expect(resolve()).to.emit(resolver, "ControllerOusted");
      const oustedAt = await time.latest();
      for (const each of [issuer2, issuer3]) await resolver.distrustIssuer(each, 0);
      expect(await counts(incumbent)).to.equal(false);
      const { statedAt } = (await runOf(issuer, incumbent)) ?? {};
      await resolver.distrustIssuer(issuer, Number(statedAt));
      expect(await counts(incumbent)).to.equal(false);
      expect(await runOf(issuer, incumbent)).to.include({ endedAt: oustedAt, live: false });
    });

    it("ends what every issuer attested, of sixteen", async () => {
      const { resolver, signers, first, second, attest, runOf } = await load();
      const issuers = signers.slice(8, 20);
      for (const each of issuers) {
        await resolver.addIssuer(each);
        await attest(each, second);
      }
      for (const each of issuers.slice(0, 11)) await attest(each, first);
      await time.increase(MATURATION);
      await resolver.connect(second).challengeDID(didHash, first);
      await time.increase(CHALLENGE_PERIOD);
      await resolver.resolveChallenge(didHash, first, second);
      for (const each of issuers.slice(0, 11)) expect((await runOf(each, first))?.live).to.equal(false);
    });
  });

  describe("with a score that is not higher", () => {
    it("refuses when both are equal, so that one issuer alone ousts nobody; the challenge stays open", async () => {
      const { resolver, issuer, first, second, claimWithTwo, revoke, counts } = await load();
      await claimWithTwo();
      await resolver.connect(second).challengeDID(didHash, first);
      const openedAt = BigInt(await time.latest());
      await time.increase(CHALLENGE_PERIOD);
      const resolve = () => resolver.resolveChallenge(didHash, first, second);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(1, 1);
      expect(await counts(first)).to.equal(true);
      expect((await resolver.getChallenge(didHash, first, second)).openedAt).to.equal(openedAt);
      const endedAt = await revoke(issuer, first);
      await next(endedAt + MATURATION);
      await expect(resolve()).to.emit(resolver, "ControllerOusted").withArgs(didHash, first, second, 1, 0);
    });

    it("counts the incumbent's live attestations, settled or not", async () => {
      const { resolver, issuer2, incumbent, open, resolve, attest, counts } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await attest(issuer2, incumbent);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(2, 2);
      expect(await counts(incumbent)).to.equal(true);
    });

    it("counts only the challenger's settled attestations", async () => {
      const { resolver, issuer3, challenger, open, resolve, revoke, attest } = await setup();
      const endedAt = await revoke(issuer3, challenger);
      await next(endedAt + MATURATION);
      await attest(issuer3, challenger, endedAt + 2 * MATURATION);
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(1, 1);
    });

    it("leaves the DID to its incumbent against one rogue issuer of three", async () => {
      const { resolver, issuer, issuer2, issuer3, first, stranger, attest, counts } = await load();
      await attest(issuer, first);
      await attest(issuer2, first);
      await attest(issuer3, stranger);
      await resolver.connect(stranger).challengeDID(didHash, first);
      await time.increase(CHALLENGE_PERIOD);
      for (const each of [issuer, issuer2]) await attest(each, first);
      await attest(issuer3, stranger);
      await expect(resolver.resolveChallenge(didHash, first, stranger))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotWon")
        .withArgs(1, 2);
      expect(await counts(first)).to.equal(true);
    });
  });

  describe("with runs that began after the opening", () => {
    it("does not score them, though they have settled", async () => {
      const { resolver, issuer, issuer2, issuer3, first, second, attest, score } = await load();
      await attest(issuer, first);
      await attest(issuer2, second);
      await resolver.connect(second).challengeDID(didHash, first);
      await attest(issuer3, second);
      await time.increase(CHALLENGE_PERIOD);
      expect(await score(second)).to.equal(2);
      await expect(resolver.resolveChallenge(didHash, first, second))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotWon")
        .withArgs(1, 1);
    });

    it("scores one that began in the very second of the opening", async () => {
      const suite = await createResolverSuite({ allowBlocksWithSameTimestamp: true });
      const { resolver, issuer, issuer2, issuer3, first, second, attest } = await suite.load();
      await attest(issuer, first);
      await attest(issuer2, second);
      const openedAt = (await suite.time.latest()) + 10;
      await suite.next(openedAt);
      await resolver.connect(second).challengeDID(didHash, first);
      await suite.next(openedAt);
      await attest(issuer3, second);
      await suite.next(openedAt + CHALLENGE_PERIOD);
      await expect(resolver.resolveChallenge(didHash, first, second))
        .to.emit(resolver, "ControllerOusted")
        .withArgs(didHash, first, second, 2, 1);
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
      await time.increase(CHALLENGE_PERIOD);
      await expect(resolve(third)).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(1, 1);
      expect((await window(challenger))[0]).not.to.equal(0n);
      await expect(resolve(challenger))
        .to.emit(resolver, "ControllerOusted")
        .withArgs(didHash, incumbent, challenger, 2, 1);
      expect((await window(third))[0]).not.to.equal(0n);
    });
  });

  describe("with the longest period", () => {
    it("opens for 60 days and is resolved with attestations that live as long", async () => {
      const { resolver, issuer2, issuer3, challenger, open, resolve, attest } = await setup();
      await resolver.setChallengePeriod(60 * DAY);
      const openedAt = await open();
      for (const each of [issuer2, issuer3]) await attest(each, challenger, openedAt + YEAR / 2);
      await next(openedAt + 120 * DAY - 1);
      await expect(resolve()).to.emit(resolver, "ControllerOusted");
    });
  });
});
