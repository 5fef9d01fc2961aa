import { expect } from "chai";
import { dataSlice, id, toUtf8Bytes, toUtf8String, ZeroHash } from "ethers";
import { Algorithm, createRegistrySuite, DID, didHash, hashText, OTHER_DID } from "./fixture.ts";

const { ethers, time, load } = await createRegistrySuite();

const json = (version: string) => `{"name":"Example","version":"${version}"}`;

describe("AppMetadata", () => {
  /** Returns the DID's latest JSON and its version. */
  async function latest({ metadata }: Awaited<ReturnType<typeof load>>) {
    const { json: text, major, minor, patch } = await metadata.getMetadata(DID);
    return [text, `${major}.${minor}.${patch}`];
  }

  describe("when a DID has no JSON", () => {
    it("returns empty and zero values, with or without a record", async () => {
      const { metadata, publish } = await load();
      await publish();
      for (const did of [DID, OTHER_DID]) {
        expect(await metadata.getMetadataJson(did)).to.equal("");
        expect(await metadata.getMetadata(did)).to.deep.equal(["", 0n, 0n, 0n, ZeroHash, 0n]);
      }
    });
  });

  describe("when a JSON is stored", () => {
    for (const [name, algorithm] of Object.entries(Algorithm)) {
      it(`returns the JSON with version, ${name} hash and time`, async () => {
        const { metadata, publish } = await load();
        await publish({ json: json("1.2.3"), algorithm, version: [1, 2, 3] });
        expect(await metadata.getMetadata(DID)).to.deep.equal([
          json("1.2.3"),
          1n,
          2n,
          3n,
          hashText(json("1.2.3"), algorithm),
          BigInt(await time.latest()),
        ]);
      });
    }

    it("emits MetadataSet, whose pointer holds the JSON even after an update", async () => {
      const { metadata, publisher, publish, update } = await load();
      await publish({ json: json("1.0.0") });
      await update(publisher, { json: json("1.0.1") });
      const events = await metadata.queryFilter(metadata.filters.MetadataSet(didHash));
      expect(events.map(({ args }) => `${args.major}.${args.minor}.${args.patch}`)).to.deep.equal([
        "1.0.0",
        "1.0.1",
      ]);
      for (const { args, blockNumber } of events) {
        const code = await ethers.provider.getCode(args.pointer);
        expect(dataSlice(code, 0, 1)).to.equal("0x00");
        const text = toUtf8String(dataSlice(code, 1));
        expect(text).to.equal(json(`${args.major}.${args.minor}.${args.patch}`));
        expect(args.hash).to.equal(id(text));
        expect(args.did).to.equal(DID);
        expect(args.timestamp).to.equal((await ethers.provider.getBlock(blockNumber))?.timestamp);
      }
    });

    it("returns every byte of a text beyond ASCII", async () => {
      const { metadata, publish } = await load();
      const text = '{"name":"Zürich 東京 🗼"}';
      await publish({ json: text });
      expect(toUtf8Bytes(await metadata.getMetadataJson(DID))).to.deep.equal(toUtf8Bytes(text));
    });
  });

  describe("when an older major version is updated", () => {
    it("keeps the JSON of the higher major version, and emits MetadataSet for the older one", async () => {
      const suite = await load();
      const { metadata, publisher, second, attestAndWait, publish, update } = suite;
      await publish({ json: json("1.0.0") });
      await attestAndWait(second);
      await publish({ json: json("2.0.0"), version: [2, 0, 0] }, second);
      expect(await latest(suite)).to.deep.equal([json("2.0.0"), "2.0.0"]);
      await update(publisher, { json: json("1.9.9"), version: [1, 9, 9] });
      const events = await metadata.queryFilter(metadata.filters.MetadataSet(didHash));
      expect(events.map(({ args }) => args.isLatest)).to.deep.equal([true, true, false]);
      expect(await latest(suite)).to.deep.equal([json("2.0.0"), "2.0.0"]);
    });
  });

  describe("when an update has no JSON", () => {
    it("keeps the previous JSON and its version", async () => {
      const suite = await load();
      await suite.publish({ json: json("1.0.0") });
      await suite.update(suite.publisher, { dataHash: id("elsewhere") });
      expect(await latest(suite)).to.deep.equal([json("1.0.0"), "1.0.0"]);
    });
  });

  describe("when an older major is republished", () => {
    /** Lets a second controller take the latest JSON with version 2.255.255, which no update can follow. */
    async function loadHijacked() {
      const suite = await load();
      await suite.publish({ json: json("1.0.0") });
      await suite.attestAndWait(suite.second);
      await suite.publish({ json: json("hijacked"), version: [2, 255, 255] }, suite.second);
      return suite;
    }

    it("makes its JSON the latest again, and that of its next update", async () => {
      const suite = await loadHijacked();
      const { registry, metadata, publisher, update } = suite;
      await expect(registry.connect(publisher).republishMetadata(DID, 1, json("1.0.0")))
        .to.emit(metadata, "MetadataSet")
        .withArgs(
          didHash,
          DID,
          1,
          0,
          0,
          id(json("1.0.0")),
          (timestamp: bigint) => timestamp > 0n,
          (pointer: string) => pointer.length === 42,
          true,
        );
      expect(await latest(suite)).to.deep.equal([json("1.0.0"), "1.0.0"]);
      await update(publisher, { json: json("1.0.1") });
      expect(await latest(suite)).to.deep.equal([json("1.0.1"), "1.0.1"]);
    });

    it("accepts only a JSON that matches the record's hash and algorithm", async () => {
      const { registry, publisher, publish } = await loadHijacked();
      await expect(registry.connect(publisher).republishMetadata(DID, 1, json("1.0.1")))
        .to.be.revertedWithCustomError(registry, "DataHashMismatch")
        .withArgs(id(json("1.0.0")), id(json("1.0.1")));
      await expect(registry.connect(publisher).republishMetadata(DID, 1, "")).to.be.revertedWithCustomError(
        registry,
        "EmptyMetadata",
      );
      await publish({ did: OTHER_DID, algorithm: Algorithm.sha256, json: json("sha") });
      await registry.connect(publisher).republishMetadata(OTHER_DID, 1, json("sha"));
    });

    it("does not change the record", async () => {
      const { registry, publisher } = await loadHijacked();
      const before = await registry.getApp(DID, 1);
      await registry.connect(publisher).republishMetadata(DID, 1, json("1.0.0"));
      expect(await registry.getApp(DID, 1)).to.deep.equal(before);
    });
  });

  describe("when an account other than the registry writes", () => {
    it("reverts with OnlyRegistry", async () => {
      const { metadata, publisher } = await load();
      await expect(metadata.connect(publisher).setMetadata(DID, didHash, 1, 0, 0, id("{}"), 0, "{}", true))
        .to.be.revertedWithCustomError(metadata, "OnlyRegistry")
        .withArgs(publisher.address);
    });
  });
});
