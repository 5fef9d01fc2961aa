import { expect } from "chai";
import { ZeroHash } from "ethers";
import { createResolverSuite } from "../resolver/fixture.ts";
import { setupStatement } from "../resolver/statements.ts";

const suite = await createResolverSuite();

describe("Resolver eip712Domain (ERC-5267)", () => {
  it("returns name, version, chain id and contract, without salt or extensions", async () => {
    const { resolver } = await suite.load();
    const { chainId } = await suite.ethers.provider.getNetwork();
    expect([...(await resolver.eip712Domain())]).to.deep.equal([
      ...["0x0f", "App Registry Resolver", "1", chainId, await resolver.getAddress(), ZeroHash, []],
    ]);
  });

  for (const [field, value] of [
    ["name", "App Registry"],
    ["version", "2"],
    ["chainId", 1n],
    ["verifyingContract", "0x000000000000000000000000000000000000dEaD"],
    ["salt", ZeroHash],
  ] as const) {
    // @threat contracts: Use an invalid, replayed or untimely statement
    it(`refuses a signature for a domain with another ${field}`, async () => {
      const { resolver, issuer, sign, carry } = await setupStatement(suite, "AttestDID");
      await expect(carry(await sign({ domain: { [field]: value } })))
        .to.be.revertedWithCustomError(resolver, "InvalidSignature")
        .withArgs(issuer);
    });
  }
});
