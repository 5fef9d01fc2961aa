import { expect } from "chai";
import { ZeroAddress } from "ethers";
import {
  createRegistrySuite,
  DAY,
  DID,
  didHash,
  GRACE,
  MATURATION,
  OTHER_DID,
  type Signer,
} from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const DELAY = 30 * DAY;
const LIFETIME = 60 * DAY;
const NONE = [0n, 0n, 0n];

type Suite = Awaited<ReturnType<typeof load>>;

/** Calls of a minter or holder that end reclaims. */
const acts = [
  ["an update", ({ update }: Suite, by: Signer) => update(by)],
  [
    "a republication",
    ({ registry }: Suite, by: Signer) => registry.connect(by).republishMetadata(DID, 1, "{}"),
  ],
  ["a status change", ({ registry }: Suite, by: Signer) => registry.connect(by).updateStatus(DID, 1, 1)],
  ["a dismissal", ({ registry }: Suite, by: Signer) => registry.connect(by).dismissReclaims(DID, 1)],
] as const;

/** Creates a record whose minter and holder, a single account, lost control of the DID to `second`. */
async function loadLost() {
  const suite = await load();
  const { registry, publisher, second, attestAndWait, publish, loseControl } = suite;
  await publish();
  await attestAndWait(second);
  await loseControl(publisher);
  const open = (by: Signer) => registry.connect(by).openReclaim(DID, 1);
  const finish = (by: Signer) => registry.connect(by).finishReclaim(DID, 1);
  return { ...suite, open, finish };
}

/** Creates the same record, with an open reclaim of `second` and its dates. */
async function loadOpened() {
  const suite = await loadLost();
  await suite.open(suite.second);
  const { finishableFrom, expiresAt } = await suite.registry.getReclaim(DID, 1, suite.second);
  return { ...suite, finishableFrom, expiresAt };
}

