import { expect } from "chai";
import { createWorld, days, GRACE, MATURATION } from "./world.ts";

const { load } = await createWorld();

/** Lets a thief with Ada's leaked key claim an unclaimed DID, which it controls immediately. */
async function loadClaimedByThief() {
  const world = await load();
  const stolenAt = await world.now();
  await world.attests(world.ada, world.thief);
  return { ...world, stolenAt };
}

describe("Limits of distrust", () => {
  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("a mint by a thief stays until the publisher reclaims the record", async () => {
    const w = await loadClaimedByThief();
    await w.mints(w.thief);
    await w.distrusts(w.ada, w.stolenAt);
    expect(await w.controls(w.thief)).to.equal(false);
    expect(await w.registry.ownerOf(1)).to.equal(w.thief.address);
    await w.refuses(w.updates(w.thief, [1, 0, 1]), "NotController");

    await w.matures(w.publisher, w.ben);
    await w.opensReclaim(w.publisher);
    await w.passes(days(30));
    await w.finishesReclaim(w.publisher);
    expect(await w.registry.ownerOf(1)).to.equal(w.publisher.address);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("an account removed by a challenge stays removed, and has to mature again", async () => {
    const w = await load();
    await w.matures(w.seller, w.cleo);
    const stolenAt = await w.now();
    await w.matures(w.buyer, w.ada, w.ben);
    await w.challenges(w.buyer, w.seller);
    await w.passes(days(7));
    await w.resolves(w.buyer, w.seller);
    await w.distrusts(w.ada, stolenAt);
    expect(await w.controls(w.seller)).to.equal(false);
    await w.attests(w.cleo, w.seller);
    expect(await w.controls(w.seller)).to.equal(false);
    await w.passes(MATURATION);
    expect(await w.controls(w.seller)).to.equal(true);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("a DID stays claimed, so that its publisher waits for up to two maturations", async () => {
    const w = await loadClaimedByThief();
    await w.distrusts(w.ada, w.stolenAt);
    expect(await w.resolver.claimedAt(w.did)).to.be.greaterThan(0);
    await w.attests(w.ben, w.publisher);
    await w.passes(MATURATION);
    expect(await w.controls(w.publisher)).to.equal(false);
    await w.passes(MATURATION);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("a document that a thief revoked and attested again stays void until another issuer attests it", async () => {
    const w = await load();
    await w.attestsDocument(w.ada, "{}");
    await w.passes(days(10));
    const stolenAt = await w.soon();
    await w.revokesDocument(w.ada, "{}");
    await w.refuses(w.attestsDocument(w.ada, "{}"), "RecentlyRevoked");
    await w.passes(MATURATION);
    await w.attestsDocument(w.ada, "{}");
    await w.distrusts(w.ada, stolenAt);
    expect(await w.isAttested("{}")).to.equal(false);
    await w.attestsDocument(w.ben, "{}");
    expect(await w.isAttested("{}")).to.equal(true);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("all controllers of an issuer distrusted from the beginning have to mature again", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.distrusts(w.ada, 0);
    await w.attests(w.ben, w.publisher);
    await w.attests(w.ben, w.stranger);
    await w.refuses(w.blocks(w.publisher, w.stranger), "NotInCharge");
    await w.passes(MATURATION);
    expect([await w.controls(w.publisher), await w.controls(w.stranger)]).to.deep.equal([true, true]);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("an overdue account that a thief renewed controls the DID for at most 23 days after the distrust", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller, { for: days(30) });
    await w.matures(w.publisher, w.ben);
    await w.passes(days(30));
    const stolenAt = await w.now();
    const { controls, inCharge } = await w.resolver.getController(w.did, w.seller);
    expect([controls, inCharge]).to.deep.equal([false, true]);
    await w.attests(w.ada, w.seller);
    await w.distrusts(w.ada, stolenAt);
    expect(await w.controls(w.seller)).to.equal(true);
    await w.passes(days(23) - 1);
    expect(await w.controls(w.seller)).to.equal(true);
    await w.passes(1);
    expect(await w.controls(w.seller)).to.equal(false);
    await w.passes(GRACE);
    expect(await w.resistance(w.seller)).to.equal(0);
  });
});
