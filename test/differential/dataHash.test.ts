import { expect } from "chai";
import fc from "fast-check";
import { HashAlgorithm, hashDocument } from "../../packages/sdk/src/hash.ts";
import { createRegistrySuite, DAY, DID, mintArguments } from "../registry/fixture.ts";
import { SEED } from "../seed.ts";
import { readVectors } from "./vectors.ts";

interface DataHashVectors {
  documents: { name: string; text: string; canonical: string; keccak256: string; sha256: string }[];
}

const { documents } = await readVectors<DataHashVectors>("data-hash");
const { time, load } = await createRegistrySuite();
const { keccak256, sha256 } = HashAlgorithm;

/** Texts that JCS must escape or sort: control characters, quotes, code points above U+FFFF. */
const text = fc.string({ unit: "grapheme", maxLength: 12 });
const generated = fc.dictionary(text, fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }), { maxKeys: 6 });

/** Expects that a mint accepts the SDK's hash of a text, and refuses the hash of the other algorithm. */
async function mintIsJudge({ registry, publisher }: Awaited<ReturnType<typeof load>>, document: string) {
  for (const [algorithm, other] of [
    [keccak256, sha256],
    [sha256, keccak256],
  ] as const) {
    const { canonical: json, dataHash } = hashDocument(document, algorithm);
    const mint = registry.connect(publisher).mint;
    const tokenId = await mint.staticCall(...mintArguments({ json, dataHash, algorithm }));
    expect(tokenId, document).to.equal(1);
    await expect(mint.staticCall(...mintArguments({ json, dataHash, algorithm: other })), document)
      .to.be.revertedWithCustomError(registry, "DataHashMismatch")
      .withArgs(dataHash, hashDocument(document, other).dataHash);
  }
}

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

  it("is equal for generated documents in any formatting", async () => {
    const suite = await load();
    await suite.attest(suite.publisher);
    await fc.assert(
      fc.asyncProperty(generated, fc.constantFrom(undefined, 1, "\t"), (document, space) =>
        mintIsJudge(suite, JSON.stringify(document, null, space)),
      ),
      { seed: SEED, numRuns: process.env.TEST_LONG ? 2_000 : 100 },
    );
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
