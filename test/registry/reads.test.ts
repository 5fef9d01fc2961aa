import { expect } from "chai";
import { id, ZeroAddress } from "ethers";
import type { AppRegistry } from "../../packages/sdk/generated/ethers/index.ts";
import {
  createRegistrySuite,
  DATA_URL,
  DID,
  hashText,
  OTHER_DID,
  traits,
  updateArguments,
} from "./fixture.ts";

const { load } = await createRegistrySuite();

describe("Record", () => {
  describe("when it exists", () => {
    it("return the same record by DID and by token id", async () => {
      const { registry, publisher, publish, update } = await load();
      await publish({ traitHashes: traits(3) });
      await publish({ version: [2, 0, 0], dataUrl: "https://example.com/2" });
      await update(publisher, { version: [2, 1, 0] });
      for (const major of [1, 2]) {
        expect(await registry.getAppByTokenId(major)).to.deep.equal(await registry.getApp(DID, major));
      }
    });

    it("return a summary with token id, owner and latest version instead of the history", async () => {
      const { registry, publisher, buyer, publish, update } = await load();
      await publish({ interfaces: 5, contractId: "c", fungibleTokenId: "f", traitHashes: traits(2) });
      await update(publisher, { version: [1, 7, 9] });
      await registry.connect(publisher).transferFrom(publisher.address, buyer.address, 1);
      const summary = await registry.getAppSummary(DID, 1);
      const { versionHistory } = await registry.getApp(DID, 1);
      expect(summary).to.deep.equal([
        1n,
        buyer.address,
        DID,
        1n,
        versionHistory.at(-1),
        5n,
        DATA_URL,
        hashText("{}"),
        0n,
        "c",
        "f",
        publisher.address,
        0n,
        traits(2),
      ]);
    });
  });

  describe("when it does not exist", () => {
    type Call = (registry: AppRegistry, did: string, major: number) => Promise<unknown>;
    const calls: Record<string, Call> = {
      getApp: (registry, ...record) => registry.getApp(...record),
      getAppSummary: (registry, ...record) => registry.getAppSummary(...record),
      versionOrder: (registry, ...record) => registry.versionOrder(...record),
      hasMinterLost: (registry, ...record) => registry.hasMinterLost(...record),
      getVersionHistory: (registry, ...record) => registry.getVersionHistory(...record, 0, 1),
      hasAnyTraits: (registry, ...record) => registry.hasAnyTraits(...record, []),
      hasAllTraits: (registry, ...record) => registry.hasAllTraits(...record, []),
      getReclaim: (registry, ...record) => registry.getReclaim(...record, ZeroAddress),
      openReclaim: (registry, ...record) => registry.openReclaim(...record),
      finishReclaim: (registry, ...record) => registry.finishReclaim(...record),
      dismissReclaims: (registry, ...record) => registry.dismissReclaims(...record),
      updateStatus: (registry, ...record) => registry.updateStatus(...record, 1),
      republishMetadata: (registry, ...record) => registry.republishMetadata(...record, "{}"),
      updateAppControlled: (registry, did, major) =>
        registry.updateAppControlled(...updateArguments({ did, version: [major, 1, 0] })),
    };
    for (const [name, call] of Object.entries(calls)) {
      it(`${name} reverts with AppNotFound`, async () => {
        const { registry, publisher, publish } = await load();
        await publish();
        for (const [did, major] of [
          [OTHER_DID, 1],
          [OTHER_DID, 0],
          [DID, 2],
        ] as const) {
          await expect(call(registry.connect(publisher), did, major))
            .to.be.revertedWithCustomError(registry, "AppNotFound")
            .withArgs(id(did), major);
        }
      });
    }

    it("latestMajor reverts with AppNotFound", async () => {
      const { registry } = await load();
      await expect(registry.latestMajor(id(OTHER_DID)))
        .to.be.revertedWithCustomError(registry, "AppNotFound")
        .withArgs(id(OTHER_DID), 0);
    });

    it("return token id 0, and revert with TokenNotFound for token id 0", async () => {
      const { registry, publish } = await load();
      await publish();
      expect(await registry.tokenIdOf(OTHER_DID, 1)).to.equal(0);
      expect(await registry.tokenIdOf(DID, 0)).to.equal(0);
      for (const tokenId of [0n, 2n, 2n ** 32n + 1n, 2n ** 256n - 1n]) {
        await expect(registry.getAppByTokenId(tokenId))
          .to.be.revertedWithCustomError(registry, "TokenNotFound")
          .withArgs(tokenId);
      }
    });

    it("return token id 0 for another spelling of the DID", async () => {
      const { registry, publish } = await load();
      await publish();
      expect(await registry.tokenIdOf("did:web:Example.com", 1)).to.equal(0);
    });
  });

  describe("with traits", () => {
    it("return true if the record has any or all of the given traits", async () => {
      const { registry, publish } = await load();
      await publish({ traitHashes: traits(3) });
      const [first, second, third] = traits(3) as [string, string, string];
      const other = id("other");
      const cases: [wanted: string[], any: boolean, all: boolean][] = [
        [[first], true, true],
        [[third, second, first], true, true],
        [[first, first], true, true],
        [[other, third], true, false],
        [[other], false, false],
        [[], false, true],
      ];
      for (const [wanted, any, all] of cases) {
        expect(await registry.hasAnyTraits(DID, 1, wanted), `any of ${wanted}`).to.equal(any);
        expect(await registry.hasAllTraits(DID, 1, wanted), `all of ${wanted}`).to.equal(all);
      }
    });

    it("return false if the record has no traits", async () => {
      const { registry, publish } = await load();
      await publish();
      expect(await registry.hasAnyTraits(DID, 1, traits(1))).to.equal(false);
      expect(await registry.hasAllTraits(DID, 1, traits(1))).to.equal(false);
    });
  });

  describe("getVersionHistory", () => {
    /** Loads a record with ten versions, 1.0.0 to 1.0.9. */
    async function loadTen() {
      const suite = await load();
      await suite.publish();
      for (let patch = 1; patch < 10; patch++)
        await suite.update(suite.publisher, { version: [1, 0, patch] });
      return suite;
    }

    it("returns every version once, oldest first, with any limit", async () => {
      const { registry } = await loadTen();
      const { versionHistory } = await registry.getApp(DID, 1);
      for (let limit = 1; limit <= 11; limit++) {
        const read: unknown[] = [];
        let cursor = 0n;
        do {
          const { page, nextCursor } = await registry.getVersionHistory(DID, 1, cursor, limit);
          expect(page.length).to.be.at.most(limit);
          read.push(...page);
          cursor = nextCursor;
        } while (cursor !== 0n);
        expect(read, `limit ${limit}`).to.deep.equal([...versionHistory]);
      }
    });

    it("returns an empty page after the last version", async () => {
      const { registry } = await loadTen();
      for (const cursor of [10n, 11n, 2n ** 256n - 1n]) {
        expect(await registry.getVersionHistory(DID, 1, cursor, 100)).to.deep.equal([[], 0n]);
      }
    });

    it("refuses a limit outside 1 to 100", async () => {
      const { registry } = await loadTen();
      for (const limit of [0n, 101n, 2n ** 256n - 1n]) {
        await expect(registry.getVersionHistory(DID, 1, 0, limit))
          .to.be.revertedWithCustomError(registry, "InvalidLimit")
          .withArgs(limit);
      }
    });
  });
});
