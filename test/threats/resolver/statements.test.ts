import { expect } from "chai";
import { concat, Signature, toBeHex, ZeroAddress } from "ethers";
import { createWorld, days, hours } from "../world.ts";

const { load } = await createWorld();

/** Group order of secp256k1. Only the lower one of `s` and `n - s` is valid in a signature. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe("Attacks by statements", () => {
  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a signature of the zero address is refused", async () => {
    const w = await load();
    const forged = { issuer: ZeroAddress, statedAt: await w.now(), deadline: (await w.now()) + hours(1) };
    const submission = await w.signs(w.ada, "AttestDID", w.thief);
    await w.refuses(submission({ ...forged, signature: `0x${"00".repeat(65)}` }), "NotIssuer");
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a signature for an issuer with another key or with zeros is refused", async () => {
    const w = await load();
    const submission = await w.signs(w.thief, "AttestDID", w.thief, { changes: { issuer: w.ada.address } });
    await w.refuses(submission(), "InvalidSignature");
    const forged = { issuer: w.ada.address, statedAt: await w.now(), deadline: (await w.now()) + hours(1) };
    await w.refuses(submission({ ...forged, signature: `0x${"00".repeat(65)}` }), "InvalidSignature");
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("the malleable variant of a signature is refused", async () => {
    const w = await load();
    const submission = await w.signs(w.ada, "AttestDID", w.seller);
    const { data } = await submission();
    const call = w.resolver.interface.decodeFunctionData("attestDIDBySignature", data);
    const [issuer, statedAt, deadline, signature] = call[1];
    const { r, s, yParity } = Signature.from(signature);
    const twin = concat([r, toBeHex(GROUP_ORDER - BigInt(s), 32), yParity === 0 ? "0x1c" : "0x1b"]);
    await w.revokes(w.ada, w.seller);
    await w.refuses(submission({ issuer, statedAt, deadline, signature: twin }), "InvalidSignature");
  });

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
  it("a signature for another chain or contract is refused", async () => {
    const w = await load();
    for (const elsewhere of [{ chainId: 1 }, { verifyingContract: w.stranger.address }]) {
      const submission = await w.signs(w.ada, "AttestDID", w.seller, elsewhere);
      await w.refuses(submission(), "InvalidSignature");
    }
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a signature from the future, from before its issuer was added, or after its deadline is refused", async () => {
    const w = await load();
    const future = await w.signs(w.ada, "AttestDID", w.seller, { datedBack: -hours(1) });
    await w.refuses(future(), "InvalidStatedAt");
    await w.adds(w.newIssuer);
    const early = await w.signs(w.newIssuer, "AttestDID", w.seller, { datedBack: 60 });
    await w.refuses(early(), "InvalidStatedAt");
    const stale = await w.signs(w.ada, "AttestDID", w.seller);
    await w.passes(days(1));
    await w.refuses(stale(), "SignatureExpired");
    const deadline = (await w.now()) + days(2);
    const long = await w.signs(w.ada, "AttestDID", w.seller, { changes: { deadline } });
    await w.refuses(long(), "InvalidDeadline");
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
  it("an attestation signed before a revocation does not undo it", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    await w.passes(60);
    const renewal = await w.signs(w.ada, "AttestDID", w.seller);
    await w.passes(60);
    await w.revokes(w.ada, w.seller);
    await w.passes(60);
    await w.refuses(renewal(), "StaleStatement");
    expect(await w.controls(w.seller)).to.equal(false);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("a signature that its issuer withdrew before its submission is refused", async () => {
    const w = await load();
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    await w.revokes(w.ada, w.seller);
    await w.refuses(attestation(), "StaleStatement");
    expect(await w.controls(w.seller)).to.equal(false);
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

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("an attestation with expiresAt 0 ends after the longest lifetime", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    const attestedAt = await w.now();
    const [attestation] = await w.resolver.getDIDAttestations(w.did, w.seller);
    expect(attestation?.expiresAt).to.equal(attestedAt + days(365));
    await w.refuses(w.attests(w.ada, w.seller, { for: days(365) + 1 }), "ExpiresTooLate");
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("an attestation until a time that is past or now is refused", async () => {
    const w = await load();
    for (const lifetime of [-1, 0]) {
      await w.nextAt(await w.soon());
      await w.refuses(w.attests(w.ada, w.seller, { for: lifetime }), "ExpiresInPast");
    }
  });
});
