import { expect } from "chai";
import {
  CHALLENGE_PERIOD,
  createResolverSuite,
  DAY,
  didHash,
  GRACE,
  HOUR,
  MATURATION,
  STANDING_TAIL,
} from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("A challenge, with a change while it runs", () => {
  /**
   * An incumbent with one issuer, challenged by one with two: it wins, were nothing to change. `expectWon` resolves it
   * and checks the challenger's score and the incumbent's weight; `expectNotWon` does so of one that would not win.
   */
  async function setup(expiresAt: { incumbent?: number; challenger?: number } = {}) {
    const suite = await load();
    const { resolver, issuer, issuer2, issuer3, first, second, stranger, attest } = suite;
    const [incumbent, challenger] = [first, second];
    const now = await time.latest();
    const until = (life?: number) => (life === undefined ? 0 : now + life);
    await attest(issuer, incumbent, until(expiresAt.incumbent));
    await attest(issuer2, challenger);
    await attest(issuer3, challenger, until(expiresAt.challenger));
    await resolver.connect(challenger).challengeDID(didHash, incumbent);
    const openedAt = await time.latest();

    const resolve = async (timestamp = openedAt + CHALLENGE_PERIOD) => {
      await next(timestamp);
      return resolver.connect(stranger).resolveChallenge(didHash, incumbent, challenger);
    };
    const expectWon = async (score: number, weight: number, timestamp?: number) =>
      expect(resolve(timestamp))
        .to.emit(resolver, "ControllerOusted")
        .withArgs(didHash, incumbent, challenger, score, weight);
    const expectNotWon = async (score: number, weight: number, timestamp?: number) =>
      expect(resolve(timestamp))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotWon")
        .withArgs(score, weight);
    return { ...suite, incumbent, challenger, openedAt, expectWon, expectNotWon };
  }

  it("is won against an incumbent whose renewal adds no issuer, and the renewal is ousted with it", async () => {
    const { issuer, incumbent, attest, counts, expectWon } = await setup();
    await time.increase(DAY);
    await attest(issuer, incumbent);
    await expectWon(2, 1);
    expect(await counts(incumbent)).to.equal(false);
  });

  it("is not won against an incumbent whom further issuers attest", async () => {
    const { issuer2, incumbent, attest, counts, expectNotWon } = await setup();
    await attest(issuer2, incumbent);
    await expectNotWon(2, 2);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is not won when the run of one of the challenger's issuers is void", async () => {
    const { resolver, issuer3, challenger, runOf, expectNotWon } = await setup();
    await resolver.distrustIssuer(issuer3, Number((await runOf(issuer3, challenger))?.startedAt));
    await expectNotWon(1, 1);
  });

  it("is won when one of the challenger's issuers is retired, or distrusted since later", async () => {
    const { resolver, issuer2, issuer3, challenger, runOf, expectWon } = await setup();
    await resolver.retireIssuer(issuer2);
    await resolver.distrustIssuer(issuer3, Number((await runOf(issuer3, challenger))?.startedAt) + 1);
    await expectWon(2, 1);
  });

  it("is won with one issuer left, when the incumbent's only one is distrusted from the beginning", async () => {
    const { resolver, issuer, issuer3, expectWon } = await setup();
    await resolver.distrustIssuer(issuer, 0);
    await resolver.distrustIssuer(issuer3, 0);
    await expectWon(1, 0);
  });

  it("is not won when an attestation of the challenger expires in that second", async () => {
    const { incumbent, counts, expectNotWon } = await setup({ challenger: CHALLENGE_PERIOD });
    await expectNotWon(1, 1);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is not won in a gap of the incumbent's renewal, nor in the two days after its grace", async () => {
    const { issuer3, incumbent, challenger, revoke, runOf, issuer, expectNotWon, expectWon } = await setup({
      incumbent: CHALLENGE_PERIOD - GRACE + DAY,
    });
    await revoke(issuer3, challenger);
    const heldUntil = Number((await runOf(issuer, incumbent))?.expiresAt) + GRACE;
    await expectNotWon(1, 1);
    await expectNotWon(1, 1, heldUntil + STANDING_TAIL - 1);
    await expectWon(1, 0, heldUntil + STANDING_TAIL);
  });

  it("is not won by a week of waiting for a late renewal, which makes the incumbent count again", async () => {
    const { issuer, issuer3, incumbent, challenger, openedAt, revoke, attest, expectNotWon, counts } =
      await setup({
        incumbent: DAY,
      });
    await revoke(issuer3, challenger);
    await expectNotWon(1, 1);
    await at(openedAt + CHALLENGE_PERIOD);
    expect(await counts(incumbent)).to.equal(false);
    await attest(issuer, incumbent);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is not won by a challenger who has lost control of the DID", async () => {
    const { issuer2, issuer3, incumbent, challenger, revoke, counts, expectNotWon } = await setup();
    for (const issuer of [issuer2, issuer3]) await revoke(issuer, challenger);
    await expectNotWon(0, 1);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is won against an incumbent who was revoked, whose standing lasts two days", async () => {
    const { issuer, issuer3, incumbent, challenger, openedAt, revoke, counts, expectNotWon, expectWon } =
      await setup();
    await revoke(issuer3, challenger);
    const resolvableFrom = openedAt + CHALLENGE_PERIOD;
    await next(resolvableFrom);
    await revoke(issuer, incumbent);
    await expectNotWon(1, 1, resolvableFrom + STANDING_TAIL - 1);
    await expectWon(1, 0, resolvableFrom + STANDING_TAIL);
    expect(await counts(challenger)).to.equal(true);
  });

  it("is decided by runs as they began, whatever the maturation is meanwhile", async () => {
    for (const maturation of [HOUR, 30 * DAY]) {
      const { resolver, expectWon } = await setup();
      await resolver.setMaturation(maturation);
      await expectWon(2, 1);
    }
  });

  it("keeps its window under a longer and a shorter period", async () => {
    for (const period of [2 * DAY, 60 * DAY]) {
      const { resolver, incumbent, challenger, openedAt, expectWon } = await setup();
      await resolver.setChallengePeriod(period);
      await next(openedAt + CHALLENGE_PERIOD - 1);
      await expect(resolver.resolveChallenge(didHash, incumbent, challenger))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotResolvable")
        .withArgs(openedAt + CHALLENGE_PERIOD);
      await expectWon(2, 1);
    }
  });

  it("is not touched by a shorter lifetime, which holds for new attestations only", async () => {
    const { resolver, expectWon } = await setup();
    await resolver.setMaxTTL(3 * DAY);
    await expectWon(2, 1);
  });

  it("is not touched by objections, to the one or the other", async () => {
    const { resolver, incumbent, challenger, third, issuer, attest, expectWon, counts } = await setup();
    await resolver.connect(incumbent).objectToController(didHash, challenger);
    await attest(issuer, third);
    await expectWon(2, 1);
    expect(await counts(challenger)).to.equal(false);
    await time.increase(MATURATION + STANDING_TAIL);
    expect(await counts(challenger)).to.equal(true);
  });
});
