import { expect } from "chai";
import { createRegistrySuite, DID, didHash, Status } from "./fixture.ts";

const { load } = await createRegistrySuite();

const { active, deprecated, replaced } = Status;

describe("updateStatus", () => {
  describe("when the status changes", () => {
    for (const [from, to] of [
      [active, deprecated],
      [active, replaced],
      [deprecated, active],
      [deprecated, replaced],
      [replaced, active],
      [replaced, deprecated],
    ] as const) {
      it(`changes the status from ${from} to ${to} and emits StatusUpdated`, async () => {
        const { registry, publisher, publish } = await load();
        await publish();
        const mine = registry.connect(publisher);
        if (from !== active) await mine.updateStatus(DID, 1, from);
        await expect(mine.updateStatus(DID, 1, to))
          .to.emit(registry, "StatusUpdated")
          .withArgs(1, didHash, from, to);
        expect((await registry.getApp(DID, 1)).status).to.equal(to);
        for (const status of [active, deprecated, replaced]) {
          expect(await registry.countByStatus(status)).to.equal(status === to ? 1 : 0);
          const { page } = await registry.getAppsByStatus(status, 0, 10);
          expect(page).to.have.lengthOf(status === to ? 1 : 0);
        }
      });
    }

    it("keeps the interfaces in every status", async () => {
      const { registry, publisher, publish } = await load();
      await publish({ interfaces: 5 });
      for (const status of [replaced, deprecated, active]) {
        await registry.connect(publisher).updateStatus(DID, 1, status);
        expect((await registry.getApp(DID, 1)).interfaces).to.equal(5);
      }
      expect((await registry.getAppsByInterface(5, true, 0, 10)).page).to.have.lengthOf(1);
    });
  });

  describe("with an invalid value", () => {
    it("refuses the current status", async () => {
      const { registry, publisher, publish } = await load();
      await publish();
      const mine = registry.connect(publisher);
      await expect(mine.updateStatus(DID, 1, active))
        .to.be.revertedWithCustomError(registry, "StatusUnchanged")
        .withArgs(active);
      await mine.updateStatus(DID, 1, deprecated);
      await expect(mine.updateStatus(DID, 1, deprecated))
        .to.be.revertedWithCustomError(registry, "StatusUnchanged")
        .withArgs(deprecated);
    });

    // @threat contracts: Store an invalid hash, algorithm, status or interface
    it("refuses any other number", async () => {
      const { registry, publisher, publish } = await load();
      await publish();
      for (const status of [3, 200, 255]) {
        await expect(registry.connect(publisher).updateStatus(DID, 1, status))
          .to.be.revertedWithCustomError(registry, "InvalidStatus")
          .withArgs(status);
        await expect(registry.countByStatus(status))
          .to.be.revertedWithCustomError(registry, "InvalidStatus")
          .withArgs(status);
      }
    });
  });

  describe("when the caller is a controller but neither minter nor holder", () => {
    it("accepts Deprecated and Replaced", async () => {
      const { registry, second, attestAndWait, publish } = await load();
      await publish();
      await attestAndWait(second);
      await registry.connect(second).updateStatus(DID, 1, deprecated);
      await registry.connect(second).updateStatus(DID, 1, replaced);
      expect((await registry.getApp(DID, 1)).status).to.equal(replaced);
    });

    it("refuses Active", async () => {
      const { registry, publisher, second, attestAndWait, publish } = await load();
      await publish();
      await attestAndWait(second);
      await registry.connect(publisher).updateStatus(DID, 1, deprecated);
      await expect(registry.connect(second).updateStatus(DID, 1, active))
        .to.be.revertedWithCustomError(registry, "NotAuthorized")
        .withArgs(1, second.address);
    });

    it("refuses the caller until its attestation has matured, and refuses strangers", async () => {
      const { registry, second, stranger, attest, publish } = await load();
      await publish();
      await attest(second);
      for (const caller of [second, stranger]) {
        await expect(registry.connect(caller).updateStatus(DID, 1, deprecated))
          .to.be.revertedWithCustomError(registry, "NotAuthorized")
          .withArgs(1, caller.address);
      }
    });
  });
});
