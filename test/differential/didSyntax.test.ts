import { expect } from "chai";
import { id } from "ethers";
import { createRegistrySuite, mintArguments } from "../registry/fixture.ts";
import { readVectors } from "./vectors.ts";

interface DidVectors {
  canonical: string[];
  normalized: { input: string; did: string }[];
  refused: { input: string; reason: string }[];
  nonCanonical: string[];
  hashes: { did: string; didHash: string }[];
}

const vectors = await readVectors<DidVectors>("did");
const { load } = await createRegistrySuite();

describe("DID syntax of the registry (test vectors shared with the SDK)", () => {
  describe("canonical DIDs", () => {
    it("pass the syntax check of a mint", async () => {
      const { registry, stranger } = await load();
      const canonical = [...vectors.canonical, ...vectors.normalized.map(({ did }) => did)];
      for (const did of canonical) {
        await expect(registry.connect(stranger).mint.staticCall(...mintArguments({ did })), did)
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(id(did), stranger.address);
      }
    });

    it("have the same didHash as in the SDK", async () => {
      const { registry, publish } = await load();
      for (const { did, didHash } of vectors.hashes) {
        await publish({ did });
        expect(await registry.latestMajor(didHash), did).to.equal(1);
      }
    });
  });

  describe("other spellings", () => {
    it("revert with InvalidDID", async () => {
      const { registry, stranger } = await load();
      const refused = [
        ...vectors.nonCanonical,
        ...vectors.refused.map(({ input }) => input),
        ...vectors.normalized.filter(({ input, did }) => input !== did).map(({ input }) => input),
      ].filter((text) => text.isWellFormed());
      for (const did of refused) {
        await expect(registry.connect(stranger).mint.staticCall(...mintArguments({ did })), did)
          .to.be.revertedWithCustomError(registry, "InvalidDID")
          .withArgs(did);
      }
    });

    it("revert with InvalidDID if they contain NUL characters", async () => {
      const { registry, stranger } = await load();
      for (const did of ["did:web:example.com\0", "did:web:a\0b", "did:web:\0", "did:web:example.com:\0"]) {
        await expect(registry.connect(stranger).mint.staticCall(...mintArguments({ did })))
          .to.be.revertedWithCustomError(registry, "InvalidDID")
          .withArgs(did);
      }
    });
  });
});
