import { expect } from "chai";
import { CHALLENGE_PERIOD, createWorld, days, GRACE, hours, MATURATION } from "../world.ts";

const { load } = await createWorld();

describe("Account attested by a rogue issuer and blocked in time", () => {
  /** Ada attests the publisher, and the rogue issuer Cleo the sleeper. `holdsFor` extends the block for months. */
  async function loadBlocked() {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.attests(w.cleo, w.sleeper);
    await w.blocks(w.publisher, w.sleeper);
    const holdsFor = async (months: number, by = w.publisher) => {
      for (let month = 0; month < months; month++) {
        await w.passes(days(20));
        expect(await w.controls(w.sleeper)).to.equal(false);
        await w.blocks(by, w.sleeper);
        await w.attests(w.cleo, w.sleeper);
        expect(await w.controls(w.sleeper)).to.equal(false);
      }
    };
    return { ...w, holdsFor };
  }

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("a blocked account gains no control while the block is extended, even if it is renewed", async () => {
    const { holdsFor } = await loadBlocked();
    await holdsFor(6);
  });

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("a blocked account gains no control when the publisher moves to another wallet", async () => {
    const w = await loadBlocked();
    const wallet = w.friend;
    await w.matures(wallet, w.ada);
    await w.revokes(w.ada, w.publisher);
    await w.refuses(w.blocks(w.sleeper, wallet), "NotInCharge");
    await w.holdsFor(3, wallet);
  });

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("a blocked account gains no control when the publisher sells the service", async () => {
    const w = await loadBlocked();
    await w.matures(w.buyer, w.ben);
    await w.revokes(w.ada, w.publisher);
    await w.blocks(w.buyer, w.sleeper);
    await w.passes(GRACE);
    await w.holdsFor(3, w.buyer);
  });

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("a blocked account gains no control when the publisher's issuer rotates its key", async () => {
    const w = await loadBlocked();
    await w.adds(w.newIssuer);
    await w.attests(w.newIssuer, w.publisher);
    await w.retires(w.ada);
    await w.holdsFor(3);
  });

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("a blocked account gains no control when the publisher's issuer is distrusted from the beginning", async () => {
    const w = await loadBlocked();
    await w.attests(w.ben, w.publisher);
    await w.passes(MATURATION);
    await w.distrusts(w.ada, 0);
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.holdsFor(3);
  });

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("a blocked account gains no control when a leaked key revokes the publisher until the distrust", async () => {
    const w = await loadBlocked();
    const stolenAt = await w.soon();
    await w.revokes(w.ada, w.publisher);
    await w.attests(w.ada, w.sleeper);
    await w.refuses(w.blocks(w.publisher, w.sleeper), "NotInCharge");
    await w.passes(hours(47));
    expect(await w.controls(w.sleeper)).to.equal(false);
    await w.distrusts(w.ada, stolenAt);
    await w.holdsFor(3);
  });

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("a blocked account gains no control when a thief tries to end the block", async () => {
    const w = await loadBlocked();
    await w.attests(w.ada, w.thief);
    await w.passes(hours(47));
    await w.refuses(w.unblocksAs(w.thief), "NotInCharge");
    await w.holdsFor(1);
  });
});

describe("Account that more issuers attest than its block weighs", () => {
  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it("gains control only by runs that matured a challenge period ago and outlast it", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.attests(w.ben, w.sleeper);
    await w.attests(w.cleo, w.sleeper, { for: MATURATION + CHALLENGE_PERIOD });
    await w.blocks(w.publisher, w.sleeper);
    await w.passes(MATURATION + CHALLENGE_PERIOD);
    expect(await w.controls(w.sleeper)).to.equal(false);
    await w.attests(w.cleo, w.sleeper);
    expect(await w.controls(w.sleeper)).to.equal(true);
  });
});

describe("Thief that has an issuer's key for less than the maturation", () => {
  // @threat contracts: Block longer, earlier or wider than allowed
  it("accounts attested with a stolen key can't block, unblock, challenge or reclaim in time", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.mints(w.publisher);
    await w.attests(w.ben, w.sleeper);
    await w.blocks(w.publisher, w.sleeper);
    const stolenAt = (await w.now()) + 1;
    await w.revokes(w.ada, w.publisher);
    for (const account of [w.thief, w.sleeper]) await w.attests(w.ada, account);
    for (let hour = 0; hour < 45; hour += 9) {
      await w.passes(hours(9));
      await w.refuses(w.blocks(w.thief, w.friend), "NotInCharge");
      await w.refuses(w.unblocksAs(w.thief), "NotInCharge");
      await w.refuses(w.challenges(w.thief, w.publisher), "NotAttested");
      await w.refuses(w.opensReclaim(w.thief), "NotController");
      expect(await w.controls(w.sleeper)).to.equal(false);
    }
    await w.distrusts(w.ada, stolenAt);
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.passes(MATURATION);
    for (const account of [w.thief, w.sleeper]) expect(await w.controls(account)).to.equal(false);
  });
});
