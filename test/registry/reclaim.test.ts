import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createRegistrySuite, DAY, DID, didHash, OTHER_DID, type Registry, type Signer } from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const DELAY = 30 * DAY;
const WINDOW = 30 * DAY;

/** A record whose minter and holder, one account, lost the DID to `second`, who counts. */
async function loadLost() {
  const suite = await load();
  await suite.publish();
  await suite.attestAndWait(suite.second);
  await suite.revoke(suite.publisher);
  return suite;
}

describe("Reclaiming a record", () => {
  describe("when neither minter nor holder controls the DID", () => {
    it("opens for a controller, and says from when it can be finished", async () => {
      const { registry, second } = await loadLost();
      const finishableAt = (await time.latest()) + 1000 + DELAY;
      await time.setNextBlockTimestamp(finishableAt - DELAY);
      await expect(registry.connect(second).openReclaim(DID, 1))
        .to.emit(registry, "ReclaimOpened")
        .withArgs(1, second, finishableAt);
      expect(await registry.getReclaim(DID, 1)).to.deep.equal([second.address, BigInt(finishableAt)]);
    });

    it("moves the token 30 days later, and the new holder may change the record", async () => {
      const { registry, publisher, second, update } = await loadLost();
      const mine = registry.connect(second);
      await mine.openReclaim(DID, 1);
      const { finishableAt } = await registry.getReclaim(DID, 1);
      await time.setNextBlockTimestamp(finishableAt - 1n);
      await expect(mine.finishReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimNotFinishable")
        .withArgs(1, finishableAt);
      await time.setNextBlockTimestamp(finishableAt);
      const finishing = mine.finishReclaim(DID, 1);
      await expect(finishing).to.emit(registry, "Transfer").withArgs(publisher, second, 1);
      await expect(finishing).to.emit(registry, "ReclaimFinished").withArgs(1, second, publisher);
      expect(await registry.ownerOf(1)).to.equal(second);
      expect(await registry.getReclaim(DID, 1)).to.deep.equal([ZeroAddress, 0n]);
      expect((await registry.getAppsByOwner(second, 0, 10)).page).to.have.lengthOf(1);
      await update(second);
    });

    it("ends an approval that the former holder left behind", async () => {
      const { registry, publisher, second, operator } = await loadLost();
      await registry.connect(publisher).approve(operator, 1);
      await registry.connect(second).openReclaim(DID, 1);
      await time.increase(DELAY);
      await registry.connect(second).finishReclaim(DID, 1);
      expect(await registry.getApproved(1)).to.equal(ZeroAddress);
    });

    it("follows the token when it is transferred meanwhile to somebody without control", async () => {
      const { registry, publisher, buyer, second } = await loadLost();
      await registry.connect(second).openReclaim(DID, 1);
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      await time.increase(DELAY);
      await expect(registry.connect(second).finishReclaim(DID, 1))
        .to.emit(registry, "ReclaimFinished")
        .withArgs(1, second, buyer);
    });
  });

  describe("when the caller is not its claimant", () => {
    it("refuses to open without control of the DID", async () => {
      const { registry, publisher, stranger } = await loadLost();
      for (const caller of [publisher, stranger]) {
        await expect(registry.connect(caller).openReclaim(DID, 1))
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(didHash, caller);
      }
    });

    it("refuses to finish and to lapse somebody else's", async () => {
      const { registry, second, stranger } = await loadLost();
      await registry.connect(second).openReclaim(DID, 1);
      await time.increase(DELAY);
      await expect(registry.connect(stranger).finishReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1);
      await expect(registry.connect(stranger).lapseReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1);
    });

    it("refuses to finish or lapse one that was never opened", async () => {
      const { registry, second } = await loadLost();
      for (const call of [registry.connect(second).finishReclaim, registry.connect(second).lapseReclaim]) {
        await expect(call(DID, 1)).to.be.revertedWithCustomError(registry, "ReclaimNotOpen").withArgs(1);
      }
    });

    it("refuses a record that does not exist", async () => {
      const { registry, second } = await loadLost();
      const mine = registry.connect(second);
      for (const call of [mine.openReclaim, mine.lapseReclaim, mine.finishReclaim, mine.getReclaim]) {
        await expect(call(OTHER_DID, 1)).to.be.revertedWithCustomError(registry, "AppNotFound");
      }
    });
  });

  describe("when the claimant stops", () => {
    it("lapses by its own will, and may be opened anew with a new wait", async () => {
      const { registry, second } = await loadLost();
      const mine = registry.connect(second);
      await mine.openReclaim(DID, 1);
      await time.increase(DELAY);
      await expect(mine.lapseReclaim(DID, 1)).to.emit(registry, "ReclaimLapsed").withArgs(1, second);
      await mine.openReclaim(DID, 1);
      await expect(mine.finishReclaim(DID, 1)).to.be.revertedWithCustomError(
        registry,
        "ReclaimNotFinishable",
      );
    });

    it("does not run while the claimant has lost control itself", async () => {
      const { registry, second, revoke } = await loadLost();
      await registry.connect(second).openReclaim(DID, 1);
      await revoke(second);
      expect(await registry.getReclaim(DID, 1)).to.deep.equal([ZeroAddress, 0n]);
      await time.increase(DELAY);
      await expect(registry.connect(second).finishReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "NotController")
        .withArgs(didHash, second);
    });

    it("is void 30 days after it became finishable", async () => {
      const { registry, second } = await loadLost();
      const mine = registry.connect(second);
      await mine.openReclaim(DID, 1);
      await time.increase(DELAY + WINDOW);
      expect(await registry.getReclaim(DID, 1)).to.deep.equal([ZeroAddress, 0n]);
      await expect(mine.finishReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1);
      await expect(mine.openReclaim(DID, 1)).to.emit(registry, "ReclaimLapsed").withArgs(1, second);
    });
  });

  describe("when a squatter minted a DID that it does not control any more", () => {
    it("goes to the domain's owner, whatever the squatter does with the token", async () => {
      const { registry, publisher: squatter, buyer, stranger, second: domainOwner } = await loadLost();
      await registry.connect(domainOwner).openReclaim(DID, 1);
      await registry.connect(squatter).transferFrom(squatter, buyer, 1);
      await registry.connect(buyer).transferFrom(buyer, stranger, 1);
      await time.increase(DELAY);
      await registry.connect(domainOwner).finishReclaim(DID, 1);
      expect(await registry.ownerOf(1)).to.equal(domainOwner);
    });
  });

  describe("when a domain was sold and the seller is still attested", () => {
    it("is contested until the seller's attestation ends", async () => {
      const { registry, publisher: seller, second: newOwner, attestAndWait, publish, revoke } = await load();
      await publish();
      await attestAndWait(newOwner);
      await expect(registry.connect(newOwner).openReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, seller);
      await revoke(seller);
      await registry.connect(newOwner).openReclaim(DID, 1);
    });
  });

  describe("when the seller of a token stands against its buyer", () => {
    it("gives the seller no way back while it controls the DID as the minter", async () => {
      const { registry, publisher: seller, buyer, publish } = await load();
      await publish();
      await registry.connect(seller).transferFrom(seller, buyer, 1);
      await expect(registry.connect(seller).openReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, seller);
    });

    it("gives the seller's other wallet none while the buyer controls the DID", async () => {
      const { registry, publisher: seller, buyer, second, attestAndWait, publish, revoke } = await load();
      await publish();
      await registry.connect(seller).transferFrom(seller, buyer, 1);
      await attestAndWait(buyer);
      await attestAndWait(second);
      await revoke(seller);
      await expect(registry.connect(second).openReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, buyer);
    });
  });

  describe("when minter or holder controls the DID again", () => {
    it("can't be finished, does not run, and lapses by anybody", async () => {
      const { registry, publisher, second, stranger, attestAndWait } = await loadLost();
      await registry.connect(second).openReclaim(DID, 1);
      await attestAndWait(publisher);
      expect(await registry.getReclaim(DID, 1)).to.deep.equal([ZeroAddress, 0n]);
      await time.increase(DELAY);
      await expect(registry.connect(second).finishReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, publisher);
      await expect(registry.connect(stranger).lapseReclaim(DID, 1))
        .to.emit(registry, "ReclaimLapsed")
        .withArgs(1, second);
    });

    it("lapses with the record's next change, so that it does not come back when control is lost again", async () => {
      const { registry, publisher, second, attestAndWait, revoke, update } = await loadLost();
      await registry.connect(second).openReclaim(DID, 1);
      await attestAndWait(publisher);
      await expect(update(publisher)).to.emit(registry, "ReclaimLapsed").withArgs(1, second);
      await revoke(publisher);
      await time.increase(DELAY);
      await expect(registry.connect(second).finishReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1);
    });
  });

  describe("when minter or holder controls the DID again for a while only", () => {
    /** A claim during which `returning` counts, does `act`, and loses the DID again, up to when it could be finished. */
    async function loadReturned(act: (suite: Registry, returning: Signer) => Promise<unknown>) {
      const suite = await loadLost();
      const { registry, publisher, second, attestAndWait, revoke } = suite;
      await registry.connect(second).openReclaim(DID, 1);
      await attestAndWait(publisher);
      await act(suite, publisher);
      await revoke(publisher);
      await time.increase(DELAY);
      return suite;
    }

    const acts: [string, (suite: Registry, returning: Signer) => Promise<unknown>][] = [
      ["ends it by hand", ({ registry }, by) => registry.connect(by).lapseReclaim(DID, 1)],
      ["republishes the JSON", ({ registry }, by) => registry.connect(by).republishMetadata(DID, 1, "{}")],
      ["updates the record", ({ update }, by) => update(by)],
      [
        "sets the record to Deprecated and Active again",
        async ({ registry }, by) => {
          await registry.connect(by).updateStatus(DID, 1, 1);
          await registry.connect(by).updateStatus(DID, 1, 0);
        },
      ],
    ];
    for (const [what, act] of acts) {
      it(`is over when it ${what} meanwhile`, async () => {
        const { registry, second } = await loadReturned(act);
        await expect(registry.connect(second).finishReclaim(DID, 1))
          .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
          .withArgs(1);
      });
    }

    it("goes on when nobody acts meanwhile", async () => {
      const { registry, second } = await loadReturned(() => Promise.resolve());
      await registry.connect(second).finishReclaim(DID, 1);
      expect(await registry.ownerOf(1)).to.equal(second);
    });
  });

  describe("when two controllers quarrel over it", () => {
    it("is the first one's, while that one counts", async () => {
      const { registry, second, operator, attestAndWait, revoke } = await loadLost();
      await attestAndWait(operator);
      await registry.connect(second).openReclaim(DID, 1);
      for (const claimant of [second, operator]) {
        await expect(registry.connect(claimant).openReclaim(DID, 1))
          .to.be.revertedWithCustomError(registry, "ReclaimAlreadyOpen")
          .withArgs(1, second);
      }
      await revoke(second);
      const taking = registry.connect(operator).openReclaim(DID, 1);
      await expect(taking).to.emit(registry, "ReclaimLapsed").withArgs(1, second);
      await time.increase(DELAY);
      await registry.connect(operator).finishReclaim(DID, 1);
      expect(await registry.ownerOf(1)).to.equal(operator);
    });

    it("is over once the first one holds the token", async () => {
      const { registry, second, operator, attestAndWait } = await loadLost();
      await attestAndWait(operator);
      await registry.connect(second).openReclaim(DID, 1);
      await time.increase(DELAY);
      await registry.connect(second).finishReclaim(DID, 1);
      await expect(registry.connect(operator).openReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, second);
    });
  });
});
