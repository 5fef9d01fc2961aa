import { expect } from "chai";
import { CHALLENGE_PERIOD, createResolverSuite, DAY, didHash, GRACE, MATURATION } from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("Challenge with a change before it is resolved", () => {
  /**
   * Challenges an incumbent with one issuer by an account with two, which wins without further changes. `expectWon`
   * and `expectNotWon` resolve the challenge and check the challenger's score and the incumbent's resistance.
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
    await time.increase(2 * MATURATION);
    await resolver.connect(challenger).challengeDID(didHash, incumbent);
    const openedAt = await time.latest();

    const resolve = async (timestamp = openedAt + CHALLENGE_PERIOD) => {
      await next(timestamp);
      return resolver.connect(stranger).resolveChallenge(didHash, incumbent, challenger);
    };
    const expectWon = async (score: number, weight: number, timestamp?: number) =>
      expect(resolve(timestamp))
        .to.emit(resolver, "ControllerRemoved")
        .withArgs(didHash, incumbent, challenger, score, weight);
    const expectNotWon = async (score: number, weight: number, timestamp?: number) =>
      expect(resolve(timestamp))
        .to.be.revertedWithCustomError(resolver, "ChallengeNotWon")
        .withArgs(score, weight);
    return { ...suite, incumbent, challenger, openedAt, expectWon, expectNotWon };
  }

  it("is won if the incumbent's issuer renews, which adds no issuer", async () => {
    const { issuer, incumbent, attest, controls, expectWon } = await setup();
    await time.increase(DAY);
    await attest(issuer, incumbent);
    await expectWon(2, 1);
    expect(await controls(incumbent)).to.equal(false);
  });

  it("is not won if another issuer attests the incumbent", async () => {
    const { issuer2, incumbent, attest, controls, expectNotWon } = await setup();
    await attest(issuer2, incumbent);
    await expectNotWon(2, 2);
    expect(await controls(incumbent)).to.equal(true);
  });

  it("is not won if one of the challenger's runs is void", async () => {
    const { resolver, issuer3, challenger, runOf, expectNotWon } = await setup();
    await resolver.distrustIssuer(issuer3, Number((await runOf(issuer3, challenger))?.startedAt));
    await expectNotWon(1, 1);
  });

  it("is won if the challenger's issuers are retired or distrusted since a later time", async () => {
    const { resolver, issuer2, issuer3, challenger, runOf, expectWon } = await setup();
    await resolver.retireIssuer(issuer2);
    await resolver.distrustIssuer(issuer3, Number((await runOf(issuer3, challenger))?.startedAt) + 1);
    await expectWon(2, 1);
  });

  it("is won with one issuer if the incumbent's only issuer is distrusted from the beginning", async () => {
    const { resolver, issuer, issuer3, expectWon } = await setup();
    await resolver.distrustIssuer(issuer, 0);
    await resolver.distrustIssuer(issuer3, 0);
    await expectWon(1, 0);
  });

  it("is not won if an attestation of the challenger expires in the second of the resolution", async () => {
    const { incumbent, controls, expectNotWon } = await setup({
      challenger: 2 * MATURATION + CHALLENGE_PERIOD,
    });
    await expectNotWon(1, 1);
    expect(await controls(incumbent)).to.equal(true);
  });

  it("is not won while the incumbent's renewal is overdue, and is won after the grace", async () => {
    const { issuer3, incumbent, challenger, revoke, runOf, issuer, expectNotWon, expectWon } = await setup({
      incumbent: 2 * MATURATION + DAY,
    });
    await revoke(issuer3, challenger);
    const heldUntil = Number((await runOf(issuer, incumbent))?.expiresAt) + GRACE;
    await expectNotWon(1, 1, heldUntil - 1);
    await expectWon(1, 0, heldUntil);
  });

  it("is not won before an overdue renewal, which restores the incumbent's control", async () => {
    const { issuer, issuer3, incumbent, challenger, openedAt, revoke, attest, expectNotWon, controls } =
      await setup({
        incumbent: 2 * MATURATION + DAY,
      });
    await revoke(issuer3, challenger);
    await expectNotWon(1, 1);
    await at(openedAt + CHALLENGE_PERIOD);
    expect(await controls(incumbent)).to.equal(false);
    await attest(issuer, incumbent);
    expect(await controls(incumbent)).to.equal(true);
  });

  it("is not won by a challenger that has lost control of the DID", async () => {
    const { issuer2, issuer3, incumbent, challenger, revoke, controls, expectNotWon } = await setup();
    for (const issuer of [issuer2, issuer3]) await revoke(issuer, challenger);
    await expectNotWon(0, 1);
    expect(await controls(incumbent)).to.equal(true);
  });

  it("is not won in the grace after the incumbent was revoked", async () => {
    const { issuer, issuer3, incumbent, challenger, openedAt, revoke, controls, expectNotWon } =
      await setup();
    await revoke(issuer3, challenger);
    const resolvableFrom = openedAt + CHALLENGE_PERIOD;
    await next(resolvableFrom);
    await revoke(issuer, incumbent);
    await expectNotWon(1, 1, resolvableFrom + CHALLENGE_PERIOD - 1);
    expect(GRACE).to.equal(CHALLENGE_PERIOD);
    expect(await controls(challenger)).to.equal(true);
  });
});
