import { expect } from "chai";
import { Signature, ZeroAddress } from "ethers";
import type { IResolver } from "../../packages/sdk/generated/ethers/index.ts";
import { createResolverSuite, DAY, dataHash, didHash, HOUR, MATURATION, otherDidHash } from "./fixture.ts";
import { setupStatement, signStatement, statementEvents, statements } from "./statements.ts";

const suite = await createResolverSuite();
const { ethers, time, at, load } = suite;

/** secp256k1's group order: `n - s` is the other, malleable half of a signature. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

for (const type of statements) {
  describe(`${type} by signature`, () => {
    const setup = () => setupStatement(suite, type);

    describe("when anybody carries the issuer's signature", () => {
      it("has the same effect as the issuer's own call", async () => {
        const { resolver, issuer, isRevocation, sign, carry, isLive } = await setup();
        await expect(carry(await sign())).to.emit(resolver, statementEvents[type]);
        expect(await isLive()).to.equal(!isRevocation);
        expect(await resolver.isNonceUsed(issuer.address, 7)).to.equal(true);
      });

      it("takes nonces in any order", async () => {
        const { isRevocation, isLive, carry, sign, attestDirectly } = await setup();
        for (const nonce of [2n ** 256n - 1n, 0n, 300n]) {
          if (isRevocation && !(await isLive())) await attestDirectly();
          await carry(await sign({ fields: { nonce, issuedAt: await time.latest() } }));
          expect(await isLive()).to.equal(!isRevocation);
        }
      });
    });

    describe("when it was used or cancelled", () => {
      it("refuses a replay", async () => {
        const { resolver, issuer, sign, carry } = await setup();
        const signature = await sign();
        await carry(signature);
        await expect(carry(signature))
          .to.be.revertedWithCustomError(resolver, "NonceUsed")
          .withArgs(issuer.address, 7);
      });

      it("refuses a cancelled nonce", async () => {
        const { resolver, issuer, sign, carry } = await setup();
        await expect(resolver.connect(issuer).cancelNonce(7))
          .to.emit(resolver, "NonceCancelled")
          .withArgs(issuer.address, 7);
        await expect(carry(await sign()))
          .to.be.revertedWithCustomError(resolver, "NonceUsed")
          .withArgs(issuer.address, 7);
      });

      it("is not touched by the same nonce of another account", async () => {
        const { resolver, stranger, sign, carry } = await setup();
        await resolver.connect(stranger).cancelNonce(7);
        await carry(await sign());
      });
    });

    describe("when it is not the issuer's", () => {
      const refusals: [
        string,
        (suite: Awaited<ReturnType<typeof setup>>) => Promise<IResolver.IssuerSignatureStruct>,
      ][] = [
        [
          "another account's key",
          ({ sign, stranger, issuer }) => sign({ signer: stranger, fields: { issuer: issuer.address } }),
        ],
        ["another chain", ({ sign }) => sign({ chainId: 1 })],
        ["another contract", ({ sign, stranger }) => sign({ verifyingContract: stranger.address })],
        [
          "another statement",
          ({ sign, first }) =>
            sign({ statement: { didHash: otherDidHash, controller: first.address, dataHash, expiresAt: 0 } }),
        ],
        [
          "a malleable signature",
          async ({ sign }) => {
            const signed = await sign();
            const { r, s, yParity } = Signature.from(String(signed.signature));
            const flipped = ethers.toBeHex(GROUP_ORDER - BigInt(s), 32);
            return { ...signed, signature: ethers.concat([r, flipped, yParity === 0 ? "0x1c" : "0x1b"]) };
          },
        ],
        ["an empty signature", async ({ sign }) => ({ ...(await sign()), signature: "0x" })],
        ["65 zero bytes", async ({ sign }) => ({ ...(await sign()), signature: `0x${"00".repeat(65)}` })],
        ["a changed nonce", async ({ sign }) => ({ ...(await sign()), nonce: 8 })],
      ];
      for (const [what, make] of refusals) {
        it(`refuses ${what}`, async () => {
          const suite = await setup();
          await expect(suite.carry(await make(suite)))
            .to.be.revertedWithCustomError(suite.resolver, "InvalidSignature")
            .withArgs(suite.issuer.address);
          expect(await suite.resolver.isNonceUsed(suite.issuer.address, 7)).to.equal(false);
        });
      }

      it("refuses a signature by the issuer for another DID", async () => {
        const { resolver, issuer, sign, carry } = await setup();
        await expect(carry(await sign(), otherDidHash))
          .to.be.revertedWithCustomError(resolver, "InvalidSignature")
          .withArgs(issuer.address);
      });

      it("refuses the zero signer and everybody who is no issuer", async () => {
        const { resolver, stranger, sign, carry } = await setup();
        const zero = { ...(await sign()), issuer: ZeroAddress, signature: `0x${"00".repeat(65)}` };
        await expect(carry(zero)).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(ZeroAddress);
        await expect(carry(await sign({ signer: stranger })))
          .to.be.revertedWithCustomError(resolver, "NotIssuer")
          .withArgs(stranger.address);
      });
    });

    describe("with its window", () => {
      it("is usable in the last second of it, and expired after", async () => {
        const { resolver, sign, carry, issuedAt } = await setup();
        const signature = await sign();
        await at(issuedAt + HOUR + 1);
        await expect(carry(signature))
          .to.be.revertedWithCustomError(resolver, "SignatureExpired")
          .withArgs(issuedAt + HOUR, issuedAt + HOUR + 2);
        const other = await setup();
        const inTime = await other.sign();
        await time.setNextBlockTimestamp(other.issuedAt + HOUR);
        await other.carry(inTime);
      });

      it("refuses one from the future", async () => {
        const { resolver, sign, carry, issuedAt } = await setup();
        const later = issuedAt + DAY;
        await expect(carry(await sign({ fields: { issuedAt: later, deadline: later } })))
          .to.be.revertedWithCustomError(resolver, "IssuedInFuture")
          .withArgs(later, issuedAt + 1);
      });

      it("refuses a deadline before it was issued or more than a day after, and takes a day", async () => {
        const { resolver, sign, carry, issuedAt } = await setup();
        for (const deadline of [0, issuedAt - 1, issuedAt + DAY + 1]) {
          await expect(carry(await sign({ fields: { deadline } })))
            .to.be.revertedWithCustomError(resolver, "InvalidDeadline")
            .withArgs(issuedAt, deadline);
        }
        await carry(await sign({ fields: { deadline: issuedAt + DAY } }));
      });
    });

    describe("when the issuer's authorisation is not the one it was made under", () => {
      it("refuses it after a removal, and after the issuer was added again", async () => {
        const { resolver, issuer, sign, carry } = await setup();
        const signature = await sign();
        await resolver.removeIssuer(issuer.address);
        await expect(carry(signature))
          .to.be.revertedWithCustomError(resolver, "NotIssuer")
          .withArgs(issuer.address);
        await resolver.addIssuer(issuer.address);
        await expect(carry(signature))
          .to.be.revertedWithCustomError(resolver, "IssuerEpochMismatch")
          .withArgs(issuer.address, 1, 4);
      });
    });

    describe("when the issuer has revoked the pair since", () => {
      it("refuses a signature that is not newer, even after a new attestation", async () => {
        const { resolver, isRevocation, sign, carry, revoke, attestDirectly } = await setup();
        if (!isRevocation) await attestDirectly();
        const issuedAt = (await time.latest()) + 1;
        await time.setNextBlockTimestamp(issuedAt);
        await revoke();
        const revokedAt = await time.latest();
        await attestDirectly();
        await attestDirectly();
        for (const time_ of [issuedAt - 1, issuedAt]) {
          const old = await sign({ fields: { issuedAt: time_, deadline: issuedAt + HOUR } });
          await expect(carry(old))
            .to.be.revertedWithCustomError(resolver, "SignatureSuperseded")
            .withArgs(time_, revokedAt);
        }
        await carry(await sign({ fields: { issuedAt: issuedAt + 1, deadline: issuedAt + HOUR } }));
      });
    });
  });
}

describe("AttestDID by signature after an ousting", () => {
  it("is refused from every issuer when it is not newer than the ousting", async () => {
    const { resolver, issuer, issuer2, issuer3, first, second, attest } = await load();
    await attest(issuer, first);
    await attest(issuer2, second);
    await attest(issuer3, second);
    await resolver.connect(second).challengeDID(didHash, first.address);
    await time.increase(MATURATION);
    const issuedAt = await time.latest();
    const fields = { epoch: 3, issuedAt, deadline: issuedAt + HOUR, nonce: 1 };
    const attestation = { didHash, controller: first.address, expiresAt: 0 };
    const options = { resolver, signer: issuer3, type: "AttestDID", statement: attestation } as const;
    const signature = await signStatement({ ...options, fields });
    await resolver.resolveChallenge(didHash, first.address, second.address);
    const oustedAt = await time.latest();
    await expect(resolver.attestDIDBySignature(attestation, signature))
      .to.be.revertedWithCustomError(resolver, "SignatureSuperseded")
      .withArgs(issuedAt, oustedAt);
    const newer = await signStatement({ ...options, fields: { ...fields, issuedAt: oustedAt + 1 } });
    await resolver.attestDIDBySignature(attestation, newer);
  });
});

describe("A nonce", () => {
  it("can be cancelled once, by anybody for itself", async () => {
    const { resolver, stranger } = await load();
    expect(await resolver.isNonceUsed(stranger.address, 0)).to.equal(false);
    await resolver.connect(stranger).cancelNonce(0);
    await expect(resolver.connect(stranger).cancelNonce(0))
      .to.be.revertedWithCustomError(resolver, "NonceUsed")
      .withArgs(stranger.address, 0);
    expect(await resolver.isNonceUsed(stranger.address, 1)).to.equal(false);
  });
});
