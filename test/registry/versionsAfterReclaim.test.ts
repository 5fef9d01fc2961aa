import { expect } from "chai";
import { id } from "ethers";
import { createRegistrySuite, DAY, DID, Interface } from "./fixture.ts";

const { time, load } = await createRegistrySuite();

type Version = [major: number, minor: number, patch: number];

const VersionOrder = { rising: 0, lowered: 1, open: 2 } as const;

const json = (version: string) => `{"version":"${version}"}`;

/** Creates a record with the versions 1.0.0 and `versions` that `second` has reclaimed. */
async function loadReclaimed(...versions: [minor: number, patch: number][]) {
  const suite = await load();
  const { publisher, publish, update } = suite;
  await publish({ json: json("1.0.0") });
  for (const [minor, patch] of versions) {
    await update(publisher, { version: [1, minor, patch], json: json(`1.${minor}.${patch}`) });
  }
  await suite.reclaim();
  const next = (minor: number, patch: number, input = {}) =>
    update(suite.second, { version: [1, minor, patch], ...input });
  return { ...suite, next };
}

describe("After a finished reclaim", () => {
  describe("the first update", () => {
    it("may set a lower version, which the next one must exceed", async () => {
      const { registry, next } = await loadReclaimed([7, 3]);
      expect(await registry.versionOrder(DID, 1)).to.equal(VersionOrder.open);
      await next(2, 1);
      expect(await registry.versionOrder(DID, 1)).to.equal(VersionOrder.lowered);
      const { latestVersion } = await registry.getAppSummary(DID, 1);
      expect([latestVersion.major, latestVersion.minor, latestVersion.patch]).to.deep.equal([1n, 2n, 1n]);
      await expect(next(2, 0))
        .to.be.revertedWithCustomError(registry, "VersionNotGreater")
        .withArgs(2, 1, 2, 0);
      await next(2, 2);
    });

    it("may set a higher version, which the next one must exceed", async () => {
      const { registry, next } = await loadReclaimed([7, 3]);
      await next(7, 4);
      expect(await registry.versionOrder(DID, 1)).to.equal(VersionOrder.rising);
      await expect(next(2, 1))
        .to.be.revertedWithCustomError(registry, "VersionNotGreater")
        .withArgs(7, 4, 2, 1);
      await next(7, 5);
    });

    it("may leave x.255.255", async () => {
      const { registry, next } = await loadReclaimed([255, 255]);
      await next(0, 1);
      await next(0, 2);
      expect(
        (await registry.getApp(DID, 1)).versionHistory.map(({ minor, patch }) => [minor, patch]),
      ).to.deep.equal([
        [0n, 0n],
        [255n, 255n],
        [0n, 1n],
        [0n, 2n],
      ]);
    });

    it("can't add an interface with a lower minor version", async () => {
      const { registry, next } = await loadReclaimed([255, 255]);
      const interfaces = Interface.api + Interface.human;
      await expect(next(1, 0, { interfaces }))
        .to.be.revertedWithCustomError(registry, "InterfaceChangeNeedsMinor")
        .withArgs(Interface.api, interfaces);
      await next(1, 0);
      await next(2, 0, { interfaces });
    });
  });

  describe("a version that the record has had", () => {
    // @threat contracts: Lower, exhaust or freeze a DID's versions
    it("is refused with the same and with other content, at any position of the history", async () => {
      const patches = Array.from({ length: 9 }, (_, index): [number, number] => [0, index + 1]);
      const { registry, next } = await loadReclaimed(...patches, [255, 255]);
      for (const [minor, patch] of [[0, 0] as const, ...patches, [255, 255] as const]) {
        for (const text of [json(`1.${minor}.${patch}`), json("other")]) {
          await expect(next(minor, patch, { json: text }))
            .to.be.revertedWithCustomError(registry, "VersionTaken")
            .withArgs(1, minor, patch);
        }
      }
      await next(0, 10);
    });

    it("is refused as long as the current version is below the highest", async () => {
      const { registry, next } = await loadReclaimed([1, 0], [3, 0]);
      await next(0, 1);
      await expect(next(1, 0)).to.be.revertedWithCustomError(registry, "VersionTaken").withArgs(1, 1, 0);
      await next(2, 0);
      await expect(next(3, 0)).to.be.revertedWithCustomError(registry, "VersionTaken").withArgs(1, 3, 0);
      await next(3, 1);
      await next(3, 2);
    });

    it("uses gas to search the history only until the current version is the highest", async () => {
      const { next } = await loadReclaimed([1, 0], [1, 1], [1, 2], [1, 3], [3, 0]);
      const measureGas = async (minor: number, patch: number) =>
        Number((await (await next(minor, patch))?.wait())?.gasUsed);
      await next(0, 1);
      // Four versions fill a slot. Both measurements must write at the same place of a slot to be comparable.
      const searching = await measureGas(0, 2);
      await next(3, 1);
      for (const patch of [2, 3]) await next(3, patch);
      const ordinary = await measureGas(3, 4);
      expect(searching - ordinary).to.be.greaterThan(2_100);
    });
  });

  describe("a further reclaim", () => {
    it("allows a lower version once more", async () => {
      const { registry, second, operator, reclaim, next, update } = await loadReclaimed([255, 255]);
      await next(255, 254);
      await reclaim(operator, second);
      const version: Version = [1, 255, 254];
      await expect(update(operator, { version })).to.be.revertedWithCustomError(registry, "VersionTaken");
      await update(operator, { version: [1, 0, 1] });
    });
  });

  describe("the DID's JSON", () => {
    it("is replaced by the JSON of a lower version of the same record", async () => {
      const { metadata, next } = await loadReclaimed([255, 255]);
      expect(await metadata.getMetadataJson(DID)).to.equal(json("1.255.255"));
      await next(0, 1, { json: json("1.0.1") });
      expect([...(await metadata.getMetadata(DID)).slice(0, 5)]).to.deep.equal([
        json("1.0.1"),
        1n,
        0n,
        1n,
        id(json("1.0.1")),
      ]);
    });
  });
});

describe("Without a finished reclaim", () => {
  it("an open reclaim does not allow a lower version", async () => {
    const suite = await load();
    const { registry, publisher, second, attestAndWait, loseControl, publish, update } = suite;
    await publish({ version: [1, 255, 255] });
    await attestAndWait(second);
    await loseControl(publisher);
    await registry.connect(second).openReclaim(DID, 1);
    await time.increase(3 * DAY);
    await attestAndWait(publisher);
    await expect(update(publisher, { version: [1, 1, 0] }))
      .to.be.revertedWithCustomError(registry, "VersionExhausted")
      .withArgs(1);
  });
});
