import { canonicalizeValue, checkPublishable } from "@app-registry/sdk";
import { expect } from "chai";
import { recordAt } from "../../scripts/bench/search/data/records.ts";
import { rankOf } from "../../scripts/bench/search/data/vocabulary.ts";

const records = Array.from({ length: 600 }, (_, index) => recordAt(index));
const latest = (index: number) => records[index]?.versions.at(-1)?.metadata;

describe("the records of the search benchmark", () => {
  it("are the same every time", () => {
    expect(recordAt(123)).to.deep.equal(records[123]);
  });

  it("may be published as they are", () => {
    for (const { did, interfaces, contractId, versions } of records) {
      for (const { metadata } of versions) {
        expect(checkPublishable(metadata, interfaces, did, { contractId }), did).to.deep.equal([]);
      }
    }
  });

  it("have JSONs of about 2 kB", () => {
    const sizes = records.map((_, index) => canonicalizeValue(latest(index)).length);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    expect(mean).to.be.within(1_800, 2_400);
  });

  it("are of every interface, in several statuses, majors and versions, and some have changed hands", () => {
    expect(new Set(records.map(({ interfaces }) => interfaces))).to.deep.equal(new Set([1, 2, 3, 4]));
    expect(records.filter(({ status }) => status !== 0)).to.have.length.within(30, 90);
    expect(records.filter(({ versions }) => versions[0]?.version.major === 2)).to.have.length(30);
    expect(records.filter(({ versions }) => versions.length > 1)).to.have.length.within(60, 120);
    expect(records.filter(({ owner, minter }) => owner !== minter)).to.have.length.within(6, 36);
  });

  it("have no DID and major version twice", () => {
    const names = records.map(({ did, versions }) => `${did} ${versions[0]?.version.major}`);
    expect(new Set(names).size).to.equal(names.length);
  });

  it("carry traits of which few are common and most are rare", () => {
    const counts = new Map<string, number>();
    for (const trait of records.flatMap((_, index) => latest(index)?.traits ?? [])) {
      if (!trait.startsWith("api:")) counts.set(trait, (counts.get(trait) ?? 0) + 1);
    }
    const descending = [...counts.values()].sort((a, b) => b - a);
    expect(descending[0]).to.be.above(200);
    expect(descending.filter((count) => count === 1).length).to.be.above(descending.length / 3);
  });

  it("are written in words of which some stand in nearly every text, and most in few", () => {
    const counts = new Map<string, number>();
    for (const index of records.keys()) {
      const words = new Set(
        latest(index)
          ?.description.toLowerCase()
          .match(/[a-z]+/g),
      );
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    expect(rankOf("the")).to.equal(0);
    expect(counts.get("the")).to.be.above(500);
    expect([...counts.values()].filter((count) => count <= 2).length).to.be.above(counts.size / 2);
  });
});