describe("Reclaiming a record", () => {
  describe("when neither minter nor holder controls the DID", () => {
    it("opens for a controller, and emits from when until when it can be finished", async () => {
      const { registry, second, open } = await loadLost();
      const openedAt = (await time.latest()) + 1000;
      await time.setNextBlockTimestamp(openedAt);
      await expect(open(second))
        .to.emit(registry, "ReclaimOpened")
        .withArgs(1, second, openedAt + DELAY, openedAt + LIFETIME);
      const times = [openedAt, openedAt + DELAY, openedAt + LIFETIME].map(BigInt);
      expect(await registry.getReclaim(DID, 1, second)).to.deep.equal(times);
    });

    it("moves the token after 30 days, and the new holder may change the record", async () => {
      const { registry, publisher, second, update, finish, finishableFrom } = await loadOpened();
      await time.setNextBlockTimestamp(finishableFrom - 1n);
      await expect(finish(second))
        .to.be.revertedWithCustomError(registry, "ReclaimNotFinishable")
        .withArgs(1, finishableFrom);
      await time.setNextBlockTimestamp(finishableFrom);
      const finishing = finish(second);
      await expect(finishing).to.emit(registry, "Transfer").withArgs(publisher, second, 1);
      await expect(finishing).to.emit(registry, "ReclaimFinished").withArgs(1, second, publisher);
      expect(await registry.ownerOf(1)).to.equal(second);
      expect(await registry.getReclaim(DID, 1, second)).to.deep.equal(NONE);
      expect((await registry.getAppsByOwner(second, 0, 10)).page).to.have.lengthOf(1);
      await update(second);
    });

    it("can be finished until the last second of the 60 days", async () => {
      const { registry, second, finish, expiresAt } = await loadOpened();
      await time.setNextBlockTimestamp(expiresAt - 1n);
      await finish(second);
      expect(await registry.ownerOf(1)).to.equal(second);
    });

    it("expires after 60 days, and can then be opened again for another 30 days", async () => {
      const { registry, second, open, finish, expiresAt } = await loadOpened();
      await time.setNextBlockTimestamp(expiresAt);
      await expect(finish(second))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1, second);
      await time.increaseTo(expiresAt);
      expect(await registry.getReclaim(DID, 1, second)).to.deep.equal(NONE);
      await open(second);
      await expect(finish(second)).to.be.revertedWithCustomError(registry, "ReclaimNotFinishable");
    });

    it("clears an approval by the former holder", async () => {
      const { registry, publisher, second, operator, open, finish } = await loadLost();
      await registry.connect(publisher).approve(operator, 1);
      await open(second);
      await time.increase(DELAY);
      await finish(second);
      expect(await registry.getApproved(1)).to.equal(ZeroAddress);
    });

    it("does not move the DID's other records", async () => {
      const { registry, publisher, second, attestAndWait, publish, loseControl } = await load();
      await publish();
      await publish({ version: [2, 0, 0] });
      await attestAndWait(second);
      await loseControl(publisher);
      await registry.connect(second).openReclaim(DID, 2);
      await time.increase(DELAY);
      await expect(registry.connect(second).finishReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1, second);
      await registry.connect(second).finishReclaim(DID, 2);
      expect([await registry.ownerOf(1), await registry.ownerOf(2)]).to.deep.equal([
        publisher.address,
        second.address,
      ]);
    });
  });

  describe("when the caller has no open reclaim", () => {
    it("refuses to open without control of the DID", async () => {
      const { registry, publisher, stranger, open } = await loadLost();
      for (const caller of [publisher, stranger]) {
        await expect(open(caller))
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(didHash, caller);
      }
    });

    it("refuses to finish the reclaim of another claimant", async () => {
      const { registry, stranger, finish } = await loadOpened();
      await time.increase(DELAY);
      await expect(finish(stranger))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1, stranger);
    });

    it("refuses a record that does not exist", async () => {
      const { registry, second } = await loadLost();
      const mine = registry.connect(second);
      for (const call of [mine.openReclaim(OTHER_DID, 1), mine.finishReclaim(DID, 2)]) {
        await expect(call).to.be.revertedWithCustomError(registry, "AppNotFound");
      }
      await expect(registry.getReclaim(OTHER_DID, 1, second)).to.be.revertedWithCustomError(
        registry,
        "AppNotFound",
      );
    });
  });

  describe("when the claimant already has an open reclaim", () => {
    it("refuses to open another, which would restart the 30 days", async () => {
      const { registry, second, open, expiresAt } = await loadOpened();
      await time.setNextBlockTimestamp(expiresAt - 1n);
      await expect(open(second))
        .to.be.revertedWithCustomError(registry, "ReclaimAlreadyOpen")
        .withArgs(1, second);
    });
  });

  describe("when the claimant loses control of the DID before it finishes", () => {
    it("can't be finished before the claimant controls the DID again", async () => {
      const { registry, second, attestAndWait, loseControl, finish } = await loadOpened();
      await loseControl(second);
      await time.increase(DELAY);
      await expect(finish(second))
        .to.be.revertedWithCustomError(registry, "NotController")
        .withArgs(didHash, second);
      await attestAndWait(second);
      await finish(second);
      expect(await registry.ownerOf(1)).to.equal(second);
    });
  });

  describe("when the minter or the holder still controls the DID", () => {
    it("reverts with ReclaimContested because of the holder", async () => {
      const { registry, publisher, buyer, second, attestAndWait, publish, loseControl } = await load();
      await publish();
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      await attestAndWait(buyer);
      await attestAndWait(second);
      await loseControl(publisher);
      await expect(registry.connect(second).openReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, buyer);
    });

    it("reverts with ReclaimContested because of the minter, even if another account holds the token", async () => {
      const { registry, publisher, buyer, second, attestAndWait, publish } = await load();
      await publish();
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      await attestAndWait(second);
      await expect(registry.connect(second).openReclaim(DID, 1))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, publisher);
    });
  });

  describe("when the minter or the holder is attested again before it is finished", () => {
    for (const [who, transfers] of [
      ["the holder", false],
      ["the minter, who sold the token", true],
    ] as const) {
      // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
      it(`can't be finished while ${who} controls the DID and in the grace after that`, async () => {
        const { registry, publisher, buyer, second, attestAndWait, revoke, finish } = await loadOpened();
        if (transfers) await registry.connect(publisher).transferFrom(publisher, buyer, 1);
        await time.increase(DELAY);
        await attestAndWait(publisher);
        const expectContested = () =>
          expect(finish(second))
            .to.be.revertedWithCustomError(registry, "ReclaimContested")
            .withArgs(1, publisher);
        await expectContested();
        await revoke(publisher);
        const revokedAt = await time.latest();
        await time.setNextBlockTimestamp(revokedAt + GRACE - 1);
        await expectContested();
        await time.setNextBlockTimestamp(revokedAt + GRACE);
        await finish(second);
      });
    }

    it("can be opened again after it expired, if they have lost the DID again", async () => {
      const { registry, publisher, second, attestAndWait, loseControl, open, finish, expiresAt } =
        await loadOpened();
      await time.increase(MATURATION);
      await attestAndWait(publisher);
      await loseControl(publisher);
      await time.setNextBlockTimestamp(expiresAt);
      await open(second);
      await time.increase(DELAY);
      await finish(second);
      expect(await registry.ownerOf(1)).to.equal(second);
    });

    it("can be finished although their new attestation has not matured yet", async () => {
      const { registry, resolver, publisher, second, attest, finish, finishableFrom } = await loadOpened();
      await time.setNextBlockTimestamp(finishableFrom);
      await attest(publisher);
      expect(await resolver.resistsReclaim(didHash, publisher)).to.equal(false);
      await finish(second);
      expect(await registry.ownerOf(1)).to.equal(second);
    });

    for (const [act, perform] of acts) {
      // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
      it(`ends for all claimants by ${act} of the holder or minter that controls the DID`, async () => {
        for (const transfers of [false, true]) {
          const suite = await loadOpened();
          const { registry, publisher, buyer, second, attestAndWait, finish } = suite;
          if (transfers) await registry.connect(publisher).transferFrom(publisher, buyer, 1);
          await attestAndWait(publisher);
          await expect(perform(suite, publisher))
            .to.emit(registry, "ReclaimsDismissed")
            .withArgs(1, publisher, !transfers);
          expect(await registry.getReclaim(DID, 1, second)).to.deep.equal(NONE);
          await time.increase(DELAY);
          await expect(finish(second)).to.be.revertedWithCustomError(registry, "ReclaimNotOpen");
        }
      });
    }

    it("ends by a dismissal of the holder's operator, or of the claimant itself as the minter", async () => {
      const { registry, publisher, buyer, operator, attest, attestAndWait, mint } = await load();
      await attest(publisher);
      await mint(publisher);
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      await registry.connect(publisher).openReclaim(DID, 1);
      await registry.connect(publisher).dismissReclaims(DID, 1);
      expect(await registry.getReclaim(DID, 1, publisher)).to.deep.equal(NONE);
      await registry.connect(publisher).openReclaim(DID, 1);
      await attestAndWait(buyer);
      await registry.connect(buyer).setApprovalForAll(operator, true);
      await registry.connect(operator).dismissReclaims(DID, 1);
      expect(await registry.getReclaim(DID, 1, publisher)).to.deep.equal(NONE);
    });

    it("does not end by another controller's status change, a transfer, or a dismissal without control", async () => {
      const { registry, publisher, buyer, second, stranger } = await loadOpened();
      await registry.connect(second).updateStatus(DID, 1, 1);
      await registry.connect(publisher).transferFrom(publisher, buyer, 1);
      for (const caller of [publisher, buyer]) {
        await expect(registry.connect(caller).dismissReclaims(DID, 1))
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(didHash, caller);
      }
      for (const caller of [second, stranger]) {
        await expect(registry.connect(caller).dismissReclaims(DID, 1))
          .to.be.revertedWithCustomError(registry, "NotAuthorized")
          .withArgs(1, caller);
      }
      expect(await registry.getReclaim(DID, 1, second)).not.to.deep.equal(NONE);
    });

    it("emits no ReclaimsDismissed if none was opened since the last dismissal", async () => {
      const { registry, publisher, publish } = await load();
      await publish();
      await expect(registry.connect(publisher).dismissReclaims(DID, 1)).not.to.emit(
        registry,
        "ReclaimsDismissed",
      );
    });

    it("can be finished if their new attestation was revoked before it matured", async () => {
      const { registry, publisher, second, attest, loseControl, finish, finishableFrom } = await loadOpened();
      await time.increase(MATURATION);
      await attest(publisher);
      await loseControl(publisher);
      await time.setNextBlockTimestamp(finishableFrom);
      await finish(second);
      expect(await registry.ownerOf(1)).to.equal(second);
    });
  });

  describe("when several controllers claim it", () => {
    /** Opens reclaims of two claimants, a day apart. */
    async function loadTwo() {
      const suite = await loadLost();
      const { second, operator, attestAndWait, open } = suite;
      await attestAndWait(operator);
      await open(second);
      await time.increase(DAY);
      await open(operator);
      return suite;
    }

    it("can be finished by each claimant 30 days after that claimant opened it", async () => {
      const { registry, second, operator, finish } = await loadTwo();
      const { finishableFrom } = await registry.getReclaim(DID, 1, second);
      const other = await registry.getReclaim(DID, 1, operator);
      expect(other.finishableFrom - finishableFrom).to.be.within(DAY, DAY + 10);
      await time.setNextBlockTimestamp(finishableFrom);
      await expect(finish(operator))
        .to.be.revertedWithCustomError(registry, "ReclaimNotFinishable")
        .withArgs(1, other.finishableFrom);
      await time.setNextBlockTimestamp(other.finishableFrom);
      await finish(operator);
      expect(await registry.ownerOf(1)).to.equal(operator);
    });

    it("stays open for the others when one of them finishes", async () => {
      const { registry, stranger, second, operator, finish } = await loadTwo();
      await time.increase(DELAY);
      await finish(second);
      expect(await registry.getReclaim(DID, 1, second)).to.deep.equal(NONE);
      await expect(finish(operator))
        .to.be.revertedWithCustomError(registry, "ReclaimContested")
        .withArgs(1, second);
      // A transfer to an account without control of the DID doesn't protect the token from the other reclaim.
      await registry.connect(second).transferFrom(second, stranger, 1);
      await finish(operator);
      expect(await registry.ownerOf(1)).to.equal(operator);
    });
  });
});
