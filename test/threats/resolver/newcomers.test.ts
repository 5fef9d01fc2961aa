import { expect } from "chai";
import { createWorld, days, GRACE, hours, MATURATION, type World } from "../world.ts";

const { load } = await createWorld();

/** Creates a DID whose first controller was a seller and which the buyer of the domain controls now. */
async function loadSold() {
  const world = await load();
  await world.attests(world.ada, world.seller);
  await world.matures(world.buyer, world.ada);
  await world.revokes(world.ada, world.seller);
  return world;
}

/** Expects that the account gains control exactly one maturation from now. */
async function expectToWait(world: World, account: World["seller"]) {
  const since = await world.now();
  expect(await world.controls(account)).to.equal(false);
  await world.passes(MATURATION - 1);
  expect(await world.controls(account)).to.equal(false);
  await world.passes(1);
  expect([await world.controls(account), await world.now()]).to.deep.equal([true, since + MATURATION]);
}

describe("Attacks by accounts waiting for control", () => {
  // @threat contracts: Gain or regain control before the attestation matures
  it("a revoked first controller has to mature again if another issuer attests it", async () => {
    const w = await loadSold();
    await w.attests(w.ben, w.seller);
    await expectToWait(w, w.seller);
  });

  // @threat contracts: Gain or regain control before the attestation matures
  it("a first controller that is renewed after the grace has to mature again", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller, { for: days(30) });
    await w.passes(days(30) + GRACE);
    await w.attests(w.ada, w.seller);
    await expectToWait(w, w.seller);
  });

  // @threat contracts: Gain or regain control before the attestation matures
  it("an attestation of one second while nobody can block gives no advantage later", async () => {
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

  // @threat contracts: Gain or regain control before the attestation matures
  it("a signature that is dated back does not mature earlier", async () => {
    const w = await loadSold();
    const attestation = await w.signs(w.ben, "AttestDID", w.stranger, { datedBack: hours(23) });
    await attestation();
    await expectToWait(w, w.stranger);
  });

  // @threat contracts: Gain or regain control before the attestation matures
  it("waiting periods of several issuers do not add up", async () => {
    const w = await loadSold();
    for (const issuer of [w.ada, w.ben, w.cleo]) {
      await w.attests(issuer, w.stranger);
      await w.passes(hours(40));
      expect(await w.controls(w.stranger)).to.equal(false);
      await w.revokes(issuer, w.stranger);
    }
  });
});
