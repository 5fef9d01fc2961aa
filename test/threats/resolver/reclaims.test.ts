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
});
