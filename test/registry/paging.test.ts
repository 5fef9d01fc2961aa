import { expect } from "chai";
import { createRegistrySuite, hashText, type Registry, Status } from "./fixture.ts";
import { listTokenIds } from "./listings.ts";

const { ethers, networkHelpers, load } = await createRegistrySuite();

const did = (index: number) => `did:web:service-${index}.example`;

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Creates 150 records with interfaces 1 to 7 in turn. The buyer holds every third; every fifth is Deprecated. */
async function deployPopulated(): Promise<Registry> {
  const suite = await load();
  const { registry, resolver, issuer, publisher, buyer, mint } = suite;
  const controller = publisher.address;
  const attestations = range(1, 150).map((id) => ({ didHash: hashText(did(id)), controller, expiresAt: 0 }));
  await resolver.connect(issuer).attestDIDBatch(attestations);
  for (const tokenId of range(1, 150)) {
    await mint(publisher, { did: did(tokenId), interfaces: ((tokenId - 1) % 7) + 1 });
    if (tokenId % 3 === 0) await registry.connect(publisher).transferFrom(publisher, buyer, tokenId);
    if (tokenId % 5 === 0) await registry.connect(publisher).updateStatus(did(tokenId), 1, Status.deprecated);
  }
  return suite;
}
const loadPopulated = () => networkHelpers.loadFixture(deployPopulated);

