import { expect } from "chai";
import { createWorld, days, GRACE, hours, MATURATION } from "../world.ts";

const { load } = await createWorld();

/** A claimed DID with a publisher whose attestation by Ada expires in a month. */
async function loadLate() {
  const world = await load();
  await world.matures(world.friend, world.cleo);
  await world.attests(world.ada, world.publisher, { for: days(30) });
  const expiresAt = (await world.now()) + days(30);
  const passesUntil = async (timestamp: number) => world.passes(timestamp - (await world.now()));
  return { ...world, expiresAt, passesUntil };
}

describe("An attack on a late renewal fails that", () => {
  // @threat contracts: Use the gap before a late renewal
  it("restarts another issuer's controller: attests it, and revokes when its renewal is a second late", async () => {
    const w = await loadLate();
    await w.attests(w.ben, w.publisher);
    await w.passesUntil(w.expiresAt);
    await w.revokes(w.ben, w.publisher);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
    expect(await w.score(w.publisher)).to.equal(1);
  });

  // @threat contracts: Use the gap before a late renewal
  it("takes anything from a publisher that is late by less than the grace", async () => {
    const w = await loadLate();
    const { startedAt } = (await w.resolver.getDIDAttestations(w.did, w.publisher))[0] ?? {};
    await w.passesUntil(w.expiresAt + GRACE - 2);
    expect(await w.resistance(w.publisher)).to.equal(1);
    await w.attests(w.ada, w.publisher);
    const [renewed] = await w.resolver.getDIDAttestations(w.did, w.publisher);
    expect(renewed?.startedAt).to.equal(startedAt);
    expect([await w.controls(w.publisher), await w.score(w.publisher)]).to.deep.equal([true, 1n]);
  });

  // @threat contracts: Use the gap before a late renewal
  it("counts again without waiting, from the end of the grace on", async () => {
    const w = await loadLate();
    await w.nextAt(w.expiresAt + GRACE);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(false);
  });

  // @threat contracts: Use the gap before a late renewal
  it("keeps its weight for longer than two days after the grace", async () => {
    const w = await loadLate();
    await w.passesUntil(w.expiresAt + GRACE - 1);
    expect(await w.resistance(w.publisher)).to.equal(1);
    await w.passes(1);
    expect(await w.resistance(w.publisher)).to.equal(0);
  });

  // @threat contracts: Use the gap before a late renewal
  it("has the score of the honest issuers begin anew by their renewals", async () => {
    const w = await loadLate();
    await w.attests(w.ben, w.publisher);
    await w.passes(MATURATION);
    for (let week = 0; week < 10; week++) {
      await w.attests(w.ada, w.publisher);
      await w.attests(w.ben, w.publisher);
      expect(await w.score(w.publisher)).to.equal(2);
      await w.passes(days(7));
    }
  });

  // @threat contracts: Use the gap before a late renewal
  it("shortens an attestation by renewing it", async () => {
    const w = await loadLate();
    await w.attests(w.ada, w.publisher, { for: hours(1) });
    await w.passes(days(28));
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Use the gap before a late renewal
  it("revives by a renewal what was revoked, or ousted, within the grace", async () => {
    const w = await loadLate();
    await w.passesUntil(w.expiresAt + days(1));
    await w.revokes(w.ada, w.publisher);
    await w.passes(MATURATION);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(false);
  });

  // @threat contracts: Use the gap before a late renewal
  it("stops a controller of two issuers, under an overruled block, while one of them is a second overdue", async () => {
    const w = await loadLate();
    await w.attests(w.ben, w.publisher);
    // The publisher is a newcomer to the friend until both have matured.
    await w.blocks(w.friend, w.publisher);
    await w.passes(days(10));
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.passesUntil(w.expiresAt);
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Use the gap before a late renewal
  it("is taken for overdue when it never matured", async () => {
    const w = await loadLate();
    await w.refuses(w.attests(w.ben, w.stranger, { for: hours(47) }), "ExpiresBeforeMaturing");
    await w.attests(w.ben, w.stranger);
    await w.passes(hours(47));
    await w.revokes(w.ben, w.stranger);
    expect(await w.isInCharge(w.stranger)).to.equal(false);
    await w.blocks(w.friend, w.stranger);
    await w.passes(MATURATION);
    await w.attests(w.ben, w.stranger);
    await w.passes(MATURATION);
    expect(await w.controls(w.stranger)).to.equal(false);
  });
});
