import { expect } from "chai";
import { normalizeTrait, traitHash } from "../../packages/sdk/src/traits.ts";
import { createRegistrySuite, DAY, DID } from "../registry/fixture.ts";
import { readVectors } from "./vectors.ts";

interface TraitVectors {
  traits: { trait: string; traitHash: string }[];
  normalized: { input: string; trait: string }[];
}

const { traits, normalized } = await readVectors<TraitVectors>("traits");
const { ethers, load, time } = await createRegistrySuite();

/** Hashes a trait like Solidity: packed encoding and keccak256. */
const onChain = (trait: string) => ethers.solidityPackedKeccak256(["string"], [trait]);

describe("Traits of a record (test vectors shared with the SDK)", () => {
  it("are found by the SDK's hash of the trait and of its other spellings", async () => {
    const { registry, publish } = await load();
    for (let start = 0, major = 1; start < traits.length; start += 20, major += 1) {
      const page = traits.slice(start, start + 20);
      await publish({ version: [major, 0, 0], traitHashes: page.map((entry) => entry.traitHash) });
      for (const { trait, traitHash: expected } of page) {
        expect(traitHash(trait), trait).to.equal(expected);
        expect(onChain(trait), trait).to.equal(expected);
        expect(await registry.hasAllTraits(DID, major, [traitHash(trait)]), trait).to.equal(true);
      }
    }
    for (const { input, trait } of normalized) {
      expect(traitHash(normalizeTrait(input)), input).to.equal(onChain(trait));
    }
  });

  it("are not found by the hash of a spelling that was not normalized", async () => {
    const { registry, publish } = await load();
    const others = normalized.filter(({ input, trait }) => input !== trait);
    for (const [index, { input, trait }] of others.entries()) {
      await publish({ version: [index, 0, 0], traitHashes: [traitHash(trait)] });
      expect(await registry.hasAnyTraits(DID, index, [onChain(input)]), input).to.equal(false);
      await time.increase(DAY);
    }
  });
});