describe("Listings of records", () => {
  describe("by status", () => {
    it("return each record once, in order of token id, with any limit", async () => {
      const { registry } = await loadPopulated();
      for (const limit of [7, 64]) {
        for (const [status, expected] of [
          [Status.active, range(1, 150).filter((tokenId) => tokenId % 5 !== 0)],
          [Status.deprecated, range(1, 150).filter((tokenId) => tokenId % 5 === 0)],
          [Status.replaced, []],
        ] as const) {
          expect(
            await listTokenIds(registry, "getAppsByStatus", [status], limit),
            `status ${status}, limit ${limit}`,
          ).to.deep.equal(expected);
        }
      }
    });

    // @threat contracts: Make a listing exceed the gas limit, or miss or repeat an app
    it("neither omit nor repeat a record if statuses change between two pages", async () => {
      const { registry, publisher } = await loadPopulated();
      const found = await listTokenIds(registry, "getAppsByStatus", [Status.active], 10, async (page) => {
        // A record that was returned leaves the listing, an earlier one enters it, and a later one leaves it.
        if (page !== 2) return;
        await registry.connect(publisher).updateStatus(did(1), 1, Status.replaced);
        await registry.connect(publisher).updateStatus(did(5), 1, Status.active);
        await registry.connect(publisher).updateStatus(did(149), 1, Status.deprecated);
      });
      const expected = range(1, 150).filter((tokenId) => tokenId % 5 !== 0 && tokenId !== 149);
      expect(found).to.deep.equal(expected);
    });

    it("refuse a status that does not exist", async () => {
      const { registry } = await load();
      await expect(registry.getAppsByStatus(3, 0, 10))
        .to.be.revertedWithCustomError(registry, "InvalidStatus")
        .withArgs(3);
    });
  });

  describe("by owner", () => {
    it("return each record of the owner once, in any status", async () => {
      const { registry, publisher, buyer, stranger } = await loadPopulated();
      for (const [owner, expected] of [
        [publisher.address, range(1, 150).filter((tokenId) => tokenId % 3 !== 0)],
        [buyer.address, range(1, 150).filter((tokenId) => tokenId % 3 === 0)],
        [stranger.address, []],
        [ethers.ZeroAddress, []],
      ] as const) {
        expect(await listTokenIds(registry, "getAppsByOwner", [owner], 20)).to.deep.equal(expected);
      }
    });

    // @threat contracts: Make a listing exceed the gas limit, or miss or repeat an app
    it("neither omit nor repeat a record if tokens are transferred between two pages", async () => {
      const { registry, publisher, buyer } = await loadPopulated();
      const found = await listTokenIds(registry, "getAppsByOwner", [buyer.address], 10, async (page) => {
        if (page !== 2) return;
        await registry.connect(buyer).transferFrom(buyer, publisher, 3);
        await registry.connect(publisher).transferFrom(publisher, buyer, 4);
        await registry.connect(buyer).transferFrom(buyer, publisher, 150);
      });
      expect(found).to.deep.equal(range(1, 149).filter((tokenId) => tokenId % 3 === 0));
    });
  });

  describe("by interface", () => {
    for (const matchAll of [true, false]) {
      it(`return the Active records with ${matchAll ? "all" : "any"} of the interfaces`, async () => {
        const { registry } = await loadPopulated();
        for (const interfaces of range(1, 7)) {
          const expected = range(1, 150).filter((tokenId) => {
            const common = (((tokenId - 1) % 7) + 1) & interfaces;
            return tokenId % 5 !== 0 && (matchAll ? common === interfaces : common !== 0);
          });
          expect(
            await listTokenIds(registry, "getAppsByInterface", [interfaces, matchAll], 50),
            `interfaces ${interfaces}`,
          ).to.deep.equal(expected);
        }
      });
    }

    it("refuse a bitmap outside 1 to 7", async () => {
      const { registry } = await load();
      for (const interfaces of [0, 8, 0xffff]) {
        await expect(registry.getAppsByInterface(interfaces, true, 0, 10))
          .to.be.revertedWithCustomError(registry, "InvalidInterfaces")
          .withArgs(interfaces);
      }
    });
  });

  describe("with a cursor", () => {
    it("continue after the token id of the cursor, even if that record doesn't match", async () => {
      const { registry } = await loadPopulated();
      for (const cursor of [0, 1, 62, 63, 64, 65, 127, 128, 148]) {
        const { page } = await registry.getAppsByStatus(Status.active, cursor, 1);
        expect(page[0]).to.deep.equal(await registry.getAppSummary(did(Number(page[0]?.tokenId)), 1));
        const next = range(cursor + 1, 150).find((tokenId) => tokenId % 5 !== 0);
        expect(
          page.map(({ tokenId }) => Number(tokenId)),
          `cursor ${cursor}`,
        ).to.deep.equal([next]);
      }
    });

    it("are empty for a cursor at or above the last token id", async () => {
      const { registry } = await loadPopulated();
      // The last Deprecated record is the last token.
      expect((await registry.getAppsByStatus(Status.deprecated, 0, 30)).nextCursor).to.equal(0);
      for (const cursor of [150n, 151n, 2n ** 26n * 64n, 2n ** 256n - 1n]) {
        expect(await registry.getAppsByStatus(Status.active, cursor, 100)).to.deep.equal([[], 0n]);
      }
    });
  });

  describe("with a limit outside 1 to 100", () => {
    it("revert with InvalidLimit", async () => {
      const { registry, publisher } = await load();
      for (const limit of [0n, 101n, 2n ** 256n - 1n]) {
        for (const listing of [
          () => registry.getAppsByStatus(0, 0, limit),
          () => registry.getAppsByOwner(publisher, 0, limit),
          () => registry.getAppsByInterface(1, true, 0, limit),
        ]) {
          await expect(listing()).to.be.revertedWithCustomError(registry, "InvalidLimit").withArgs(limit);
        }
      }
    });

    it("are empty for an empty registry", async () => {
      const { registry, publisher } = await load();
      expect(await registry.getAppsByStatus(0, 0, 100)).to.deep.equal([[], 0n]);
      expect(await registry.getAppsByOwner(publisher, 0, 100)).to.deep.equal([[], 0n]);
      expect(await registry.getAppsByInterface(7, false, 0, 100)).to.deep.equal([[], 0n]);
    });
  });
});
