import { expect } from "chai";
import { createWorld, days, hours, MATURATION, STANDING_TAIL } from "../world.ts";

const { load } = await createWorld();

/** A publisher attested by one issuer alone, for long enough. */
async function loadPublisher() {
  const world = await load();
  await world.settles(world.publisher, world.ada);
  return world;
}

describe("An attack on objections fails that", () => {
  it("outvotes the objection of a publisher attested by one issuer, by a two-day hijack seen by two", async () => {
    const w = await loadPublisher();
    await w.attests(w.ben, w.thief);
    await w.attests(w.cleo, w.thief);
    const hijackedAt = await w.now();
    await w.objects(w.publisher, w.thief);
    await w.passes(MATURATION);
    expect(await w.score(w.thief)).to.equal(2);
    expect(await w.counts(w.thief)).to.equal(false);
    // The hijack has to go on for a week beyond that.
    await w.passes(hijackedAt + MATURATION + days(7) - 1 - (await w.now()));
    expect(await w.counts(w.thief)).to.equal(false);
    expect(await w.counts(w.publisher)).to.equal(true);
  });

  it("outvotes it by a vouch of one co-controller", async () => {
    const w = await loadPublisher();
    await w.settles(w.partner, w.ben);
    await w.attests(w.cleo, w.thief);
    await w.objects(w.publisher, w.thief);
    await w.vouches(w.partner, w.thief);
    expect(await w.counts(w.thief)).to.equal(false);
    await w.passes(days(30));
    expect(await w.counts(w.thief)).to.equal(false);
  });

  it("has a sleeper count in the block in which its objector loses control, and object to the buyer", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.attests(w.ben, w.sleeper);
    await w.objects(w.seller, w.sleeper);
    await w.passes(days(100));
    await w.attests(w.ada, w.buyer);
    await w.revokes(w.ada, w.seller);
    const soldAt = await w.now();
    expect(await w.counts(w.sleeper)).to.equal(false);
    await w.passes(STANDING_TAIL - 2);
    await w.refuses(w.objects(w.sleeper, w.buyer), "NotController");
    await w.passes(soldAt + STANDING_TAIL - (await w.now()));
    expect(await w.counts(w.buyer)).to.equal(true);
    await w.refuses(w.objects(w.sleeper, w.buyer), "ControllerCounts");
  });

  it("has the sleeper count first, under a maturation that is longer than two days", async () => {
    const w = await load();
    await w.resolver.setMaturation(days(7));
    await w.attests(w.ada, w.seller);
    await w.attests(w.ben, w.sleeper);
    await w.objects(w.seller, w.sleeper);
    await w.passes(days(20));
    await w.attests(w.ada, w.buyer);
    const attestedAt = await w.now();
    await w.revokes(w.ada, w.seller);
    await w.passes(attestedAt + days(7) - (await w.now()));
    expect(await w.counts(w.sleeper)).to.equal(false);
    expect(await w.counts(w.buyer)).to.equal(true);
    await w.refuses(w.objects(w.sleeper, w.buyer), "ControllerCounts");
  });

  it("objects to the publisher, who counts, or who is only late with its renewal", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.settles(w.partner, w.ben);
    await w.refuses(w.objects(w.partner, w.publisher), "ControllerCounts");
    await w.passes(days(28));
    await w.objects(w.partner, w.publisher);
    await w.attests(w.ada, w.publisher);
    expect(await w.counts(w.publisher)).to.equal(true);
  });

  it("has a stranger settle while the publisher is late with its renewal, and can't object", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.passes(days(30));
    await w.attests(w.ben, w.stranger);
    await w.objects(w.publisher, w.stranger);
    await w.passes(MATURATION);
    expect(await w.counts(w.stranger)).to.equal(false);
    await w.attests(w.ada, w.publisher);
    expect(await w.counts(w.publisher)).to.equal(true);
  });

  it("settles by a rogue issuer's attestation of a former controller who is late for good", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller, { for: days(30) });
    await w.passes(days(20));
    await w.settles(w.publisher, w.ada);
    await w.passes(days(8));
    await w.attests(w.ben, w.seller);
    await w.objects(w.publisher, w.seller);
    await w.passes(days(100));
    expect(await w.counts(w.seller)).to.equal(false);
  });

  it("wakes a gone seller's objection by one rogue issuer, and has the seller count", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.attests(w.ada, w.buyer);
    await w.objects(w.seller, w.buyer);
    await w.revokes(w.ada, w.seller);
    await w.passes(days(290));
    expect(await w.counts(w.buyer)).to.equal(true);
    await w.attests(w.ben, w.seller);
    await w.objects(w.buyer, w.seller);
    await w.passes(days(3));
    expect(await w.counts(w.seller)).to.equal(false);
    expect(await w.counts(w.buyer)).to.equal(true);
  });

  it("keeps a buyer out by the objection of somebody who has been gone for months", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.objects(w.seller, w.buyer);
    await w.revokes(w.ada, w.seller);
    await w.passes(days(100));
    await w.settles(w.buyer, w.ada);
    expect(await w.counts(w.buyer)).to.equal(true);
  });

  it("objects as a newcomer, as one who was revoked, or to itself", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.settles(w.publisher, w.ada);
    await w.revokes(w.ada, w.seller);
    await w.attests(w.ben, w.stranger);
    await w.refuses(w.objects(w.stranger, w.thief), "NotController");
    await w.refuses(w.objects(w.seller, w.stranger), "NotController");
    await w.refuses(w.objects(w.publisher, w.publisher), "SelfReference");
  });

  it("attests an account to which the publisher objected before there was anything to see", async () => {
    const w = await loadPublisher();
    await w.objects(w.publisher, w.thief);
    await w.attests(w.ben, w.thief);
    await w.passes(days(300));
    expect(await w.counts(w.thief)).to.equal(false);
  });

  it("shakes an objection off by letting the attestation lapse or be revoked, and coming back", async () => {
    const w = await loadPublisher();
    await w.attests(w.ben, w.thief, { for: days(3) });
    await w.objects(w.publisher, w.thief);
    await w.passes(days(20));
    await w.attests(w.ben, w.thief);
    await w.passes(days(20));
    await w.revokes(w.ben, w.thief);
    await w.passes(days(20));
    await w.attests(w.ben, w.thief);
    await w.passes(days(20));
    expect(await w.counts(w.thief)).to.equal(false);
  });

  it("pushes the objection of a weightier controller out by four of lighter ones", async () => {
    const w = await load();
    await w.settles(w.publisher, w.ada, w.cleo);
    const accomplices = [w.partner, w.friend, w.sleeper, w.seller];
    for (const accomplice of accomplices) await w.attests(w.ben, accomplice);
    await w.passes(MATURATION);
    for (const accomplice of accomplices) await w.objects(accomplice, w.thief);
    await w.objects(w.publisher, w.thief);
    await w.refuses(w.objects(w.partner, w.thief), "TooManyObjections");
    const objections = await w.resolver.getObjections(w.did, w.thief);
    expect(objections.map(({ author }) => author)).to.include(w.publisher.address);
  });

  it("objects as one who never counted, once its attestation has expired", async () => {
    const w = await load();
    await w.settles(w.publisher, w.ada);
    await w.attests(w.ben, w.stranger, { for: MATURATION + 3 });
    await w.objects(w.publisher, w.stranger);
    await w.passes(MATURATION + 60);
    await w.attests(w.ada, w.friend);
    await w.refuses(w.objects(w.stranger, w.friend), "NotController");
  });

  it("objects twice, so that one withdrawal leaves the other", async () => {
    const w = await loadPublisher();
    await w.attests(w.ben, w.friend);
    await w.objects(w.publisher, w.friend);
    await w.refuses(w.objects(w.publisher, w.friend), "AlreadyObjected");
    await w.withdraws(w.publisher, w.friend);
    await w.refuses(w.withdraws(w.publisher, w.friend), "NotObjected");
    await w.passes(MATURATION);
    expect(await w.counts(w.friend)).to.equal(true);
  });

  it("takes the weight of an objector who is late with its renewal", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.attests(w.ben, w.thief);
    await w.objects(w.publisher, w.thief);
    await w.passes(days(30) + days(6) + hours(23));
    expect(await w.counts(w.publisher)).to.equal(false);
    expect(await w.counts(w.thief)).to.equal(false);
    await w.attests(w.ada, w.publisher);
    expect(await w.counts(w.thief)).to.equal(false);
  });
});
