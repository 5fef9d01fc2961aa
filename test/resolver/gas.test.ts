import { expect } from "chai";
import type { ContractTransactionResponse } from "ethers";
import { id } from "ethers";
import { createResolverSuite, dataHash, didHash, HOUR } from "./fixture.ts";
import { signStatement } from "./statements.ts";

const { ethers, time, load } = await createResolverSuite();

async function gasUsed(transaction: Promise<ContractTransactionResponse>): Promise<bigint> {
  return (await (await transaction).wait())?.gasUsed ?? 0n;
}

describe("The price of an attestation", () => {
  it("is at most 55,000 gas for a DID's first controller", async () => {
    const { resolver, issuer, first } = await load();
    expect(await gasUsed(resolver.connect(issuer).attestDID(didHash, first.address, 0))).to.be.at.most(
      55_000,
    );
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

  it("is at most 66,000 gas by signature, once the issuer's nonce word is in use", async () => {
    const { resolver, issuer, first, stranger } = await load();
    await resolver.connect(issuer).cancelNonce(1);
    const issuedAt = await time.latest();
    const attestation = { didHash, controller: first.address, expiresAt: 0 };
    const signature = await signStatement({
      ...{ resolver, signer: issuer, type: "AttestDID", statement: attestation },
      fields: { epoch: 1, issuedAt, deadline: issuedAt + HOUR, nonce: 2 },
    });
    expect(
      await gasUsed(resolver.connect(stranger).attestDIDBySignature(attestation, signature)),
    ).to.be.at.most(66_000);
  });
});

describe("The resolver's code", () => {
  it("is at most 20,000 bytes", async () => {
    const { resolver } = await load();
    const code = await ethers.provider.getCode(await resolver.getAddress());
    expect(ethers.dataLength(code)).to.be.at.most(20_000);
  });
});
