import { expect } from "chai";
import { id } from "ethers";
import { createRegistrySuite, mintArguments } from "../registry/fixture.ts";
import { readVectors } from "./vectors.ts";

interface DidVectors {
  canonical: string[];
  normalised: { input: string; did: string }[];
  refused: { input: string; reason: string }[];
  nonCanonical: string[];
  hashes: { did: string; didHash: string }[];
}

const vectors = await readVectors<DidVectors>("did");
const { load } = await createRegistrySuite();

describe("The registry's DID syntax, over the vectors it shares with the sdk", () => {
  describe("with a canonical DID", () => {
    it("takes it as far as the check of its controller", async () => {
      const { registry, stranger } = await load();
      const canonical = [...vectors.canonical, ...vectors.normalised.map(({ did }) => did)];
      for (const did of canonical) {
        await expect(registry.connect(stranger).mint.staticCall(...mintArguments({ did })), did)
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(id(did), stranger.address);
      }
    });

    it("keys it by the same didHash", async () => {
      const { registry, publish } = await load();
      for (const { did, didHash } of vectors.hashes) {
        await publish({ did });
        expect(await registry.latestMajor(didHash), did).to.equal(1);
      }
    });
  });

  describe("with any other spelling", () => {
    it("refuses it", async () => {
      const { registry, stranger } = await load();
      const refused = [
        ...vectors.nonCanonical,
        ...vectors.refused.map(({ input }) => input),
        ...vectors.normalised.filter(({ input, did }) => input !== did).map(({ input }) => input),
      ].filter((text) => text.isWellFormed());
      for (const did of refused) {
        await expect(registry.connect(stranger).mint.staticCall(...mintArguments({ did })), did)
          .to.be.revertedWithCustomError(registry, "InvalidDID")
          .withArgs(did);
      }
    });

    it("refuses bytes that stand where no text would show them", async () => {
      const { registry, stranger } = await load();
      for (const did of ["did:web:example.com\0", "did:web:a\0b", "did:web:\0", "did:web:example.com:\0"]) {
        await expect(registry.connect(stranger).mint.staticCall(...mintArguments({ did })))
          .to.be.revertedWithCustomError(registry, "InvalidDID")
          .withArgs(did);
      }
    });
  });
});
