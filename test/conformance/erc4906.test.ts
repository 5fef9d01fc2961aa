import { expect } from "chai";
import { id } from "ethers";
import { createRegistrySuite, DATA_URL, DID, hashText, Interface, Status } from "../registry/fixture.ts";

const { load } = await createRegistrySuite();

const otherHash = id("other");
const otherUrl = "https://example.com/other.json";

describe("MetadataUpdate (ERC-4906)", () => {
  for (const [name, input, isNew] of [
    ["another dataUrl", { dataUrl: otherUrl }, true],
    ["another dataHash", { dataHash: otherHash }, true],
    ["both", { dataUrl: otherUrl, dataHash: otherHash }, true],
    ["another dataUrl, the same hash and new traits", { dataUrl: otherUrl, traitHashes: [id("a")] }, true],
    ["only a new version", {}, false],
    ["the current dataUrl", { dataUrl: DATA_URL }, false],
    ["only new traits", { traitHashes: [id("a")] }, false],
    [
      "only a new interface",
      { interfaces: Interface.api + Interface.human, version: [1, 1, 0] as [number, number, number] },
      false,
    ],
    ["the JSON of the same document", { json: "{}", dataHash: hashText("{}") }, false],
  ] as const) {
    it(`is ${isNew ? "emitted" : "not emitted"} by an update with ${name}`, async () => {
      const { registry, publisher, publish, update } = await load();
      await publish();
      const sent = update(publisher, {
        ...input,
        traitHashes: [...("traitHashes" in input ? input.traitHashes : [])],
      });
      if (isNew) await expect(sent).to.emit(registry, "MetadataUpdate").withArgs(1);
      else await expect(sent).not.to.emit(registry, "MetadataUpdate");
    });
  }

  it("is not emitted by a mint, a transfer, a status change or a republication", async () => {
    const { registry, publisher, buyer, publish } = await load();
    const mine = registry.connect(publisher);
    await expect(publish({ json: "{}" })).not.to.emit(registry, "MetadataUpdate");
    await expect(mine.updateStatus(DID, 1, Status.deprecated)).not.to.emit(registry, "MetadataUpdate");
    await expect(mine.republishMetadata(DID, 1, "{}")).not.to.emit(registry, "MetadataUpdate");
    await expect(mine.transferFrom(publisher, buyer, 1)).not.to.emit(registry, "MetadataUpdate");
  });
});
