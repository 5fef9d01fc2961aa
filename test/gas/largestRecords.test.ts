import { expect } from "chai";
import { id } from "ethers";
import { createBenchRegistry } from "../../bench/gas/registry.ts";

const PAGE = 100;
/** Limit without the gas of reading the index, see docs/contracts.md. */
const GAS_LIMIT = 5_000_000;

/** Returns a did:web of 255 bytes whose labels have at most 63. */
const toDid = (index: number) => {
  const label = "a".repeat(60);
  return `did:web:${[label, label, label].join(".")}.${String(index).padStart(3, "0")}.${"b".repeat(56)}.tld`;
};

describe("Page of 100 records of the largest size", () => {
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
