import { expect } from "chai";
import { createWorld, days, hours, MATURATION } from "../world.ts";

const { load } = await createWorld();

const MAX_UINT64 = 2n ** 64n - 1n;

describe("An attack by a change of policy fails that", () => {
  it("makes every check panic by a policy beyond its maximum", async () => {
    const w = await load();
    await w.refuses(w.resolver.setMaxTTL(MAX_UINT64), "InvalidMaxTTL");
    await w.refuses(w.resolver.setMaturation(MAX_UINT64), "InvalidMaturation");
    await w.refuses(w.resolver.setChallengePeriod(MAX_UINT64), "InvalidChallengePeriod");
    await w.resolver.setMaxTTL(days(3650));
    await w.resolver.setMaturation(days(30));
    await w.resolver.setChallengePeriod(days(60));
    await w.attests(w.ada, w.publisher);
    await w.attests(w.ben, w.friend);
    await w.challenges(w.friend, w.publisher);
    for (let year = 0; year < 11; year++) {
      await w.counts(w.publisher);
      await w.score(w.friend);
      await w.standing(w.publisher);
      await w.passes(days(365));
    }
    expect(await w.counts(w.publisher)).to.equal(false);
  });

  it("stops accounts that count, by a longer maturation", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher);
    await w.settles(w.friend, w.ben);
    await w.attests(w.ben, w.partner);
    await w.resolver.setMaturation(days(30));
    expect(await w.counts(w.publisher)).to.equal(true);
    expect(await w.counts(w.friend)).to.equal(true);
    expect(await w.score(w.friend)).to.equal(1);
    await w.passes(days(2));
    expect(await w.counts(w.partner)).to.equal(true);
  });

  it("has a newcomer count at once, by a shorter maturation", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher);
    await w.attests(w.ben, w.stranger);
    await w.resolver.setMaturation(hours(1));
    await w.passes(hours(47));
    expect(await w.counts(w.stranger)).to.equal(false);
  });

  for (const maturation of [hours(1), days(30)]) {
    it(`decides a running challenge, by a maturation of ${maturation / 3600} hours`, async () => {
      const w = await load();
      await w.settles(w.seller, w.ada);
      await w.attests(w.ben, w.buyer);
      await w.attests(w.cleo, w.buyer);
      await w.challenges(w.buyer, w.seller);
      await w.settles(w.publisher, w.ada);
      await w.attests(w.ben, w.thief);
      await w.challenges(w.thief, w.publisher);
      await w.passes(days(1));
      await w.resolver.setMaturation(maturation);
      await w.attests(w.cleo, w.thief);
      await w.passes(days(7));
      await w.resolves(w.buyer, w.seller);
      expect(await w.counts(w.seller)).to.equal(false);
      await w.refuses(w.resolves(w.thief, w.publisher), "ChallengeNotWon");
    });
  }

  it("moves the window of a running challenge", async () => {
    const w = await load();
    await w.settles(w.seller, w.ada);
    await w.settles(w.buyer, w.ben, w.cleo);
    await w.challenges(w.buyer, w.seller);
    await w.resolver.setChallengePeriod(days(60));
    await w.passes(days(7));
    await w.resolves(w.buyer, w.seller);
    expect(await w.counts(w.seller)).to.equal(false);
  });

  it("cuts attestations that are written, by a shorter lifetime", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher);
    await w.resolver.setMaxTTL(days(3));
    await w.passes(days(300));
    expect(await w.counts(w.publisher)).to.equal(true);
  });

  it("keeps every newcomer from settling, by a lifetime that is no longer than the maturation", async () => {
    const w = await load();
    await w.refuses(w.resolver.setMaxTTL(MATURATION), "InvalidMaxTTL");
    await w.resolver.setMaxTTL(MATURATION + 1);
    await w.refuses(w.resolver.setMaturation(MATURATION + 1), "InvalidMaturation");
    await w.attests(w.ada, w.publisher);
    await w.settles(w.partner, w.ada);
    expect(await w.counts(w.partner)).to.equal(true);
  });

  it("is made by anybody but the owner", async () => {
    const w = await load();
    const mine = w.resolver.connect(w.thief);
    for (const change of [
      () => mine.setMaxTTL(days(1)),
      () => mine.setMaturation(hours(1)),
      () => mine.setChallengePeriod(days(2)),
      () => mine.addIssuer(w.thief),
      () => mine.retireIssuer(w.ada),
      () => mine.distrustIssuer(w.ada, 0),
      () => mine.endDIDAttestation(w.did, w.publisher, w.ada),
      () => mine.endDataHashAttestation(w.did, w.did, w.ada),
    ]) {
      await w.refuses(change(), "OwnableUnauthorizedAccount");
    }
  });

  it("leaves the contracts without an owner, by renouncing", async () => {
    const w = await load();
    await w.refuses(w.resolver.connect(w.owner).renounceOwnership(), "RenounceRefused");
  });

  it("loses the ownership to a typo", async () => {
    const w = await load();
    await w.resolver.connect(w.owner).transferOwnership("0x000000000000000000000000000000000000dEaD");
    expect(await w.resolver.owner()).to.equal(w.owner.address);
    await w.resolver.connect(w.owner).setMaxTTL(days(30));
  });
});
