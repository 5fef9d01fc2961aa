import { expect } from "chai";
import { setupChallenge } from "./challenge.ts";
import { CHALLENGE_PERIOD, createResolverSuite, didHash, MATURATION } from "./fixture.ts";

const suite = await createResolverSuite();
const { time, at, next, load } = suite;

describe("resolveChallenge", () => {
  const setup = () => setupChallenge(suite);

  describe("with a score above the incumbent's resistance", () => {
    it("removes the incumbent, even if a stranger resolves the challenge", async () => {
      const { resolver, issuer, incumbent, challenger, stranger, open, controls, runOf } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      const removedAt = (await time.latest()) + 10;
      await next(removedAt);
      await expect(resolver.connect(stranger).resolveChallenge(didHash, incumbent, challenger))
        .to.emit(resolver, "ControllerRemoved")
        .withArgs(didHash, incumbent, challenger, 2, 1);
      expect(await controls(incumbent)).to.equal(false);
      expect(await controls(challenger)).to.equal(true);
      expect(await runOf(issuer, incumbent)).to.include({ endedAt: removedAt, live: false, overdue: false });
    });

    it("ends the incumbent's resistance", async () => {
      const { resolver, incumbent, open, resolve, resistance } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await resolve();
      expect(await resistance(incumbent)).to.equal(0);
      expect(await resolver.resistsReclaim(didHash, incumbent)).to.equal(false);
    });

    it("lets later attestations of the incumbent begin new runs", async () => {
      const { issuer, incumbent, open, resolve, attest, controls, score } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await resolve();
      const startedAt = await attest(issuer, incumbent);
      expect([await controls(incumbent), await score(incumbent)]).to.deep.equal([false, 0]);
      await at(startedAt + MATURATION - 1);
      expect(await controls(incumbent)).to.equal(false);
      await at(startedAt + MATURATION);
      expect([await controls(incumbent), await score(incumbent)]).to.deep.equal([true, 1]);
    });

    it("is not undone if the issuers involved are distrusted", async () => {
      const { resolver, issuer, issuer2, issuer3, incumbent, open, resolve, revoke, controls, runOf } =
        await setup();
      const revokedAt = await revoke(issuer, incumbent);
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await expect(resolve()).to.emit(resolver, "ControllerRemoved");
      const removedAt = await time.latest();
      for (const each of [issuer2, issuer3]) await resolver.distrustIssuer(each, 0);
      expect(await controls(incumbent)).to.equal(false);
      const { statedAt } = (await runOf(issuer, incumbent)) ?? {};
      await resolver.distrustIssuer(issuer, Number(statedAt));
      expect(await controls(incumbent)).to.equal(false);
      expect(await runOf(issuer, incumbent)).to.include({ endedAt: revokedAt, live: false });
      expect(removedAt).to.be.greaterThan(revokedAt);
    });

    it("ends the incumbent's runs of all issuers", async () => {
      const { resolver, signers, first, second, attest, runOf } = await load();
      const issuers = signers.slice(8, 20);
      for (const each of issuers) {
        await resolver.addIssuer(each);
        await attest(each, second);
      }
      for (const each of issuers.slice(0, 11)) await attest(each, first);
      await time.increase(2 * MATURATION);
      await resolver.connect(second).challengeDID(didHash, first);
      await time.increase(CHALLENGE_PERIOD);
      await resolver.resolveChallenge(didHash, first, second);
      for (const each of issuers.slice(0, 11)) expect((await runOf(each, first))?.live).to.equal(false);
    });
  });

  describe("with a score that is not above the incumbent's resistance", () => {
    it("reverts if both are equal, and the challenge stays open", async () => {
      const { resolver, issuer, first, second, claimWithTwo, revoke, controls } = await load();
      await claimWithTwo();
      await resolver.connect(second).challengeDID(didHash, first);
      const openedAt = BigInt(await time.latest());
      await time.increase(CHALLENGE_PERIOD);
      const resolve = () => resolver.resolveChallenge(didHash, first, second);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(1, 1);
      expect(await controls(first)).to.equal(true);
      expect((await resolver.getChallenge(didHash, first, second)).openedAt).to.equal(openedAt);
      const endedAt = await revoke(issuer, first);
      await next(endedAt + CHALLENGE_PERIOD);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotOpen");
    });

    it("counts the incumbent's live attestations, matured or not", async () => {
      const { resolver, issuer2, incumbent, open, resolve, attest, controls } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await attest(issuer2, incumbent);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(2, 2);
      expect(await controls(incumbent)).to.equal(true);
    });

    it("counts only the challenger's matured attestations", async () => {
      const { resolver, issuer3, challenger, open, resolve, revoke, attest } = await setup();
      const endedAt = await revoke(issuer3, challenger);
      await next(endedAt + MATURATION);
      await attest(issuer3, challenger, endedAt + 2 * MATURATION + 1);
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await expect(resolve()).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(1, 1);
    });

    it("reverts against one rogue issuer of three", async () => {
      const { resolver, issuer, issuer2, issuer3, first, stranger, attest, claim, controls } = await load();
      await claim(issuer, first);
      await attest(issuer2, first);
      await attest(issuer3, stranger);
      await time.increase(MATURATION);
      await resolver.connect(stranger).challengeDID(didHash, first);
      await time.increase(CHALLENGE_PERIOD);
      for (const each of [issuer, issuer2]) await attest(each, first);
      await attest(issuer3, stranger);
      await expect(resolver.resolveChallenge(didHash, first, stranger))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotWon")
        .withArgs(1, 2);
      expect(await controls(first)).to.equal(true);
    });
  });

  describe("with runs that matured after the opening", () => {
    it("does not count them in the score", async () => {
      const { resolver, issuer, issuer2, issuer3, first, second, attest, claim, score } = await load();
      await claim(issuer, first);
      await attest(issuer2, second);
      await time.increase(MATURATION);
      await resolver.connect(second).challengeDID(didHash, first);
      await attest(issuer3, second);
      await time.increase(CHALLENGE_PERIOD);
      expect(await score(second)).to.equal(2);
      await expect(resolver.resolveChallenge(didHash, first, second))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotWon")
        .withArgs(1, 1);
    });

    it("counts a run that matured in the second of the opening, but not one a second later", async () => {
      for (const [lead, score] of [
        [0, 2],
        [1, 1],
      ] as const) {
        const { resolver, issuer, issuer2, issuer3, first, second, attest, claim } = await load();
        await claim(issuer, first);
        await attest(issuer2, second);
        const maturesAt = (await attest(issuer3, second)) + MATURATION;
        await next(maturesAt - lead);
        await resolver.connect(second).challengeDID(didHash, first);
        await next(maturesAt - lead + CHALLENGE_PERIOD);
        const resolving = resolver.resolveChallenge(didHash, first, second);
        if (score === 2) await expect(resolving).to.emit(resolver, "ControllerRemoved");
        else
          await expect(resolving).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(1, 1);
      }
    });
  });
});
