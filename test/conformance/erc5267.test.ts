import { expect } from "chai";
import { type TypedDataDomain, ZeroHash } from "ethers";
import { createResolverSuite, didHash, HOUR } from "../resolver/fixture.ts";

const { ethers, time, load } = await createResolverSuite();

const types = {
  AttestDID: [
    { name: "didHash", type: "bytes32" },
    { name: "controller", type: "address" },
    { name: "expiresAt", type: "uint64" },
    { name: "issuer", type: "address" },
    { name: "statedAt", type: "uint64" },
    { name: "deadline", type: "uint64" },
  ],
};

async function setup() {
  const suite = await load();
  const { resolver, issuer, first, stranger } = suite;
  const answer = await resolver.eip712Domain();
  const domain = {
    name: answer.name,
    version: answer.version,
    chainId: answer.chainId,
    verifyingContract: answer.verifyingContract,
  };
  const statedAt = await time.latest();
  const fields = { issuer: issuer.address, statedAt, deadline: statedAt + HOUR };
  const statement = { didHash, controller: first.address, expiresAt: 0 };
  /** Submits an attestation that the issuer signed for a domain. */
  async function carry(over: TypedDataDomain) {
    const signature = await issuer.signTypedData(over, types, { ...statement, ...fields });
    return resolver.connect(stranger).attestDIDBySignature(statement, { ...fields, signature });
  }
  return { ...suite, answer, domain, carry };
}

describe("Resolver eip712Domain (ERC-5267)", () => {
  it("returns name, version, chain id and contract, without salt or extensions", async () => {
    const { resolver, answer } = await setup();
    const { chainId } = await ethers.provider.getNetwork();
    const { fields, name, version, verifyingContract, salt, extensions } = answer;
    expect([fields, name, version, answer.chainId]).to.deep.equal([
      "0x0f",
      "App Registry Resolver",
      "1",
      chainId,
    ]);
    expect([verifyingContract, salt, [...extensions]]).to.deep.equal([
      await resolver.getAddress(),
      ZeroHash,
      [],
    ]);
  });

  it("returns the domain with which the resolver verifies signatures", async () => {
    const { resolver, first, domain, carry } = await setup();
    await expect(carry(domain)).to.emit(resolver, "DIDAttested");
    expect(await resolver.checkDID(didHash, first)).to.equal(true);
  });

  for (const [field, value] of [
    ["name", "App Registry"],
    ["version", "2"],
    ["chainId", 1n],
    ["verifyingContract", "0x000000000000000000000000000000000000dEaD"],
    ["salt", ZeroHash],
  ] as const) {
    it(`refuses a signature for a domain with another ${field}`, async () => {
      const { resolver, issuer, domain, carry } = await setup();
      await expect(carry({ ...domain, [field]: value }))
        .to.be.revertedWithCustomError(resolver, "InvalidSignature")
        .withArgs(issuer);
    });
  }
});
