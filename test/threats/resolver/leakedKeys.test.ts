import { expect } from "chai";
import { createWorld, days, hours, MATURATION } from "../world.ts";

const { load } = await createWorld();

/** Lets Ada attest a publisher. Three weeks later, Ada's key leaks. */
async function loadTheft() {
  const world = await load();
  await world.attests(world.ada, world.publisher);
  await world.passes(days(20));
  const stolenAt = (await world.now()) + 1;
  await world.nextAt(stolenAt);
  return { ...world, stolenAt };
}

describe("Attacks with a leaked issuer key", () => {
  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("an account attested with a leaked key can't mint the next major version", async () => {
    const w = await loadTheft();
    await w.attests(w.ada, w.thief);
    await w.refuses(w.mints(w.thief, [2, 0, 0]), "NotController");
    await w.blocks(w.publisher, w.thief);
    await w.passes(MATURATION);
    await w.refuses(w.mints(w.thief, [2, 0, 0]), "NotController");
  });

  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("an account attested with a leaked key has to wait if an honest issuer attests it months later", async () => {
    const w = await loadTheft();
    await w.attests(w.ben, w.publisher);
    await w.attests(w.ada, w.stranger);
    await w.distrusts(w.ada, w.stolenAt);
    await w.passes(days(300));
    await w.attests(w.ben, w.stranger);
    expect(await w.controls(w.stranger)).to.equal(false);
    await w.passes(MATURATION - 1);
    expect(await w.controls(w.stranger)).to.equal(false);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("short renewals with a leaked key do not shorten honest attestations", async () => {
    const w = await loadTheft();
    await w.attests(w.ada, w.publisher, { for: 1 });
    await w.passes(days(1));
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.distrusts(w.ada, w.stolenAt);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("revocations with a leaked key are undone by distrust since the theft", async () => {
    const w = await loadTheft();
    await w.revokes(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(false);
    await w.passes(hours(40));
    await w.distrusts(w.ada, w.stolenAt);
    expect(await w.controls(w.publisher)).to.equal(true);
    expect(await w.resistance(w.publisher)).to.equal(1);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("a leaked key can't replace runs by revoking and attesting again before the maturation", async () => {
    const w = await loadTheft();
    await w.revokes(w.ada, w.publisher);
    await w.refuses(w.attests(w.ada, w.publisher), "RecentlyRevoked");
    await w.nextAt(w.stolenAt + MATURATION - 1);
    await w.refuses(w.attests(w.ada, w.publisher), "RecentlyRevoked");
    await w.distrusts(w.ada, w.stolenAt);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("an attestation with a leaked key that is dated back before the theft is void after the distrust", async () => {
    const w = await loadTheft();
    const attestation = await w.signs(w.ada, "AttestDID", w.thief, { datedBack: hours(23) });
    await w.passes(60);
    await attestation();
    await w.distrusts(w.ada, w.stolenAt);
    await w.passes(MATURATION);
    expect(await w.controls(w.thief)).to.equal(false);
    expect(await w.score(w.thief)).to.equal(0);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("a long renewal with a leaked key expires 23 days after the distrust, even if it is dated back", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller, { for: days(40) });
    await w.passes(days(20));
    const stolenAt = await w.now();
    const renewal = await w.signs(w.ada, "AttestDID", w.seller, { datedBack: hours(24) - 60 });
    await w.passes(30);
    await renewal();
    await w.distrusts(w.ada, stolenAt);
    const distrustedAt = await w.now();
    const [attestation] = await w.resolver.getDIDAttestations(w.did, w.seller);
    expect(attestation?.expiresAt).to.equal(distrustedAt + days(23));
  });

  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("distrust can be moved to an earlier theft, and never to a later one", async () => {
    const w = await loadTheft();
    await w.attests(w.ada, w.thief);
    await w.passes(days(1));
    const noticedAt = await w.now();
    await w.distrusts(w.ada, noticedAt);
    await w.passes(MATURATION);
    await w.blocks(w.publisher, w.stranger);
    expect(await w.controls(w.thief)).to.equal(true);
    await w.distrusts(w.ada, w.stolenAt);
    expect(await w.controls(w.thief)).to.equal(false);
    expect(await w.controls(w.publisher)).to.equal(true);
    await w.refuses(w.distrusts(w.ada, noticedAt), "InvalidDistrust");
    await w.refuses(w.distrusts(w.ada, w.stolenAt), "InvalidDistrust");
  });

  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("a distrusted key can't attest or revoke, directly or by earlier signatures", async () => {
    const w = await loadTheft();
    const attestation = await w.signs(w.ada, "AttestDID", w.thief);
    const revocation = await w.signs(w.ada, "RevokeDID", w.publisher);
    await w.distrusts(w.ada, w.stolenAt);
    await w.refuses(w.attests(w.ada, w.thief), "NotIssuer");
    await w.refuses(w.revokes(w.ada, w.publisher), "NotIssuer");
    await w.refuses(attestation(), "NotIssuer");
    await w.refuses(revocation(), "NotIssuer");
  });

  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("a challenge is not won against an incumbent that a leaked key revoked", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.matures(w.partner, w.ben);
    await w.challenges(w.partner, w.publisher);
    await w.passes(days(6));
    const stolenAt = await w.now();
    await w.revokes(w.ada, w.publisher);
    await w.passes(hours(47));
    await w.refuses(w.resolves(w.partner, w.publisher), "ChallengeNotWon");
    await w.distrusts(w.ada, stolenAt);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("a co-controller's block on a publisher that a leaked key revoked has no effect after the distrust", async () => {
    const w = await loadTheft();
    await w.matures(w.partner, w.ben);
    const revokedAt = await w.soon();
    await w.revokes(w.ada, w.publisher);
    await w.blocks(w.partner, w.publisher);
    await w.distrusts(w.ada, revokedAt);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("a block by a seller that a leaked key renewed ends after 30 days", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller, { for: days(30) });
    await w.passes(days(30));
    await w.attests(w.ben, w.buyer);
    const stolenAt = await w.soon();
    await w.attests(w.ada, w.seller);
    await w.blocks(w.seller, w.buyer);
    await w.distrusts(w.ada, stolenAt);
    await w.ends(w.ada, w.seller);
    await w.refuses(w.blocks(w.seller, w.buyer), "NotInCharge");
    await w.passes(days(30));
    expect(await w.controls(w.buyer)).to.equal(true);
  });

  // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
  it("revocations or short renewals with a leaked key do not end honest attestations of documents", async () => {
    const w = await load();
    for (const document of ["{}", "[]"]) await w.attestsDocument(w.ada, document);
    await w.passes(days(20));
    const stolenAt = await w.now();
    await w.revokesDocument(w.ada, "{}");
    await w.attestsDocument(w.ada, "[]", { for: 1 });
    await w.attestsDocument(w.ada, "forged");
    await w.distrusts(w.ada, stolenAt);
    expect([await w.isAttested("{}"), await w.isAttested("[]")]).to.deep.equal([true, true]);
    expect(await w.isAttested("forged")).to.equal(false);
  });
});
