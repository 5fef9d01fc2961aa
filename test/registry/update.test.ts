import { expect } from "chai";
import { id } from "ethers";
import {
  Algorithm,
  createRegistrySuite,
  DATA_URL,
  DID,
  didHash,
  hashText,
  Interface,
  Status,
  traits,
} from "./fixture.ts";

const { ethers, time, load } = await createRegistrySuite();

const NEW_URL = "https://example.com/metadata/1.0.1.json";
const json = '{"name":"Example","version":"1.0.1"}';

describe("updateAppControlled", () => {
  describe("when a new version is published", () => {
    it("stores version, dataHash and algorithm, and keeps the fields left empty", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ traitHashes: traits(2) });
      await update(publisher, { dataHash: id("next"), algorithm: Algorithm.sha256, version: [1, 0, 1] });
      const app = await registry.getApp(DID, 1);
      expect([app.dataHash, app.dataHashAlgorithm]).to.deep.equal([id("next"), 1n]);
      expect([app.dataUrl, app.interfaces, [...app.traitHashes]]).to.deep.equal([DATA_URL, 2n, traits(2)]);
      expect(app.minter).to.equal(publisher.address);
    });

    it("replaces dataUrl, traits and interfaces, and keeps the other fields", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ contractId: "eip155:1:0x01", fungibleTokenId: "eip155:1/slip44:60" });
      await update(publisher, {
        dataUrl: NEW_URL,
        interfaces: Interface.api + Interface.human,
        traitHashes: traits(20),
        version: [1, 1, 0],
      });
      const app = await registry.getApp(DID, 1);
      expect([app.dataUrl, app.interfaces, [...app.traitHashes]]).to.deep.equal([NEW_URL, 3n, traits(20)]);
      expect([app.did, app.contractId, app.fungibleTokenId]).to.deep.equal([
        DID,
        "eip155:1:0x01",
        "eip155:1/slip44:60",
      ]);
      expect(app.minter).to.equal(publisher.address);
    });

    it("emits AppUpdated with the bitmap after the update", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish();
      const input = { dataUrl: NEW_URL, dataHash: id("next"), traitHashes: traits(1) };
      await expect(update(publisher, { ...input, version: [1, 0, 1] }))
        .to.emit(registry, "AppUpdated")
        .withArgs(1, didHash, 1, 0, 1, Interface.api, NEW_URL, id("next"), 0, traits(1));
      await expect(update(publisher, { interfaces: 7, version: [1, 1, 0] }))
        .to.emit(registry, "AppUpdated")
        .withArgs(1, didHash, 1, 1, 0, 7, "", hashText("{}"), 0, []);
    });

    it("writes no new blob if dataUrl and traits are unchanged", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ traitHashes: traits(2) });
      const created = () => ethers.provider.getTransactionCount(registry);
      const before = await created();
      await expect(update(publisher, { dataUrl: DATA_URL, traitHashes: traits(2) })).not.to.emit(
        registry,
        "MetadataUpdate",
      );
      expect(await created()).to.equal(before);
      const app = await registry.getAppSummary(DID, 1);
      expect([app.dataUrl, [...app.traitHashes]]).to.deep.equal([DATA_URL, traits(2)]);
      const others = traits(3).slice(1);
      await update(publisher, { dataUrl: DATA_URL, traitHashes: others, version: [1, 0, 2] });
      expect(await created()).to.equal(before + 1);
      expect((await registry.getAppSummary(DID, 1)).traitHashes).to.deep.equal(others);
    });

    it("stores the JSON in the same transaction", async () => {
      const { metadata, publisher, publish, update } = await load();
      await publish();
      await expect(update(publisher, { json, version: [1, 2, 3] }))
        .to.emit(metadata, "MetadataSet")
        .withArgs(
          didHash,
          DID,
          1,
          2,
          3,
          id(json),
          (timestamp: bigint) => timestamp > 0n,
          (pointer: string) => pointer.length === 42,
          true,
        );
      expect(await metadata.getMetadataJson(DID)).to.equal(json);
    });

    it("does not change the other major versions of the DID", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish();
      await publish({ version: [2, 0, 0] });
      await update(publisher, { dataUrl: NEW_URL, dataHash: id("two"), version: [2, 0, 1] });
      expect((await registry.getApp(DID, 1)).dataUrl).to.equal(DATA_URL);
      expect((await registry.getAppSummary(DID, 1)).latestVersion.patch).to.equal(0);
      expect((await registry.getAppSummary(DID, 2)).latestVersion.patch).to.equal(1);
      await update(publisher, { version: [1, 5, 0] });
      expect(await registry.latestMajor(didHash)).to.equal(2);
    });

    it("works in every status, and keeps it", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish();
      for (const status of [Status.deprecated, Status.replaced]) {
        await registry.connect(publisher).updateStatus(DID, 1, status);
        await update(publisher, { version: [1, status, 0] });
        expect((await registry.getApp(DID, 1)).status).to.equal(status);
      }
    });
  });

  describe("with interfaces", () => {
    it("keeps the interfaces for 0 and for the current bitmap in a patch version", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ interfaces: 5 });
      await update(publisher, { interfaces: 0, version: [1, 0, 1] });
      await update(publisher, { interfaces: 5, version: [1, 0, 2] });
      expect((await registry.getApp(DID, 1)).interfaces).to.equal(5);
    });

    it("refuses to remove an interface", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ interfaces: 3 });
      for (const interfaces of [1, 2, 4, 5, 6]) {
        await expect(update(publisher, { interfaces, version: [1, 1, 0] }))
          .to.be.revertedWithCustomError(registry, "InterfaceRemoved")
          .withArgs(3, interfaces);
      }
    });

    it("adds an interface only with a higher minor version", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ interfaces: 1 });
      await expect(update(publisher, { interfaces: 5, version: [1, 0, 1] }))
        .to.be.revertedWithCustomError(registry, "InterfaceChangeNeedsMinor")
        .withArgs(1, 5);
      await update(publisher, { interfaces: 5, version: [1, 1, 0] });
      expect((await registry.getApp(DID, 1)).interfaces).to.equal(5);
    });

    it("lists the record by an added interface once the record is Active", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ interfaces: 1 });
      await registry.connect(publisher).updateStatus(DID, 1, Status.deprecated);
      await update(publisher, { interfaces: 5, version: [1, 1, 0] });
      expect((await registry.getAppsByInterface(4, true, 0, 10)).page).to.have.lengthOf(0);
      await registry.connect(publisher).updateStatus(DID, 1, Status.active);
      expect((await registry.getAppsByInterface(4, true, 0, 10)).page).to.have.lengthOf(1);
    });
  });

  describe("when several versions are published", () => {
    it("keeps all versions with their times, oldest first", async () => {
      const { registry, publisher, publish, update } = await load();
      const expected: bigint[][] = [];
      await publish();
      expected.push([1n, 0n, 0n, BigInt(await time.latest())]);
      for (let patch = 1; patch <= 13; patch++) {
        await time.increase(patch * 60);
        await update(publisher, { version: [1, 0, patch] });
        expected.push([1n, 0n, BigInt(patch), BigInt(await time.latest())]);
        expect((await registry.getApp(DID, 1)).versionHistory).to.deep.equal(expected);
        expect((await registry.getAppSummary(DID, 1)).latestVersion).to.deep.equal(expected.at(-1));
      }
    });
  });
});
