import { expect } from "chai";
import { setupChallenge } from "./challenge.ts";
import { CHALLENGE_PERIOD, createResolverSuite, DAY, didHash, GRACE, HOUR, MATURATION } from "./fixture.ts";

const suite = await createResolverSuite();
const { time, at, next } = suite;

describe("challengeDID and resolveChallenge", () => {
  const setup = () => setupChallenge(suite);

  describe("when a challenge is opened", () => {
    it("returns its dates, and does not change control", async () => {
      const { resolver, incumbent, challenger, open, window, controls } = await setup();
      expect(await window()).to.deep.equal([0n, 0n, 0n]);
      const now = (await time.latest()) + 10;
      const [resolvableFrom, expiresAt] = [now + CHALLENGE_PERIOD, now + 2 * CHALLENGE_PERIOD];
      await next(now);
      await expect(resolver.connect(challenger).challengeDID(didHash, incumbent))
        .to.emit(resolver, "DIDChallenged")
        .withArgs(didHash, incumbent, challenger, resolvableFrom, expiresAt);
      expect(await window()).to.deep.equal([now, resolvableFrom, expiresAt].map(BigInt));
      expect(await controls(incumbent)).to.equal(true);
      expect(await controls(challenger)).to.equal(true);
      await expect(open())
        .to.be.revertedWithCustomError(resolver, "ChallengeAlreadyOpen")
        .withArgs(didHash, incumbent, challenger);
    });

    it("requires a matured run of the challenger", async () => {
      const { resolver, issuer3, third, stranger, attest, open } = await setup();
      const startedAt = await attest(issuer3, third, (await time.latest()) + 5 * DAY);
      const expectRefused = (challenger: typeof third) =>
        expect(open(challenger))
          .to.be.revertedWithCustomError(resolver, "NotAttested")
          .withArgs(didHash, challenger);
      await next(startedAt + MATURATION - 1);
      await expectRefused(third);
      await next(startedAt + MATURATION);
      await open(third);
      await expectRefused(stranger);
      await at(startedAt + 5 * DAY);
      await expectRefused(third);
    });

    it("requires resistance of the incumbent, with or without a matured run", async () => {
      const { resolver, issuer, issuer2, challenger, third, revoke, attest, incumbent } = await setup();
      const challenge = (account: typeof third) =>
        resolver.connect(challenger).challengeDID(didHash, account);
      await expect(challenge(third))
        .to.be.revertedWithCustomError(resolver, "NotAttested")
        .withArgs(didHash, third);
      await attest(issuer2, third);
      await expect(challenge(third)).to.emit(resolver, "DIDChallenged");
      const endedAt = await revoke(issuer, incumbent);
      await next(endedAt + GRACE - 1);
      await expect(challenge(incumbent)).to.emit(resolver, "DIDChallenged");
    });

    it("reverts once the resistance of a revoked incumbent has ended", async () => {
      const { resolver, issuer, incumbent, challenger, revoke } = await setup();
      const endedAt = await revoke(issuer, incumbent);
      await next(endedAt + GRACE);
      await expect(resolver.connect(challenger).challengeDID(didHash, incumbent))
        .to.be.revertedWithCustomError(resolver, "NotAttested")
        .withArgs(didHash, incumbent);
    });

    it("reverts with SelfReference if an account challenges itself", async () => {
      const { resolver, incumbent, open } = await setup();
      await expect(open(incumbent))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(incumbent);
    });
  });

  describe("when a challenge is resolved", () => {
    it("reverts until exactly the challenge period has passed", async () => {
      const { resolver, open, resolve } = await setup();
      const openedAt = await open();
      await next(openedAt + CHALLENGE_PERIOD - 1);
      await expect(resolve())
        .to.be.revertedWithCustomError(resolver, "ChallengeNotResolvable")
        .withArgs(openedAt + CHALLENGE_PERIOD);
      await next(openedAt + CHALLENGE_PERIOD);
      await expect(resolve()).to.emit(resolver, "ControllerRemoved");
    });

    it("expires after twice the challenge period, and may then be opened again", async () => {
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

    it("can be resolved in the last second before it expires", async () => {
      const { resolver, open, resolve } = await setup();
      const openedAt = await open();
      await next(openedAt + 2 * CHALLENGE_PERIOD - 1);
      await expect(resolve()).to.emit(resolver, "ControllerRemoved");
    });

    it("can't be resolved twice", async () => {
      const { resolver, incumbent, challenger, open, resolve, window } = await setup();
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await resolve();
      expect(await window()).to.deep.equal([0n, 0n, 0n]);
      await expect(resolve())
        .to.be.revertedWithCustomError(resolver, "ChallengeNotOpen")
        .withArgs(didHash, incumbent, challenger);
    });

    it("reverts with ChallengeNotOpen if nobody opened it", async () => {
      const { resolver, stranger, incumbent, resolve } = await setup();
      await expect(resolve(stranger))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotOpen")
        .withArgs(didHash, incumbent, stranger);
    });
  });

  describe("with several challengers", () => {
    it("resolves their challenges independently", async () => {
      const { resolver, issuer2, incumbent, challenger, third, open, resolve, attest, window } =
        await setup();
      await attest(issuer2, third);
      await time.increase(MATURATION);
      await open();
      await time.increase(HOUR);
      await open(third);
      await time.increase(CHALLENGE_PERIOD);
      await expect(resolve(third)).to.be.revertedWithCustomError(resolver, "ChallengeNotWon").withArgs(1, 1);
      expect((await window(challenger))[0]).not.to.equal(0n);
      await expect(resolve(challenger))
        .to.emit(resolver, "ControllerRemoved")
        .withArgs(didHash, incumbent, challenger, 2, 1);
      expect((await window(third))[0]).not.to.equal(0n);
    });
  });

  describe("when an issuer that never attested the removed account revokes it", () => {
    it("makes that issuer wait for the maturation before it can attest the account", async () => {
      const { resolver, issuer2, incumbent, open, resolve, revoke } = await setupChallenge(suite);
      await open();
      await time.increase(CHALLENGE_PERIOD);
      await resolve();
      const attestableFrom = (await revoke(issuer2, incumbent)) + MATURATION;
      await expect(resolver.connect(issuer2).attestDID(didHash, incumbent, 0))
        .to.be.revertedWithCustomError(resolver, "RecentlyRevoked")
        .withArgs(attestableFrom);
    });
  });
});
