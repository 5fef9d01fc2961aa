import { expect } from "chai";
import { toBeHex, zeroPadValue } from "ethers";
import { createRegistrySuite, DID, didHash, type Registry, updateArguments } from "./fixture.ts";

const { ethers, networkHelpers, load } = await createRegistrySuite();

const VERSIONS_PER_WORD = 4;

describe("Record with 65,535 versions", function () {
  this.timeout(300_000);

  /**
   * Creates a record whose versions 0.1 to 255.255 were published in order, and that was reclaimed. Sending 65,535
   * updates would take hours, so the history is written to the storage directly.
   */
  async function loadLong() {
    const suite = await load();
    const { registry } = suite;
    await suite.publish({ version: [1, 0, 1] });
    const address = await registry.getAddress();
    const headSlot = await findSlot(address, didHash);
    const head = BigInt(await ethers.provider.getStorage(address, headSlot));
    const registeredAt = (head >> 80n) & 0xffffffffn;
    const toVersion = (index: number) => (registeredAt << 16n) | BigInt(index + 1);
    const packVersions = (from: number, count: number) =>
      Array.from({ length: count }, (_, place) => toVersion(from + place) << (48n * BigInt(place))).reduce(
        (word, version) => word | version,
        0n,
      );
    const last = 65_534;
    const inHead = (last % VERSIONS_PER_WORD) + 1;
    const historySlot = await findHistorySlot(suite);
    for (let word = 0; word * VERSIONS_PER_WORD <= last - inHead; word++) {
      const slot = ethers.keccak256(ethers.concat([toWord(word), historySlot]));
      await networkHelpers.setStorageAt(address, slot, toWord(packVersions(word * VERSIONS_PER_WORD, 4)));
    }
    const fixed = head & ((1n << 48n) - 1n);
    const full = fixed | (BigInt(last) << 48n) | (packVersions(last - inHead + 1, inHead) << 64n);
    await networkHelpers.setStorageAt(address, headSlot, toWord(full));
    await suite.reclaim();
    return suite;
  }

  const toWord = (value: bigint | number) => zeroPadValue(toBeHex(value), 32);

  /** Returns the slot of a mapping's first word for a key: the first candidate that is not zero. */
  async function findSlot(address: string, key: string) {
    for (let position = 0; position < 12; position++) {
      const slot = ethers.keccak256(ethers.concat([key, toWord(position)]));
      if (BigInt(await ethers.provider.getStorage(address, slot)) !== 0n) return slot;
    }
    throw new Error("No mapping holds the key");
  }

  /** Returns the base slot of token 1's history. Finds it through four updates, which fill a word, and undoes them. */
  async function findHistorySlot({ registry, publisher, update }: Registry) {
    const snapshot = await networkHelpers.takeSnapshot();
    for (const patch of [2, 3, 4, 5]) await update(publisher, { version: [1, 0, patch] });
    const address = await registry.getAddress();
    for (let position = 0; position < 12; position++) {
      const inner = ethers.keccak256(ethers.concat([toWord(1), toWord(position)]));
      const slot = ethers.keccak256(ethers.concat([toWord(0), inner]));
      const word = BigInt(await ethers.provider.getStorage(address, slot));
      if (word >> 160n === 0n || (word & 0xffffn) !== 1n) continue;
      await snapshot.restore();
      return inner;
    }
    throw new Error("No mapping holds the history");
  }

  let suite: Awaited<ReturnType<typeof loadLong>>;
  before(async () => {
    suite = await loadLong();
  });

  it("returns the last page of its version history", async () => {
    const { registry } = suite;
    const { page, nextCursor } = await registry.getVersionHistory(DID, 1, 65_500, 100);
    expect(nextCursor).to.equal(0);
    const { minor, patch } = page.at(-1) ?? {};
    expect([page.length, minor, patch]).to.deep.equal([35, 255n, 255n]);
  });

  it("accepts only its one missing version, with less than 1,000,000 gas", async () => {
    const { registry, second } = suite;
    const mine = registry.connect(second);
    for (const [minor, patch] of [
      [0, 1],
      [0, 2],
      [127, 255],
      [255, 254],
      [255, 255],
    ] as const) {
      await expect(mine.updateAppControlled(...updateArguments({ version: [1, minor, patch] })))
        .to.be.revertedWithCustomError(registry, "VersionTaken")
        .withArgs(1, minor, patch);
    }
    const sent = await mine.updateAppControlled(...updateArguments({ version: [1, 0, 0] }));
    expect((await sent.wait())?.gasUsed).to.be.lessThan(1_000_000n);
    expect((await registry.getAppSummary(DID, 1)).latestVersion.patch).to.equal(0);
  });
});
