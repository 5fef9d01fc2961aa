import { expect } from "chai";
import { createWorld, days, GRACE, MATURATION } from "../world.ts";

const { load } = await createWorld();

/** Creates a claimed DID with a publisher whose attestation by Ada expires in a month. */
async function loadLate() {
  const world = await load();
  await world.matures(world.friend, world.cleo);
  await world.attests(world.ada, world.publisher, { for: days(30) });
  const expiresAt = (await world.now()) + days(30);
  const passesUntil = async (timestamp: number) => world.passes(timestamp - (await world.now()));
  return { ...world, expiresAt, passesUntil };
}

describe("Attacks on overdue renewals", () => {
  // @threat contracts: Use the gap before a late renewal
  it("an issuer can't restart another issuer's overdue run by attesting and revoking the account", async () => {
    const w = await loadLate();
    await w.attests(w.ben, w.publisher);
    await w.passesUntil(w.expiresAt);
    await w.revokes(w.ben, w.publisher);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
    expect(await w.score(w.publisher)).to.equal(1);
  });

  // @threat contracts: Use the gap before a late renewal
  it("a publisher that is renewed within the grace keeps its run, control and score", async () => {
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
  it("a renewal does not restore a run that was revoked in the grace", async () => {
    const w = await loadLate();
    await w.passesUntil(w.expiresAt + days(1));
    await w.revokes(w.ada, w.publisher);
    await w.passes(MATURATION);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(false);
  });

  // @threat contracts: Use the gap before a late renewal
  it("an outweighed block does not apply again while one of two renewals is overdue", async () => {
    const w = await loadLate();
    await w.attests(w.ben, w.publisher);
    // The friend can block the publisher until the publisher's first run has matured.
    await w.blocks(w.friend, w.publisher);
    await w.passes(days(10));
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.passesUntil(w.expiresAt);
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
  });
});
