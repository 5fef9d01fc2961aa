import { expect } from "chai";
import { type ContractTransactionResponse, id, type TransactionResponse, Wallet } from "ethers";
import {
  createResolverSuite,
  dataHash,
  didHash,
  HOUR,
  MATURATION,
  OBJECTION_TIME,
  type Signer,
} from "./fixture.ts";
import { signStatement } from "./statements.ts";

const { ethers, time, next, load } = await createResolverSuite();

async function gasUsed(
  transaction: Promise<ContractTransactionResponse | TransactionResponse>,
): Promise<bigint> {
  return (await (await transaction).wait())?.gasUsed ?? 0n;
}

describe("The price of an attestation", () => {
  it("is at most 55,000 gas for a DID's first controller", async () => {
    const { resolver, issuer, first } = await load();
    expect(await gasUsed(resolver.connect(issuer).attestDID(didHash, first, 0))).to.be.at.most(55_000);
  });

  it("is at most 53,000 gas for a dataHash", async () => {
    const { resolver, issuer } = await load();
    expect(await gasUsed(resolver.connect(issuer).attestDataHash(didHash, dataHash, 0))).to.be.at.most(
      53_000,
    );
  });

  it("is at most 31,000 gas each in a batch of ten", async () => {
    const { resolver, issuer, first } = await load();
    const hashes = Array.from({ length: 10 }, (_, i) => id(`did:web:service${i}.example`));
    const issuing = resolver.connect(issuer);
    const controllers = hashes.map((hash) => ({ didHash: hash, controller: first.address, expiresAt: 0 }));
    expect(await gasUsed(issuing.attestDIDBatch(controllers))).to.be.at.most(310_000);
    const documents = hashes.map((hash) => ({ didHash: hash, dataHash, expiresAt: 0 }));
    expect(await gasUsed(issuing.attestDataHashBatch(documents))).to.be.at.most(310_000);
  });

  it("is at most 62,000 gas by a signature of a DID's first controller, up to 255 seconds old", async () => {
    for (const lag of [1, 255]) {
      const { resolver, issuer, first, stranger } = await load();
      const statedAt = await time.latest();
      const attestation = { didHash, controller: first.address, expiresAt: 0 };
      const signature = await signStatement({
        ...{ resolver, signer: issuer, type: "AttestDID", statement: attestation },
        fields: { statedAt, deadline: statedAt + HOUR },
      });
      await next(statedAt + lag);
      expect(
        await gasUsed(resolver.connect(stranger).attestDIDBySignature(attestation, signature)),
      ).to.be.at.most(62_000);
    }
  });
});

describe("The price of a check, in a transaction of its own", () => {
  /** A transaction to the view. */
  async function priceOfCheck(resolver: Awaited<ReturnType<typeof load>>["resolver"], account: string) {
    const data = resolver.interface.encodeFunctionData("checkDID", [didHash, account]);
    const [caller] = await ethers.getSigners();
    return gasUsed((caller as Signer).sendTransaction({ to: await resolver.getAddress(), data }));
  }

  it("is at most 28,700 gas for a DID's first controller", async () => {
    const { resolver, issuer, first, attest } = await load();
    await attest(issuer, first);
    expect(await priceOfCheck(resolver, first.address)).to.be.at.most(28_700);
  });

  /**
   * Sixteen issuers stated all that can be read: of an account whose attestations settled a week ago, and of the
   * authors of four objections, each of which is weighed because each falls one issuer short. Measured: 694,309.
   */
  it("is at most 715,000 gas under four objections by controllers with sixteen issuers", async () => {
    const { resolver, signers } = await load();
    const issuers = signers.slice(1, 17);
    const authors = [0, 17, 18, 19].map((i) => signers[i] as Signer);
    const account = Wallet.createRandom().address;
    const attestAll = async (by: Signer, accounts: string[]) => {
      const entries = accounts.map((controller) => ({ didHash, controller, expiresAt: 0 }));
      await resolver.connect(by).attestDIDBatch(entries);
    };
    for (const issuer of issuers.slice(3, 15)) await resolver.addIssuer(issuer);
    const authorAddresses = authors.map(({ address }) => address);
    for (const issuer of issuers.slice(0, 15)) await attestAll(issuer, authorAddresses);
    await time.increase(MATURATION);
    for (const issuer of issuers.slice(0, 15)) await attestAll(issuer, [account]);
    for (const author of authors) await resolver.connect(author).objectToController(didHash, account);
    // The last seat is given only when no issuer is active.
    for (const issuer of issuers.slice(0, 15)) await resolver.retireIssuer(issuer);
    const last = issuers[15] as Signer;
    await resolver.addIssuer(last);
    await attestAll(last, [account]);
    await resolver
      .connect(last)
      .revokeDIDBatch(authorAddresses.map((controller) => ({ didHash, controller, expiresAt: 0 })));
    await time.increase(MATURATION + OBJECTION_TIME);

    const objections = await resolver.getObjections(didHash, account);
    expect(objections.map(({ standing, inForce }) => [standing, inForce])).to.deep.equal(
      Array(4).fill([15n, false]),
    );
    expect(await resolver.ownershipScore(didHash, account)).to.equal(16);
    expect(await resolver.checkDID(didHash, account)).to.equal(true);
    expect(await priceOfCheck(resolver, account)).to.be.at.most(715_000);
  });
});

describe("The resolver's code", () => {
  it("is at most 22,000 bytes", async () => {
    const { resolver } = await load();
    const code = await ethers.provider.getCode(await resolver.getAddress());
    expect(ethers.dataLength(code)).to.be.at.most(22_000);
  });
});
