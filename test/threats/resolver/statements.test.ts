import { expect } from "chai";
import { createWorld, days } from "../world.ts";

const { load } = await createWorld();

describe("Attacks by statements", () => {
  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a signature can't be replayed after a revocation", async () => {
    const w = await load();
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    await attestation();
    await w.revokes(w.ada, w.seller);
    await w.refuses(attestation(), "StaleStatement");
    expect(await w.controls(w.seller)).to.equal(false);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a revocation signed before an attestation does not revoke it", async () => {
    const w = await load();
    const revocation = await w.signs(w.ada, "RevokeDID", w.seller);
    await w.passes(60);
    await w.attests(w.ada, w.seller);
    await w.refuses(revocation(), "StaleStatement");
    expect(await w.controls(w.seller)).to.equal(true);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("an older signature does not shorten a newer attestation", async () => {
    const w = await load();
    const short = await w.signs(w.ada, "AttestDID", w.seller, { for: days(1) });
    await w.passes(60);
    await w.attests(w.ada, w.seller);
    await short();
    await w.passes(days(2));
    expect(await w.controls(w.seller)).to.equal(true);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a signature can be submitted twice, so that submitting it early does not break a bundle", async () => {
    const w = await load();
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    await attestation();
    const [before] = await w.resolver.getDIDAttestations(w.did, w.seller);
    await attestation();
    expect(await w.resolver.getDIDAttestations(w.did, w.seller)).to.deep.equal([before]);
    const revocation = await w.signs(w.ada, "RevokeDID", w.seller);
    await revocation();
    await revocation();
    expect(await w.controls(w.seller)).to.equal(false);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a batch does not revert if one of its statements was submitted before", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.attests(w.ada, w.friend);
    const revocation = await w.signs(w.ada, "RevokeDID", w.seller);
    await revocation();
    await w.inBatch(w.ada, "revokeDIDBatch", w.seller, w.friend);
    expect((await w.resolver.getController(w.did, w.friend)).attested).to.equal(false);
    await w.passes(60);
    await w.inBatch(w.ada, "attestDIDBatch", w.seller, w.stranger);
    expect((await w.resolver.getController(w.did, w.stranger)).attested).to.equal(true);
    expect((await w.resolver.getController(w.did, w.seller)).attested).to.equal(false);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a signed attestation does not win against a signed revocation of the same second", async () => {
    const w = await load();
    await w.attests(w.ada, w.friend);
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    const revocation = await w.signs(w.ada, "RevokeDID", w.seller);
    await attestation();
    await revocation();
    await w.refuses(attestation(), "StaleStatement");
    expect((await w.resolver.getController(w.did, w.seller)).attested).to.equal(false);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a revocation does not claim a DID", async () => {
    const w = await load();
    await w.revokes(w.cleo, w.thief);
    expect(await w.resolver.claimedAt(w.did)).to.equal(0);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
  });
});
