import { expect } from "chai";
import { concat, Signature, toBeHex, ZeroAddress } from "ethers";
import { createWorld, days, hours } from "../world.ts";

const { load } = await createWorld();

/** Order of secp256k1: of s and its negative only the lower one is taken. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe("An attack by a statement fails that", () => {
  // @threat contracts: Use an invalid, replayed or untimely signature
  it("signs as nobody, by the zero signer", async () => {
    const w = await load();
    const forged = { issuer: ZeroAddress, statedAt: await w.now(), deadline: (await w.now()) + hours(1) };
    const submission = await w.signs(w.ada, "AttestDID", w.thief);
    await w.refuses(submission({ ...forged, signature: `0x${"00".repeat(65)}` }), "NotIssuer");
  });

  // @threat contracts: Use an invalid, replayed or untimely signature
  it("signs as an issuer without its key, by zeros or by another key", async () => {
    const w = await load();
    const submission = await w.signs(w.thief, "AttestDID", w.thief, { changes: { issuer: w.ada.address } });
    await w.refuses(submission(), "InvalidSignature");
    const forged = { issuer: w.ada.address, statedAt: await w.now(), deadline: (await w.now()) + hours(1) };
    await w.refuses(submission({ ...forged, signature: `0x${"00".repeat(65)}` }), "InvalidSignature");
  });

  // @threat contracts: Use an invalid, replayed or untimely signature
  it("uses the malleable twin of a signature", async () => {
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

  // @threat contracts: Use an invalid, replayed or untimely signature
  it("replays a signature", async () => {
    const w = await load();
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    await attestation();
    await w.revokes(w.ada, w.seller);
    await w.refuses(attestation(), "StaleStatement");
    expect(await w.controls(w.seller)).to.equal(false);
  });

  // @threat contracts: Use an invalid, replayed or untimely signature
  it("uses a signature for another chain or another contract", async () => {
    const w = await load();
    for (const elsewhere of [{ chainId: 1 }, { verifyingContract: w.stranger.address }]) {
      const submission = await w.signs(w.ada, "AttestDID", w.seller, elsewhere);
      await w.refuses(submission(), "InvalidSignature");
    }
  });

  // @threat contracts: Use an invalid, replayed or untimely signature
  it("uses a signature from the future, from before its issuer was added, or after its deadline", async () => {
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

  // @threat contracts: Submit statements out of order
  it("revokes an attestation by a revocation that was signed before it", async () => {
    const w = await load();
    const revocation = await w.signs(w.ada, "RevokeDID", w.seller);
    await w.passes(60);
    await w.attests(w.ada, w.seller);
    await w.refuses(revocation(), "StaleStatement");
    expect(await w.controls(w.seller)).to.equal(true);
  });

  // @threat contracts: Submit statements out of order
  it("revives by an older signature what was revoked since", async () => {
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

  // @threat contracts: Submit statements out of order
  it("uses a signature that its issuer withdrew before anybody submitted it", async () => {
    const w = await load();
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    await w.revokes(w.ada, w.seller);
    await w.refuses(attestation(), "StaleStatement");
    expect(await w.controls(w.seller)).to.equal(false);
  });

  // @threat contracts: Submit statements out of order
  it("shortens a newer attestation by an older signature", async () => {
    const w = await load();
    const short = await w.signs(w.ada, "AttestDID", w.seller, { for: days(1) });
    await w.passes(60);
    await w.attests(w.ada, w.seller);
    await short();
    await w.passes(days(2));
    expect(await w.controls(w.seller)).to.equal(true);
  });

  // @threat contracts: Submit statements out of order
  it("breaks a bundle by submitting the signature in it first", async () => {
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

  // @threat contracts: Submit statements out of order
  it("makes an issuer's whole batch revert by submitting one of its revocations first", async () => {
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

  // @threat contracts: Submit statements out of order
  it("wins against a revocation of the same second", async () => {
    const w = await load();
    await w.attests(w.ada, w.friend);
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    const revocation = await w.signs(w.ada, "RevokeDID", w.seller);
    await attestation();
    await revocation();
    await w.refuses(attestation(), "StaleStatement");
    expect((await w.resolver.getController(w.did, w.seller)).attested).to.equal(false);
  });

  // @threat contracts: Submit statements out of order
  it("claims a DID by a revocation, so that its first controller waits", async () => {
    const w = await load();
    await w.revokes(w.cleo, w.thief);
    expect(await w.resolver.claimedAt(w.did)).to.equal(0);
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Attest with `expiresAt` 0, past or now
  it("attests without end by expiresAt 0: it stands for the longest lifetime", async () => {
    const w = await load();
    await w.attests(w.ada, w.seller);
    const attestedAt = await w.now();
    const [attestation] = await w.resolver.getDIDAttestations(w.did, w.seller);
    expect(attestation?.expiresAt).to.equal(attestedAt + days(365));
    await w.refuses(w.attests(w.ada, w.seller, { for: days(365) + 1 }), "ExpiresTooLate");
  });

  // @threat contracts: Attest with `expiresAt` 0, past or now
  it("attests until a time that is past or exactly now", async () => {
    const w = await load();
    for (const lifetime of [-1, 0]) {
      await w.nextAt(await w.soon());
      await w.refuses(w.attests(w.ada, w.seller, { for: lifetime }), "ExpiresInPast");
    }
  });
});
