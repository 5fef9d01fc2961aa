import { expect } from "chai";
import { Wallet } from "ethers";
import { createWorld, MATURATION, type World } from "../world.ts";

const { load } = await createWorld();

/** Fills all seats except `free` with issuers whose keys nobody has. */
async function fillSeats(world: World, free: number) {
  const taken = (await world.resolver.getIssuers()).length;
  for (let seat = taken; seat < 16 - free; seat++) {
    await world.resolver.addIssuer(Wallet.createRandom().address);
  }
}

describe("Attacks by issuers", () => {
  // @threat contracts: Change another issuer's statement
  it("an issuer can't revoke, end or shorten another issuer's attestation", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.revokes(w.ben, w.publisher);
    await w.attests(w.cleo, w.publisher, { for: MATURATION + 60 });
    await w.revokes(w.cleo, w.publisher);
    await w.passes(MATURATION + 60);
    expect([await w.controls(w.publisher), await w.score(w.publisher)]).to.deep.equal([true, 1n]);
    const [statement] = await w.resolver.getDIDAttestations(w.did, w.publisher);
    expect([statement?.issuer, statement?.endedAt]).to.deep.equal([w.ada.address, 0n]);
  });

  // @threat contracts: Gain control from a retired or removed issuer, or use up the seats
  it("a new issuer does not inherit the statements of the seat's previous issuer", async () => {
    const w = await load();
    await fillSeats(w, 1);
    await w.attests(w.ada, w.seller);
    await w.distrusts(w.ada, 0);
    await w.adds(w.newIssuer);
    expect((await w.resolver.getIssuers()).map(({ issuer }) => issuer)).not.to.include(w.ada.address);
    expect(await w.controls(w.seller)).to.equal(false);
    await w.revokes(w.newIssuer, w.seller);
    await w.attests(w.newIssuer, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(false);
  });

  // @threat contracts: Gain control from a retired or removed issuer, or use up the seats
  it("an honest issuer can be added although all other seats are taken", async () => {
    const w = await load();
    await fillSeats(w, 1);
    await w.refuses(w.adds(w.newIssuer), "NoFreeSeat");
    for (const { issuer } of await w.resolver.getIssuers()) await w.resolver.retireIssuer(issuer);
    await w.adds(w.newIssuer);
    await w.attests(w.newIssuer, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.refuses(w.adds(w.thief), "NoFreeSeat");
    await w.distrusts(w.newIssuer, 0);
    await w.adds(w.friend);
  });
});
