import { expect } from "chai";
import { setupChallenge } from "./challenge.ts";
import { CHALLENGE_PERIOD, createResolverSuite, DAY, didHash, HOUR, MATURATION, YEAR } from "./fixture.ts";

const suite = await createResolverSuite();
const { time, at, next } = suite;

describe("Challenging a controller", () => {
  const setup = () => setupChallenge(suite);

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

  describe("when an issuer that never attested the ousted account revokes it", () => {
    it("makes that issuer wait before it attests the account, as any revocation does", async () => {
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
