import { expect } from "chai";
import { createWorld, days, GRACE, hours, MATURATION, type World } from "../world.ts";

const { load } = await createWorld();

/** A DID whose first controller was the seller; the buyer, who bought the domain, counts. */
async function loadSold() {
  const world = await load();
  await world.attests(world.ada, world.seller);
  await world.settles(world.buyer, world.ada);
  await world.revokes(world.ada, world.seller);
  return world;
}

/** Expects that the account waits for the whole maturation from now on. */
async function expectToWait(world: World, account: World["seller"]) {
  const since = await world.now();
  expect(await world.counts(account)).to.equal(false);
  await world.passes(MATURATION - 1);
  expect(await world.counts(account)).to.equal(false);
  await world.passes(1);
  expect([await world.counts(account), await world.now()]).to.deep.equal([true, since + MATURATION]);
}

describe("An attack by a newcomer fails that", () => {
  it("counts at once as the DID's first controller, attested again by one issuer after a revocation", async () => {
    const w = await loadSold();
    await w.attests(w.ben, w.seller);
    await expectToWait(w, w.seller);
  });

  it("has the issuer that revoked it attest it again before the maturation is over", async () => {
    const w = await loadSold();
    await w.refuses(w.attests(w.ada, w.seller), "RecentlyRevoked");
    await w.passes(MATURATION);
    await w.attests(w.ada, w.seller);
    await expectToWait(w, w.seller);
  });

  it("is ousted by two issuers and reinstated by the third", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.settles(w.buyer, w.ben, w.cleo);
    await w.challenges(w.buyer, w.seller);
    await w.passes(days(7));
    await w.resolves(w.buyer, w.seller);
    expect(await w.counts(w.seller)).to.equal(false);
    await w.attests(w.ada, w.seller);
    await expectToWait(w, w.seller);
  });

  it("counts at once as the DID's first controller, renewed after the grace", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller, { for: days(30) });
    await w.passes(days(30) + GRACE);
    await w.attests(w.ada, w.seller);
    await expectToWait(w, w.seller);
  });

  it("is attested for one second, when nobody can object, and again three days later", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.passes(days(30));
    await w.attests(w.ben, w.stranger, { for: 1 });
    await w.passes(days(3));
    await w.attests(w.ada, w.publisher);
    await w.attests(w.ben, w.stranger);
    expect(await w.counts(w.stranger)).to.equal(false);
    await w.objects(w.publisher, w.stranger);
    await w.passes(days(365) - 60);
    expect(await w.counts(w.stranger)).to.equal(false);
  });

  it("settles by an attestation too short for that, however often it is renewed", async () => {
    const w = await loadSold();
    await w.attests(w.ben, w.stranger, { for: hours(1) });
    for (let hour = 0; hour < 60; hour++) {
      await w.passes(hours(1) - 10);
      await w.attests(w.ben, w.stranger, { for: hours(1) });
    }
    expect(await w.counts(w.stranger)).to.equal(false);
    expect(await w.score(w.stranger)).to.equal(0);
  });

  it("settles earlier by a signature that is dated back", async () => {
    const w = await loadSold();
    const attestation = await w.signs(w.ben, "AttestDID", w.stranger, { datedBack: hours(23) });
    await attestation();
    await expectToWait(w, w.stranger);
  });

  it("adds up the waits of several issuers, of which none lasts", async () => {
    const w = await loadSold();
    for (const issuer of [w.ada, w.ben, w.cleo, w.ada, w.ben, w.cleo]) {
      await w.attests(issuer, w.stranger, { for: hours(20) });
      await w.passes(hours(18));
    }
    expect(await w.counts(w.stranger)).to.equal(false);
  });

  describe("and uses a vouch", () => {
    it("of its own, of another newcomer, or of one who lost the DID", async () => {
      const w = await loadSold();
      await w.attests(w.ben, w.stranger);
      await w.attests(w.ben, w.thief);
      await w.refuses(w.vouches(w.stranger, w.stranger), "SelfReference");
      await w.refuses(w.vouches(w.thief, w.stranger), "NotController");
      await w.refuses(w.vouches(w.seller, w.stranger), "NotController");
    });

    it("for an attestation that another issuer writes later, or for a later run", async () => {
      const w = await loadSold();
      await w.attests(w.ben, w.friend, { for: hours(1) });
      await w.vouches(w.buyer, w.friend);
      expect(await w.counts(w.friend)).to.equal(true);
      await w.attests(w.cleo, w.friend);
      await w.passes(hours(1));
      expect(await w.counts(w.friend)).to.equal(false);
      await w.attests(w.ben, w.friend);
      expect(await w.counts(w.friend)).to.equal(false);
    });

    it("to have a score or a standing without waiting", async () => {
      const w = await loadSold();
      await w.attests(w.ben, w.friend);
      await w.vouches(w.buyer, w.friend);
      expect([await w.score(w.friend), await w.standing(w.friend)]).to.deep.equal([0n, 0n]);
    });

    it("given before there was anything to vouch for", async () => {
      const w = await loadSold();
      await w.refuses(w.vouches(w.buyer, w.friend), "NotAttested");
    });

    it("that ends with its voucher: it does not, so losing a voucher takes nobody down", async () => {
      const w = await loadSold();
      await w.attests(w.ada, w.friend);
      await w.vouches(w.buyer, w.friend);
      await w.revokes(w.ada, w.buyer);
      expect(await w.counts(w.friend)).to.equal(true);
    });
  });
});
