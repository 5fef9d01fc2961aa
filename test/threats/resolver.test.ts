import { expect } from "chai";
import { Signature, ZeroAddress } from "ethers";
import { createRegistrySuite } from "../registry/fixture.ts";
import { createResolverSuite, DAY, didHash, MATURATION, YEAR } from "../resolver/fixture.ts";
import { setupStatement } from "../resolver/statements.ts";

const suite = await createResolverSuite();
const { ethers, time, load } = suite;
const registrySuite = await createRegistrySuite();

const MAX_UINT64 = 2n ** 64n - 1n;
/** Order of secp256k1: of s and its negative only the lower one is taken. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe("An attack on the resolver fails that", () => {
  it("attests before it is authorised, so that the attestation counts later", async () => {
    const { resolver, first, stranger, counts } = await load();
    await expect(resolver.connect(stranger).attestDID(didHash, first.address, 0))
      .to.be.revertedWithCustomError(resolver, "NotIssuer")
      .withArgs(stranger.address);
    await resolver.addIssuer(stranger.address);
    expect(await counts(first)).to.equal(false);
  });

  it("keeps a removed issuer's attestations counting, or revives them by adding it again", async () => {
    const { resolver, issuer, first, attest, counts } = await load();
    await attest(issuer, first);
    await resolver.removeIssuer(issuer.address);
    expect(await counts(first)).to.equal(false);
    await resolver.addIssuer(issuer.address);
    expect(await counts(first)).to.equal(false);
    expect(await resolver.getDIDAttestations(didHash, first.address)).to.deep.equal([]);
  });

  it("takes a DID over by one rogue issuer of three, while the honest ones renew", async () => {
    const {
      resolver,
      issuer,
      issuer2,
      issuer3: rogue,
      first,
      stranger: thief,
      attest,
      counts,
    } = await load();
    await attest(issuer, first);
    await attest(issuer2, first);
    await time.increase(MATURATION);
    await attest(rogue, thief);
    await resolver.connect(thief).challengeDID(didHash, first.address);
    await attest(issuer, first);
    await attest(issuer2, first);
    await expect(resolver.connect(rogue).revokeDID(didHash, first.address)).to.be.revertedWithCustomError(
      resolver,
      "NothingToRevoke",
    );
    await time.increase(MATURATION);
    await expect(resolver.resolveChallenge(didHash, first.address, thief.address))
      .to.emit(resolver, "ChallengeResolved")
      .withArgs(didHash, first.address, thief.address, false, 1, 2);
    expect(await counts(first)).to.equal(true);
    expect(await resolver.ownershipScore(didHash, first.address)).to.equal(2);
  });

  it("names a second controller by a leaked issuer key, who mints the next major version at once", async () => {
    const { registry, resolver, publisher, second, publish, attest, mint } = await registrySuite.load();
    await publish();
    await attest(second);
    await expect(mint(second, { version: [2, 0, 0] }))
      .to.be.revertedWithCustomError(registry, "NotController")
      .withArgs(didHash, second.address);
    // The honest controller has the whole wait to say no.
    await resolver.connect(publisher).rejectController(didHash, second.address);
    await registrySuite.time.increase(MATURATION);
    await expect(mint(second, { version: [2, 0, 0] })).to.be.revertedWithCustomError(
      registry,
      "NotController",
    );
  });

  it("signs as nobody, by the zero signer", async () => {
    const { resolver, sign, carry } = await setupStatement(suite, "AttestDID");
    const forged = { ...(await sign()), issuer: ZeroAddress, signature: `0x${"00".repeat(65)}` };
    await expect(carry(forged)).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(ZeroAddress);
  });

  it("uses the malleable twin of a signature", async () => {
    const { resolver, issuer, sign, carry } = await setupStatement(suite, "AttestDID");
    const signed = await sign();
    const { r, s, yParity } = Signature.from(String(signed.signature));
    const twin = ethers.concat([
      r,
      ethers.toBeHex(GROUP_ORDER - BigInt(s), 32),
      yParity === 0 ? "0x1c" : "0x1b",
    ]);
    await expect(carry({ ...signed, signature: twin }))
      .to.be.revertedWithCustomError(resolver, "InvalidSignature")
      .withArgs(issuer.address);
  });

  it("replays a signature", async () => {
    const { resolver, issuer, sign, carry, revoke, isLive } = await setupStatement(suite, "AttestDID");
    const signed = await sign();
    await carry(signed);
    await revoke();
    await expect(carry(signed))
      .to.be.revertedWithCustomError(resolver, "NonceUsed")
      .withArgs(issuer.address, 7);
    expect(await isLive()).to.equal(false);
  });

  it("uses a signature for another chain or another contract", async () => {
    const { resolver, issuer, stranger, sign, carry } = await setupStatement(suite, "AttestDID");
    for (const elsewhere of [{ chainId: 1 }, { verifyingContract: stranger.address }]) {
      await expect(carry(await sign(elsewhere)))
        .to.be.revertedWithCustomError(resolver, "InvalidSignature")
        .withArgs(issuer.address);
    }
  });

  it("makes every check panic by a policy beyond its maximum", async () => {
    const { resolver, issuer, first, attest, counts } = await load();
    await expect(resolver.setMaxTTL(MAX_UINT64)).to.be.revertedWithCustomError(resolver, "InvalidMaxTTL");
    await expect(resolver.setMaturation(MAX_UINT64)).to.be.revertedWithCustomError(
      resolver,
      "InvalidMaturation",
    );
    await resolver.setMaxTTL(3650 * DAY);
    await resolver.setMaturation(30 * DAY);
    await attest(issuer, first);
    expect(await counts(first)).to.equal(true);
    expect(await resolver.ownershipScore(didHash, first.address)).to.equal(0);
    expect(await resolver.getDIDAttestations(didHash, first.address)).to.have.lengthOf(1);
  });

  it("attests without end by expiresAt 0: it stands for the longest lifetime", async () => {
    const { resolver, issuer, first, attest } = await load();
    const attestedAt = await attest(issuer, first);
    const [attestation] = await resolver.getDIDAttestations(didHash, first.address);
    expect(attestation?.expiresAt).to.equal(attestedAt + YEAR);
  });

  it("attests until a time that is past or exactly now", async () => {
    const { resolver, issuer, first } = await load();
    const start = await time.latest();
    for (const [now, expiresAt] of [
      [start + 10, 1],
      [start + 20, start + 19],
      [start + 30, start + 30],
    ] as const) {
      await time.setNextBlockTimestamp(now);
      await expect(resolver.connect(issuer).attestDID(didHash, first.address, expiresAt))
        .to.be.revertedWithCustomError(resolver, "ExpiresInPast")
        .withArgs(expiresAt, now);
    }
  });

  it("leaves the contracts without an owner, by renouncing", async () => {
    const { resolver, owner } = await load();
    await expect(resolver.connect(owner).renounceOwnership()).to.be.revertedWithCustomError(
      resolver,
      "RenounceRefused",
    );
  });

  it("loses the ownership to a typo", async () => {
    const { resolver, owner } = await load();
    await resolver.connect(owner).transferOwnership("0x000000000000000000000000000000000000dEaD");
    expect(await resolver.owner()).to.equal(owner.address);
    await resolver.connect(owner).setMaxTTL(30 * DAY);
  });
});
