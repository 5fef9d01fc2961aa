import { expect } from "chai";
import { id } from "ethers";
import { createBenchRegistry } from "../../bench/gas/registry.ts";

const PAGE = 100;
/** The words of the index come on top, see docs/contracts.md. */
const GAS_LIMIT = 5_000_000;

/** A did:web of 255 bytes, of labels of at most 63. */
const toDid = (index: number) => {
  const label = "a".repeat(60);
  return `did:web:${[label, label, label].join(".")}.${String(index).padStart(3, "0")}.${"b".repeat(56)}.tld`;
};

describe("A page of 100 records of the largest size", () => {
  it("costs at most 5 million gas", async function () {
    this.timeout(120_000);
    const { registry, resolver, issuer, publisher } = await createBenchRegistry();
    const traits = Array.from({ length: 20 }, (_, i) => id(`trait:${i}`));
    const url = `https://${"u".repeat(2040)}`;
    for (let index = 0; index < PAGE; index += 1) {
      const did = toDid(index);
      await resolver.connect(issuer).attestDID(id(did), publisher.address, 0);
      await registry
        .connect(publisher)
        .mint(did, 7, url, id("document"), 0, "f".repeat(256), "c".repeat(256), 1, 0, 0, traits, "");
    }
    const gas = Number(await registry.getAppsByStatus.estimateGas(0, 0, PAGE));
    expect(gas).to.be.at.most(GAS_LIMIT);
  });
});
