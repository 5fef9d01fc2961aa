import { expect } from "chai";
import { createWorld, days, GRACE, MATURATION, type World } from "../world.ts";

const { load } = await createWorld();

/** Creates a record of a seller whose domain a buyer bought. The buyer controls the DID and blocks the seller. */
async function loadSold() {
  const world = await load();
  await world.attests(world.ada, world.seller);
  await world.mints(world.seller);
  await world.matures(world.buyer, world.ada);
  await world.revokes(world.ada, world.seller);
  await world.passes(GRACE);
  await world.blocks(world.buyer, world.seller);
  return world;
}

const holder = (world: World) => world.registry.ownerOf(1);

describe("Attacks on and by reclaims", () => {
  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("repeated attestations of a blocked seller do not stop the buyer's reclaim", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    for (let day = 0; day < 30; day += 5) {
      await w.passes(days(5));
      await w.attests(w.ben, w.seller);
      await w.blocks(w.buyer, w.seller);
    }
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("a short attestation that matured and expired under a block does not stop the buyer's reclaim", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    await w.passes(days(20));
    await w.blocks(w.buyer, w.seller);
    await w.attests(w.ben, w.seller, { for: days(5) });
    await w.passes(days(10));
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("a transfer of the token to the claimant does not stop its reclaim", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.mints(w.seller, [1, 255, 255]);
    await w.matures(w.buyer, w.ada);
    await w.revokes(w.ada, w.seller);
    await w.passes(GRACE);
    await w.opensReclaim(w.buyer);
    await w.passes(days(30));
    await w.registry.connect(w.seller).transferFrom(w.seller, w.buyer, 1);
    await w.finishesReclaim(w.buyer);
    await w.updates(w.buyer, [1, 0, 0]);
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("a reclaim does not take a token from a buyer that controls the DID before it is finished", async () => {
    const w = await load();
    await w.matures(w.partner, w.ben);
    await w.matures(w.publisher, w.ada);
    await w.mints(w.publisher);
    await w.registry.connect(w.publisher).transferFrom(w.publisher, w.buyer, 1);
    await w.refuses(w.opensReclaim(w.partner), "ReclaimContested");
    await w.revokes(w.ada, w.publisher);
    await w.passes(GRACE);
    await w.opensReclaim(w.partner);
    await w.matures(w.buyer, w.ada);
    await w.passes(days(30));
    await w.refuses(w.finishesReclaim(w.partner), "ReclaimContested");
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("a new attestation of a blocked seller does not stop the buyer's reclaim", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    await w.passes(days(29));
    await w.attests(w.ben, w.seller);
    await w.passes(days(1));
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("a co-controller's reclaim does not stop the buyer's reclaim", async () => {
    const w = await loadSold();
    await w.matures(w.partner, w.ben);
    await w.opensReclaim(w.partner);
    await w.opensReclaim(w.buyer);
    await w.passes(days(30));
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
    await w.refuses(w.finishesReclaim(w.partner), "ReclaimContested");
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("no reclaim can be opened from the first second in which a publisher is overdue, even for the second time", async () => {
    const w = await load();
    await w.matures(w.partner, w.ben);
    await w.attests(w.ada, w.publisher, { for: days(365) });
    await w.passes(MATURATION);
    await w.mints(w.publisher);
    await w.refuses(w.opensReclaim(w.partner), "ReclaimContested");
    await w.passes(days(363));
    await w.attests(w.ben, w.partner);
    for (const wait of [1, days(6)]) {
      await w.passes(wait);
      expect([await w.controls(w.publisher), await w.controls(w.partner)]).to.deep.equal([false, true]);
      await w.refuses(w.opensReclaim(w.partner), "ReclaimContested");
    }
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.passes(days(31));
    await w.refuses(w.opensReclaim(w.partner), "ReclaimContested");
  });

  // @threat contracts: Lower, exhaust or freeze a DID's versions
  it("a publisher that received a token at x.255.255 can reclaim its own record and update it", async () => {
    const w = await load();
    await w.attests(w.ada, w.thief);
    await w.mints(w.thief, [1, 255, 255]);
    await w.registry.connect(w.thief).transferFrom(w.thief, w.publisher, 1);
    await w.revokes(w.ada, w.thief);
    await w.matures(w.publisher, w.ada);
    await w.refuses(w.updates(w.publisher, [1, 0, 0]), "VersionExhausted");
    await w.passes(GRACE);
    await w.opensReclaim(w.publisher);
    await w.passes(days(30));
    await w.finishesReclaim(w.publisher);
    await w.updates(w.publisher, [1, 0, 0]);
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("a seller's transfer to another account does not stop the buyer's reclaim", async () => {
    const w = await loadSold();
    await w.opensReclaim(w.buyer);
    await w.passes(days(29));
    await w.registry.connect(w.seller).transferFrom(w.seller, w.stranger, 1);
    await w.passes(days(1));
    await w.finishesReclaim(w.buyer);
    expect(await holder(w)).to.equal(w.buyer.address);
  });
});
