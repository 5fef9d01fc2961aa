import { expect } from "chai";
import { createResolverSuite, DAY, didHash, HOUR, MATURATION } from "./fixture.ts";

const { time, at, load } = await createResolverSuite();

describe("A challenge, with a change while it runs", () => {
  /**
   * An incumbent with one issuer, challenged by one with two: it wins, were nothing to change. `expectResolved` resolves
   * it and checks the outcome, the challenger's score and the number of the incumbent's live attestations.
   */
  async function setup(expiresAt: { incumbent?: number; challenger?: number } = {}) {
    const suite = await load();
    const { resolver, issuer, issuer2, issuer3, first, second, stranger, attest, counts } = suite;
    const [incumbent, challenger] = [first, second];
    const now = await time.latest();
    const until = (life?: number) => (life === undefined ? 0 : now + life);
    await attest(issuer, incumbent, until(expiresAt.incumbent));
    await attest(issuer2, challenger);
    await attest(issuer3, challenger, until(expiresAt.challenger));
    await resolver.connect(challenger).challengeDID(didHash, incumbent.address);
    const openedAt = await time.latest();

    async function expectResolved(won: boolean, score: number, attestations: number) {
      await at(openedAt + MATURATION);
      await expect(
        resolver.connect(stranger).resolveChallenge(didHash, incumbent.address, challenger.address),
      )
        .to.emit(resolver, "ChallengeResolved")
        .withArgs(didHash, incumbent.address, challenger.address, won, score, attestations);
    }
    const score = () => resolver.ownershipScore(didHash, challenger.address);
    return { ...suite, incumbent, challenger, counts, openedAt, expectResolved, score };
  }

  it("is won against an incumbent whose renewal adds no issuer, and the renewal is ousted with it", async () => {
    const { issuer, incumbent, attest, counts, expectResolved } = await setup();
    await time.increase(DAY);
    await attest(issuer, incumbent);
    await expectResolved(true, 2, 1);
    expect(await counts(incumbent)).to.equal(false);
  });

  it("is lost against an incumbent whom further issuers attest", async () => {
    const { issuer2, incumbent, attest, counts, expectResolved } = await setup();
    await attest(issuer2, incumbent);
    await expectResolved(false, 2, 2);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is lost when one of the challenger's issuers is removed", async () => {
    const { resolver, issuer3, incumbent, counts, expectResolved } = await setup();
    await resolver.removeIssuer(issuer3.address);
    await expectResolved(false, 1, 1);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is lost when that issuer was added and has attested again, since that begins a new age", async () => {
    const { resolver, issuer3, challenger, attest, expectResolved } = await setup();
    await resolver.removeIssuer(issuer3.address);
    await resolver.addIssuer(issuer3.address);
    await attest(issuer3, challenger);
    await expectResolved(false, 1, 1);
  });

  it("is won with one issuer left, when the incumbent's only one is removed", async () => {
    const { resolver, issuer, issuer3, expectResolved } = await setup();
    await resolver.removeIssuer(issuer.address);
    await resolver.removeIssuer(issuer3.address);
    await expectResolved(true, 1, 0);
  });

  it("is lost when an attestation of the challenger expires", async () => {
    const { incumbent, counts, expectResolved } = await setup({ challenger: MATURATION });
    await expectResolved(false, 1, 1);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is won when the incumbent's attestation expires, which then counts no more even if it is renewed", async () => {
    const { issuer, incumbent, attest, counts, resolver, expectResolved } = await setup({
      incumbent: MATURATION,
    });
    await expectResolved(true, 2, 0);
    expect(await counts(incumbent)).to.equal(false);
    await attest(issuer, incumbent);
    expect(await resolver.firstController(didHash)).to.equal(incumbent.address);
  });

  it("is lost by a challenger who has lost control of the DID", async () => {
    const { resolver, issuer2, issuer3, incumbent, challenger, counts, expectResolved } = await setup();
    for (const issuer of [issuer2, issuer3]) {
      await resolver.connect(issuer).revokeDID(didHash, challenger.address);
    }
    await expectResolved(false, 0, 1);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("ousts nothing but what is left when the incumbent has lost control of the DID itself", async () => {
    const { resolver, issuer, incumbent, challenger, counts, expectResolved } = await setup();
    await resolver.connect(issuer).revokeDID(didHash, incumbent.address);
    await expectResolved(true, 2, 0);
    expect(await counts(challenger)).to.equal(true);
  });

  it("keeps its window under a longer maturation, which the challenger's score then has not reached", async () => {
    const { resolver, incumbent, score, counts, expectResolved } = await setup();
    await resolver.setMaturation(3 * MATURATION);
    await expectResolved(false, 0, 1);
    expect(await score()).to.equal(0);
    expect(await counts(incumbent)).to.equal(true);
  });

  it("is not sooner resolved under a shorter maturation, though the score is reached sooner", async () => {
    const { resolver, incumbent, challenger, openedAt, score, expectResolved } = await setup();
    await resolver.setMaturation(HOUR);
    await time.increase(HOUR);
    expect(await score()).to.equal(2);
    await expect(resolver.resolveChallenge(didHash, incumbent.address, challenger.address))
      .to.be.revertedWithCustomError(resolver, "ChallengeNotResolvable")
      .withArgs(openedAt + MATURATION);
    await expectResolved(true, 2, 1);
  });

  it("is not touched by a shorter lifetime, which holds for new attestations only", async () => {
    const { resolver, expectResolved } = await setup();
    await resolver.setMaxTTL(DAY);
    await expectResolved(true, 2, 1);
  });
});
