import { expect } from "chai";
import { createWorld, days, MATURATION } from "./world.ts";

const { load } = await createWorld();

describe("The rules do not prevent that", () => {
  it("two issuers oust a publisher of one in two days, though it objects, under the shortest challenge period", async () => {
    const w = await load();
    await w.resolver.setChallengePeriod(days(2));
    await w.settles(w.publisher, w.ada);
    await w.attests(w.ben, w.stranger);
    await w.attests(w.cleo, w.stranger);
    await w.challenges(w.stranger, w.publisher);
    await w.objects(w.publisher, w.stranger);
    await w.passes(days(2));
    await w.resolves(w.stranger, w.publisher);
    expect(await w.counts(w.publisher)).to.equal(false);
  });

  it("four co-controllers fill the places of the objections, and withdraw once the stranger has settled", async () => {
    const w = await load();
    await w.settles(w.publisher, w.ada);
    const four = [w.partner, w.friend, w.thief, w.sleeper];
    for (const one of four) await w.attests(w.ben, one);
    await w.passes(MATURATION);
    await w.attests(w.cleo, w.stranger);
    for (const one of four) await w.objects(one, w.stranger);
    await w.refuses(w.objects(w.publisher, w.stranger), "TooManyObjections");
    await w.passes(MATURATION);
    for (const one of four) await w.withdraws(one, w.stranger);
    expect(await w.counts(w.stranger)).to.equal(true);
  });
});
