import { expect } from "chai";
import { Signature, ZeroAddress } from "ethers";
import type { IResolver } from "../../packages/sdk/generated/ethers/index.ts";
import { createResolverSuite, DAY, dataHash, didHash, HOUR, otherDidHash, YEAR } from "./fixture.ts";
import { setupStatement, signStatement, statementEvents, statements } from "./statements.ts";

const suite = await createResolverSuite();
const { ethers, time, at, next, load } = suite;

/** Group order of secp256k1. Replacing `s` by `n - s` gives the malleable variant of a signature. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

for (const type of statements) {
  describe(`${type} by signature`, () => {
    const setup = () => setupStatement(suite, type);

    it("has the effect of the issuer's own call, with the date of the signature and the time of the block", async () => {
      const { resolver, isOfDID, isRevocation, sign, carry, isLive, statedAt, first } = await setup();
      await next(statedAt + 60);
      const receipt = await (await carry(await sign())).wait();
      const events = receipt?.logs.map((log) => resolver.interface.parseLog(log)) ?? [];
      const event = events.find((candidate) => candidate?.name === statementEvents[type]);
      expect(event?.args.statedAt).to.equal(statedAt);
      if (!isRevocation) expect(event?.args.startedAt).to.equal(statedAt + 60);
      const [view] = isOfDID
        ? await resolver.getDIDAttestations(didHash, first)
        : await resolver.getDataHashAttestations(didHash, dataHash);
      expect(view?.statedAt).to.equal(statedAt);
      expect(isRevocation ? view?.endedAt : view?.startedAt).to.equal(statedAt + 60);
      expect(await isLive()).to.equal(!isRevocation);
    });

    // @threat contracts: Use an invalid, replayed or untimely statement
    it("refuses the issuer's signature of another statement, or of another kind of statement", async () => {
      const { resolver, issuer, first, sign, carry, statedAt } = await setup();
      const statement = { didHash, controller: first.address, dataHash, expiresAt: 0 };
      const fields = { statedAt, deadline: statedAt + HOUR };
      const others = statements.filter((other) => other !== type);
      expect(others).to.have.lengthOf(3);
      const signatures = [
        await sign({ statement: { ...statement, didHash: otherDidHash } }),
        await sign({ statement: { ...statement, controller: issuer.address, dataHash: otherDidHash } }),
        ...(await Promise.all(
          others.map((other) => signStatement({ resolver, signer: issuer, type: other, statement, fields })),
        )),
      ];
      for (const signature of signatures) {
        await expect(carry(signature))
          .to.be.revertedWithCustomError(resolver, "InvalidSignature")
          .withArgs(issuer);
      }
      await carry(await sign());
    });

    it("is accepted from a retired issuer only if it revokes", async () => {
      const { resolver, issuer, isRevocation, sign, carry } = await setup();
      await resolver.retireIssuer(issuer);
      const carrying = carry(await sign());
      if (isRevocation) await expect(carrying).to.emit(resolver, statementEvents[type]);
      else {
        await expect(carrying).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(issuer);
      }
    });
  });
}

/** Rules that a statement of any kind follows in the same code. */
describe("Signature of an issuer", () => {
  const setup = () => setupStatement(suite, "AttestDID");
  type Make = (suite: Awaited<ReturnType<typeof setup>>) => Promise<IResolver.IssuerSignatureStruct>;

  const refusals: [string, Make][] = [
    [
      "another account's key",
      ({ sign, stranger, issuer }) => sign({ signer: stranger, fields: { issuer: issuer.address } }),
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
    [
      "a changed date",
      async ({ sign, statedAt }) => ({
        ...(await sign()),
        statedAt: statedAt - 1,
        deadline: statedAt + 9,
      }),
    ],
    ["a changed deadline", async ({ sign, statedAt }) => ({ ...(await sign()), deadline: statedAt + 9 })],
    [
      "another issuer's address",
      async ({ sign, issuer2 }) => ({ ...(await sign()), issuer: issuer2.address }),
    ],
  ];
  for (const [what, make] of refusals) {
    // @threat contracts: Use an invalid, replayed or untimely statement
    it(`refuses ${what}`, async () => {
      const suite = await setup();
      const signature = await make(suite);
      await expect(suite.carry(signature))
        .to.be.revertedWithCustomError(suite.resolver, "InvalidSignature")
        .withArgs(signature.issuer);
    });
  }

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("refuses the zero address and accounts that are not issuers", async () => {
    const { resolver, stranger, sign, carry } = await setup();
    const zero = { ...(await sign()), issuer: ZeroAddress, signature: `0x${"00".repeat(65)}` };
    await expect(carry(zero)).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(ZeroAddress);
    await expect(carry(await sign({ signer: stranger })))
      .to.be.revertedWithCustomError(resolver, "NotIssuer")
      .withArgs(stranger);
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("accepts a signature in the last second before its deadline, and refuses it afterwards", async () => {
    const { resolver, sign, carry, statedAt } = await setup();
    const signature = await sign();
    await next(statedAt + HOUR + 1);
    await expect(carry(signature))
      .to.be.revertedWithCustomError(resolver, "SignatureExpired")
      .withArgs(statedAt + HOUR, statedAt + HOUR + 1);
    const other = await setup();
    const inTime = await other.sign();
    await next(other.statedAt + HOUR);
    await expect(other.carry(inTime)).to.emit(other.resolver, "DIDAttested");
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("refuses a date in the future, and accepts the second of the block", async () => {
    const { resolver, issuer, sign, carry, statedAt } = await setup();
    const { addedAt } = await resolver.getIssuer(issuer);
    const later = await sign({ fields: { statedAt: statedAt + 11, deadline: statedAt + DAY } });
    await next(statedAt + 10);
    await expect(carry(later))
      .to.be.revertedWithCustomError(resolver, "InvalidStatedAt")
      .withArgs(statedAt + 11, addedAt, statedAt + 10);
    await next(statedAt + 11);
    await expect(carry(later)).to.emit(resolver, "DIDAttested");
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("refuses a date before the issuer was added, and accepts the second in which it was added", async () => {
    const { resolver, stranger, first, carry, statedAt } = await setup();
    await next(statedAt + 10);
    await resolver.addIssuer(stranger);
    const addedAt = statedAt + 10;
    const statement = { didHash, controller: first.address, dataHash, expiresAt: 0 };
    const signAs = (at: number) =>
      signStatement({
        ...{ resolver, signer: stranger, type: "AttestDID" as const, statement },
        fields: { statedAt: at, deadline: statedAt + HOUR },
      });
    await next(addedAt + 5);
    await expect(carry(await signAs(addedAt - 1)))
      .to.be.revertedWithCustomError(resolver, "InvalidStatedAt")
      .withArgs(addedAt - 1, addedAt, addedAt + 5);
    await expect(carry(await signAs(addedAt))).to.emit(resolver, "DIDAttested");
  });

  // @threat contracts: Use an invalid, replayed or untimely statement
  it("refuses a deadline before the date or more than a day after, and accepts one a day after", async () => {
    const { resolver, sign, carry, statedAt } = await setup();
    for (const deadline of [0, statedAt - 1, statedAt + DAY + 1]) {
      await expect(carry(await sign({ fields: { deadline } })))
        .to.be.revertedWithCustomError(resolver, "InvalidDeadline")
        .withArgs(statedAt, deadline);
    }
    const longest = await sign({ fields: { deadline: statedAt + DAY } });
    await next(statedAt + DAY);
    await expect(carry(longest)).to.emit(resolver, "DIDAttested");
  });
});

describe("Expiry in a signed attestation", () => {
  /** Returns `carry`, which submits an attestation that was signed `lag` seconds ago. */
  async function setup(lag: number) {
    const { resolver, issuer, first, stranger } = await load();
    const statedAt = await time.latest();
    const fields = { statedAt, deadline: statedAt + DAY };
    await next(statedAt + lag);
    const carry = async (type: "AttestDID" | "AttestDataHash", expiresAt: number) => {
      const statement = { didHash, controller: first.address, dataHash, expiresAt };
      const signature = await signStatement({ resolver, signer: issuer, type, statement, fields });
      const carrying = resolver.connect(stranger);
      return type === "AttestDID"
        ? carrying.attestDIDBySignature(statement, signature)
        : carrying.attestDataHashBySignature(statement, signature);
    };
    return { resolver, issuer, first, statedAt, carry };
  }

  it("is the longest lifetime from the date of the signature if it is 0", async () => {
    const { resolver, issuer, first, statedAt, carry } = await setup(HOUR);
    const startedAt = statedAt + HOUR;
    await expect(carry("AttestDID", 0))
      .to.emit(resolver, "DIDAttested")
      .withArgs(didHash, first, issuer, statedAt, startedAt, startedAt, statedAt + YEAR);
    const other = await setup(HOUR);
    await expect(other.carry("AttestDataHash", 0))
      .to.emit(other.resolver, "DataHashAttested")
      .withArgs(
        didHash,
        dataHash,
        other.issuer,
        other.statedAt,
        other.statedAt + HOUR,
        other.statedAt + YEAR,
      );
  });

  for (const type of ["AttestDID", "AttestDataHash"] as const) {
    it(`is refused in ${type} if it is beyond the longest lifetime, or past at submission`, async () => {
      const { resolver, statedAt, carry } = await setup(HOUR);
      await expect(carry(type, statedAt + YEAR + 1))
        .to.be.revertedWithCustomError(resolver, "ExpiresTooLate")
        .withArgs(statedAt + YEAR + 1, statedAt + YEAR);
      await at(statedAt + 2 * HOUR - 1);
      await next(statedAt + 2 * HOUR);
      await expect(carry(type, statedAt + 2 * HOUR))
        .to.be.revertedWithCustomError(resolver, "ExpiresInPast")
        .withArgs(statedAt + 2 * HOUR, statedAt + 2 * HOUR);
    });
  }
});
