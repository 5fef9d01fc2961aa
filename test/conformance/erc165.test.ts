import { expect } from "chai";
import { createRegistrySuite } from "../registry/fixture.ts";

const { load } = await createRegistrySuite();

/** Highest gas that ERC-165 allows for `supportsInterface`. */
const GAS_LIMIT = 30_000;
const TRANSACTION_GAS = 21_000;

describe("AppRegistry interfaces (ERC-165)", () => {
  for (const [name, interfaceId, expected] of [
    ["ERC-165", "0x01ffc9a7", true],
    ["ERC-721", "0x80ac58cd", true],
    ["ERC-721 Metadata", "0x5b5e139f", true],
    ["ERC-4906", "0x49064906", true],
    ["the invalid id", "0xffffffff", false],
    // The gas of tokenOfOwnerByIndex would have no limit: it would scan a bitmap, and anyone can fill a wallet.
    ["ERC-721 Enumerable", "0x780e9d63", false],
  ] as const) {
    it(`supportsInterface returns ${expected} for ${name} within the gas limit of ERC-165`, async () => {
      const { registry } = await load();
      expect(await registry.supportsInterface(interfaceId)).to.equal(expected);
      const gas = await registry.supportsInterface.estimateGas(interfaceId);
      expect(Number(gas) - TRANSACTION_GAS).to.be.below(GAS_LIMIT);
    });
  }

  it("offers totalSupply and tokenByIndex, but not tokenOfOwnerByIndex", async () => {
    const { registry, publish } = await load();
    await publish();
    await publish({ version: [2, 0, 0] });
    expect(await registry.totalSupply()).to.equal(2);
    expect([await registry.tokenByIndex(0), await registry.tokenByIndex(1)]).to.deep.equal([1n, 2n]);
    expect(registry.interface.hasFunction("tokenOfOwnerByIndex")).to.equal(false);
  });
});
