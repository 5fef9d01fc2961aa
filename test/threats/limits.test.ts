import { expect } from "chai";
import { CHALLENGE_PERIOD, createWorld, days, GRACE, MATURATION } from "./world.ts";

const { load } = await createWorld();

describe("Accepted attacks", () => {
  // @threat contracts: Accepted: two issuers that both err, and a co-controller after a mistaken revocation
  it("two issuers can remove a publisher with one issuer by a challenge, despite its block", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.attests(w.ben, w.stranger);
    await w.attests(w.cleo, w.stranger);
    await w.blocks(w.publisher, w.stranger);
    await w.passes(MATURATION);
    await w.challenges(w.stranger, w.publisher);
    await w.passes(CHALLENGE_PERIOD);
    await w.resolves(w.stranger, w.publisher);
    expect([await w.controls(w.publisher), await w.controls(w.stranger)]).to.deep.equal([false, true]);
  });

  // @threat contracts: Accepted: two issuers that both err, and a co-controller after a mistaken revocation
  it("a co-controller can block a publisher after a mistaken revocation, and reclaim its record", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.mints(w.publisher);
    await w.matures(w.partner, w.ben);
    await w.revokes(w.ada, w.publisher);
    await w.passes(GRACE);
    await w.attests(w.ada, w.publisher);
    await w.blocks(w.partner, w.publisher);
    await w.opensReclaim(w.partner);
    await w.passes(days(29));
    await w.blocks(w.partner, w.publisher);
    await w.passes(days(1));
    await w.finishesReclaim(w.partner);
    expect(await w.registry.ownerOf(1)).to.equal(w.partner.address);
  });
});
