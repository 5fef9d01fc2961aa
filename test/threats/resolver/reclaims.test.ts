import { expect } from "chai";
import { createWorld, days, MATURATION, STANDING_TAIL, type World } from "../world.ts";

const { load } = await createWorld();

/** A record of the seller, whose domain the buyer bought: the buyer counts, and has objected to the seller's return. */
async function loadSold() {
  const world = await load();
  await world.attests(world.ada, world.seller);
  await world.mints(world.seller);
  await world.settles(world.buyer, world.ada);
  await world.revokes(world.ada, world.seller);
  await world.objects(world.buyer, world.seller);
  return world;
}

const holder = (world: World) => world.registry.ownerOf(1);

describe("An attack on or by a reclaim fails that", () => {
  it("is opened while the holder's renewal is a minute late, and finished when it is late again", async () => {
    const w = await load();
    await w.settles(w.partner, w.ben);
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.passes(MATURATION);
    await w.mints(w.publisher);
    await w.passes(days(28));
    await w.opensReclaim(w.partner);
    await w.passes(60);
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.passes(days(30));
    expect(await w.counts(w.publisher)).to.equal(false);
    await w.refuses(w.finishesReclaim(w.partner), "ReclaimContested");
    expect(await holder(w)).to.equal(w.publisher.address);
  });

  it("keeps it from ever finishing by one issuer that attests the seller for three seconds a month", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    for (let day = 0; day < 30; day += 5) {
      await w.passes(days(5));
      await w.attests(w.ben, w.seller, { for: 3 });
    }
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  it("does so for 48 hours and a second a month, in which the seller settles under the buyer's objection", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    await w.passes(days(20));
    await w.attests(w.ben, w.seller, { for: MATURATION + 1 });
    await w.passes(days(10));
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  it("hands the token to the claimant just before it finishes, so that it contests its own reclaim", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.mints(w.seller, [1, 255, 255]);
    await w.settles(w.buyer, w.ada);
    await w.revokes(w.ada, w.seller);
    await w.opensReclaim(w.buyer);
    await w.passes(days(30));
    await w.registry.connect(w.seller).transferFrom(w.seller, w.buyer, 1);
    await w.finishesReclaim(w.buyer);
    await w.updates(w.buyer, [1, 0, 0]);
  });

  it("takes what a publisher sold who was a minute late when it was opened, from a buyer who is not attested yet", async () => {
    const w = await load();
    await w.settles(w.partner, w.ben);
    await w.settles(w.seller, w.cleo);
    await w.mints(w.seller);
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.registry.connect(w.seller).transferFrom(w.seller, w.publisher, 1);
    await w.revokes(w.cleo, w.seller);
    await w.passes(days(30));
    await w.opensReclaim(w.partner);
    await w.passes(60);
    await w.attests(w.ada, w.publisher);
    await w.registry.connect(w.publisher).transferFrom(w.publisher, w.buyer, 1);
    await w.passes(days(30));
    await w.refuses(w.finishesReclaim(w.partner), "ReclaimContested");
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  it("keeps it from finishing by a seller that waits, while the buyer objects", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    await w.passes(days(29));
    await w.attests(w.ben, w.seller);
    await w.passes(days(1));
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  it("blocks the buyer's by a co-controller's, opened every 60 days", async () => {
    const w = await loadSold();
    await w.settles(w.partner, w.ben);
    await w.opensReclaim(w.partner);
    await w.opensReclaim(w.buyer);
    await w.passes(days(30));
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
    await w.refuses(w.finishesReclaim(w.partner), "ReclaimNotOpen");
  });

  it("takes the record of a publisher in the first second in which it is late, or in any of the next", async () => {
    const w = await load();
    await w.settles(w.partner, w.ben);
    await w.attests(w.ada, w.publisher, { for: days(365) });
    await w.passes(MATURATION);
    await w.mints(w.publisher);
    await w.refuses(w.opensReclaim(w.partner), "ReclaimContested");
    await w.passes(days(363));
    await w.attests(w.ben, w.partner);
    await w.opensReclaim(w.partner);
    await w.refuses(w.finishesReclaim(w.partner), "ReclaimNotFinishable");
    await w.passes(days(6));
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.passes(days(31));
    await w.refuses(w.finishesReclaim(w.partner), "ReclaimContested");
  });

  it("leaves the publisher no version by minting every major at x.255.255 in an hour of control", async () => {
    const w = await load();
    await w.attests(w.ada, w.thief);
    for (let major = 0; major < 256; major++) await w.mints(w.thief, [major, 255, 255]);
    await w.revokes(w.ada, w.thief);
    await w.settles(w.publisher, w.ada);
    await w.opensReclaim(w.publisher, 7);
    await w.passes(days(30));
    await w.finishesReclaim(w.publisher, 7);
    await w.updates(w.publisher, [7, 0, 0]);
    await w.updates(w.publisher, [7, 0, 1]);
    await w.refuses(w.updates(w.publisher, [7, 255, 255]), "VersionTaken");
    await w.updates(w.publisher, [7, 1, 0]);
  });

  it("leaves the publisher no version by giving it those records, which nobody can reclaim from a controller", async () => {
    const w = await load();
    await w.attests(w.ada, w.thief);
    await w.mints(w.thief, [1, 255, 255]);
    await w.registry.connect(w.thief).transferFrom(w.thief, w.publisher, 1);
    await w.revokes(w.ada, w.thief);
    await w.settles(w.publisher, w.ada);
    await w.refuses(w.updates(w.publisher, [1, 0, 0]), "VersionExhausted");
    await w.refuses(w.opensReclaim(w.publisher), "ReclaimContested");
    await w.registry.connect(w.publisher).transferFrom(w.publisher, w.carrier, 1);
    await w.opensReclaim(w.publisher);
    await w.passes(days(30));
    await w.finishesReclaim(w.publisher);
    await w.updates(w.publisher, [1, 0, 0]);
  });

  it("lends a seller's lost control to the account that it gives the token to", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    await w.passes(days(29));
    await w.registry.connect(w.seller).transferFrom(w.seller, w.stranger, 1);
    await w.passes(days(1) + STANDING_TAIL);
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });
});
