import { expect } from "chai";
import { createWorld, days, GRACE, hours, MATURATION, type World } from "../world.ts";

const { load } = await createWorld();

/** A DID whose first controller was the seller; the buyer, who bought the domain, counts. */
async function loadSold() {
  const world = await load();
  await world.attests(world.ada, world.seller);
  await world.matures(world.buyer, world.ada);
  await world.revokes(world.ada, world.seller);
  return world;
}

/** Expects that the account waits for the whole maturation from now on. */
async function expectToWait(world: World, account: World["seller"]) {
  const since = await world.now();
  expect(await world.controls(account)).to.equal(false);
  await world.passes(MATURATION - 1);
  expect(await world.controls(account)).to.equal(false);
  await world.passes(1);
  expect([await world.controls(account), await world.now()]).to.deep.equal([true, since + MATURATION]);
}

describe("An attack by a newcomer fails that", () => {
  // @threat contracts: Regain control right after losing it
  it("counts at once as the DID's first controller, attested again by one issuer after a revocation", async () => {
    const w = await loadSold();
    await w.attests(w.ben, w.seller);
    await expectToWait(w, w.seller);
  });

  // @threat contracts: Regain control right after losing it
  it("has the issuer that revoked it attest it again before the maturation is over", async () => {
    const w = await loadSold();
    await w.refuses(w.attests(w.ada, w.seller), "RecentlyRevoked");
    await w.passes(MATURATION);
    await w.attests(w.ada, w.seller);
    await expectToWait(w, w.seller);
  });

  // @threat contracts: Regain control right after losing it
  it("is ousted by two issuers and reinstated by the third", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.matures(w.buyer, w.ben, w.cleo);
    await w.challenges(w.buyer, w.seller);
    await w.passes(days(7));
    await w.resolves(w.buyer, w.seller);
    expect(await w.controls(w.seller)).to.equal(false);
    await w.attests(w.ada, w.seller);
    await expectToWait(w, w.seller);
  });

  // @threat contracts: Regain control right after losing it
  it("counts at once as the DID's first controller, renewed after the grace", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller, { for: days(30) });
    await w.passes(days(30) + GRACE);
    await w.attests(w.ada, w.seller);
    await expectToWait(w, w.seller);
  });

  // @threat contracts: Mature without waiting
  it("is attested for one second, when nobody can block it, and again three days later", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.passes(days(30));
    await w.refuses(w.attests(w.ben, w.stranger, { for: 1 }), "ExpiresBeforeMaturing");
    await w.passes(days(3));
    await w.attests(w.ada, w.publisher);
    await w.attests(w.ben, w.stranger);
    expect(await w.controls(w.stranger)).to.equal(false);
    await w.blocks(w.publisher, w.stranger);
    await w.passes(days(30) - 60);
    expect(await w.controls(w.stranger)).to.equal(false);
  });

  // @threat contracts: Mature without waiting
  it("matures by an attestation too short for that", async () => {
    const w = await loadSold();
    for (const lifetime of [hours(1), MATURATION]) {
      await w.refuses(w.attests(w.ben, w.stranger, { for: lifetime }), "ExpiresBeforeMaturing");
    }
    await w.attests(w.ben, w.stranger, { for: MATURATION + 1 });
    await w.passes(MATURATION - 10);
    await w.attests(w.ben, w.stranger, { for: hours(1) });
    expect(await w.score(w.stranger)).to.equal(0);
    expect(await w.controls(w.stranger)).to.equal(false);
  });

  // @threat contracts: Mature without waiting
  it("matures earlier by a signature that is dated back", async () => {
    const w = await loadSold();
    const attestation = await w.signs(w.ben, "AttestDID", w.stranger, { datedBack: hours(23) });
    await attestation();
    await expectToWait(w, w.stranger);
  });

  // @threat contracts: Mature without waiting
  it("adds up the waits of several issuers, of which none lasts", async () => {
    const w = await loadSold();
    for (const issuer of [w.ada, w.ben, w.cleo]) {
      await w.attests(issuer, w.stranger);
      await w.passes(hours(40));
      expect(await w.controls(w.stranger)).to.equal(false);
      await w.revokes(issuer, w.stranger);
    }
  });
});
