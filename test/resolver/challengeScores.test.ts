import { expect } from "chai";
import { setupChallenge } from "./challenge.ts";
import { CHALLENGE_PERIOD, createResolverSuite, didHash, MATURATION } from "./fixture.ts";

const suite = await createResolverSuite();
const { time, at, next, load } = suite;

describe("A challenge", () => {
  const setup = () => setupChallenge(suite);

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
      const revokedAt = await revoke(issuer, incumbent);
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await expect(resolve()).to.emit(resolver, "ControllerOusted");
      const oustedAt = await time.latest();
      for (const each of [issuer2, issuer3]) await resolver.distrustIssuer(each, 0);
      expect(await counts(incumbent)).to.equal(false);
      const { statedAt } = (await runOf(issuer, incumbent)) ?? {};
      await resolver.distrustIssuer(issuer, Number(statedAt));
      expect(await counts(incumbent)).to.equal(false);
      expect(await runOf(issuer, incumbent)).to.include({ endedAt: revokedAt, live: false });
      expect(oustedAt).to.be.greaterThan(revokedAt);
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
      const sameSecond = await createResolverSuite({ allowBlocksWithSameTimestamp: true });
      const { resolver, issuer, issuer2, issuer3, first, second, attest } = await sameSecond.load();
      await attest(issuer, first);
      await attest(issuer2, second);
      const openedAt = (await sameSecond.time.latest()) + 10;
      await sameSecond.next(openedAt);
      await resolver.connect(second).challengeDID(didHash, first);
      await sameSecond.next(openedAt);
      await attest(issuer3, second);
      await sameSecond.next(openedAt + CHALLENGE_PERIOD);
      await expect(resolver.resolveChallenge(didHash, first, second))
        .to.emit(resolver, "ControllerOusted")
        .withArgs(didHash, first, second, 2, 1);
    });
  });
});
