import { expect } from "chai";
import { HashAlgorithm, hashDocument } from "../../packages/sdk/src/hash.ts";
import { createRegistrySuite, DAY, DID } from "../registry/fixture.ts";
import { readVectors } from "./vectors.ts";

interface DataHashVectors {
  documents: { name: string; text: string; canonical: string; keccak256: string; sha256: string }[];
}

const { documents } = await readVectors<DataHashVectors>("data-hash");
const { time, load } = await createRegistrySuite();

describe("dataHash of the SDK and of a mint", () => {
  it("equals that of the test vectors for both algorithms, and the store returns the canonical text", async () => {
    const { metadata, attest, publisher, mint } = await load();
    await attest(publisher);
    let major = 0;
    for (const { name, text: document, canonical, ...hashes } of documents) {
      for (const algorithm of ["keccak256", "sha256"] as const) {
        const made = hashDocument(document, HashAlgorithm[algorithm]);
        expect(made, name).to.deep.equal({ canonical, dataHash: hashes[algorithm] });
        await mint(publisher, {
          json: canonical,
          dataHash: made.dataHash,
          algorithm: HashAlgorithm[algorithm],
          version: [major, 0, 0],
        });
        const stored = await metadata.getMetadata(DID);
        expect([stored.json, stored.major, stored.hash], name).to.deep.equal([
          canonical,
          BigInt(major),
          hashes[algorithm],
        ]);
        major += 1;
        await time.increase(DAY);
      }
    }
  });

  it("differs for a text that is not canonical", async () => {
    const { registry, attest, publisher, mint } = await load();
    await attest(publisher);
    for (const { name, text: document, canonical, keccak256: dataHash } of documents) {
      if (document === canonical) continue;
      await expect(mint(publisher, { json: document, dataHash }), name)
        .to.be.revertedWithCustomError(registry, "DataHashMismatch")
        .withArgs(dataHash, (value: unknown) => value !== dataHash);
    }
  });
});
