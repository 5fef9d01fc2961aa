import { expect } from "chai";
import type { ContractTransactionResponse } from "ethers";
import { id } from "ethers";
import { createResolverSuite, DAY, dataHash, didHash, HOUR, MATURATION } from "./fixture.ts";
import { signStatement } from "./statements.ts";

const { ethers, time, next, load } = await createResolverSuite();

async function gasUsed(transaction: Promise<ContractTransactionResponse>): Promise<bigint> {
  return (await (await transaction).wait())?.gasUsed ?? 0n;
}

describe("The price of an attestation", () => {
  it("is at most 55,000 gas for a DID's first controller", async () => {
    const { resolver, issuer, first } = await load();
    console.log(await gasUsed(resolver.connect(issuer).attestDID(didHash, first.address, 0)));
  });

  it("is at most 53,000 gas for a dataHash", async () => {
    const { resolver, issuer } = await load();
    console.log(await gasUsed(resolver.connect(issuer).attestDataHash(didHash, dataHash, 0)));
  });

  it("is at most 31,000 gas each in a batch of ten", async () => {
    const { resolver, issuer, first } = await load();
    const hashes = Array.from({ length: 10 }, (_, i) => id(`did:web:service${i}.example`));
    const issuing = resolver.connect(issuer);
    const controllers = hashes.map((hash) => ({ didHash: hash, controller: first.address, expiresAt: 0 }));
    console.log(await gasUsed(issuing.attestDIDBatch(controllers)));
    const documents = hashes.map((hash) => ({ didHash: hash, dataHash, expiresAt: 0 }));
    console.log(await gasUsed(issuing.attestDataHashBatch(documents)));
  });

  it("by signature", async () => {
   for (const lag of [0, 255, 256]) {
    const { resolver, issuer, first, stranger } = await load();
    const statedAt = await time.latest();
    const attestation = { didHash, controller: first.address, expiresAt: 0 };
    const signature = await signStatement({
      ...{ resolver, signer: issuer, type: "AttestDID", statement: attestation },
      fields: { statedAt, deadline: statedAt + HOUR },
    });
    await next(statedAt + lag +1 -1 || statedAt+1);
    console.log(lag, await gasUsed(resolver.connect(stranger).attestDIDBySignature(attestation, signature)));
   }
  });

  it("four", async () => {
    const { resolver, issuer, issuer2, issuer3, signers, first, stranger, attest } = await load();
    const issuers = [issuer, issuer2, issuer3];
    for (let i = 0; i < 11; i++) { const w = ethers.Wallet.createRandom().connect(ethers.provider); await signers[0]!.sendTransaction({to:w.address, value: 10n**18n}); await resolver.addIssuer(w.address); issuers.push(w as any); }
    // 14 now; make the others retire
    console.log(issuers.length);
  });
});

describe("The resolver's code", () => {
  it("is at most 20,000 bytes", async () => {
    const { resolver } = await load();
    const code = await ethers.provider.getCode(await resolver.getAddress());
    console.log(ethers.dataLength(code));
  });
});
