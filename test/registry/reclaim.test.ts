import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createRegistrySuite, DAY, DID, didHash, GRACE, type Signer } from "./fixture.ts";

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
      const { registry, publisher, second, operator, update, finish, finishableFrom } = await loadOpened();
      await registry.connect(publisher).approve(operator, 1);
      await time.setNextBlockTimestamp(finishableFrom - 1n);
      await expect(finish(second))
        .to.be.revertedWithCustomError(registry, "ReclaimNotFinishable")
        .withArgs(1, finishableFrom);
      await time.setNextBlockTimestamp(finishableFrom);
      const finishing = finish(second);
      await expect(finishing).to.emit(registry, "Transfer").withArgs(publisher, second, 1);
      await expect(finishing).to.emit(registry, "ReclaimFinished").withArgs(1, second, publisher);
      expect(await registry.ownerOf(1)).to.equal(second);
      expect(await registry.getApproved(1)).to.equal(ZeroAddress);
      expect(await registry.getReclaim(DID, 1, second)).to.deep.equal(NONE);
      expect((await registry.getAppsByOwner(second, 0, 10)).page).to.have.lengthOf(1);
      await update(second);
    });

    it("can be finished until the last second of the 60 days, and can be opened again afterwards", async () => {
      const { registry, second, open, finish, expiresAt } = await loadOpened();
      await time.increaseTo(expiresAt - 2n);
      await registry.connect(second).finishReclaim.staticCall(DID, 1);
      await time.increaseTo(expiresAt);
      await expect(finish(second))
        .to.be.revertedWithCustomError(registry, "ReclaimNotOpen")
        .withArgs(1, second);
      expect(await registry.getReclaim(DID, 1, second)).to.deep.equal(NONE);
      await open(second);
      await expect(finish(second)).to.be.revertedWithCustomError(registry, "ReclaimNotFinishable");
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

  describe("when the minter or the holder controls the DID", () => {
    for (const who of ["holder", "minter"] as const) {
      // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
      it(`can't be opened or finished while the ${who} does, and in the grace after that`, async () => {
        const { registry, publisher, buyer, second, attestAndWait, loseControl, publish, revoke } =
          await load();
        await publish();
        await registry.connect(publisher).transferFrom(publisher, buyer, 1);
        await attestAndWait(second);
        const incumbent = who === "minter" ? publisher : buyer;
        if (who === "holder") {
          await loseControl(publisher);
          await attestAndWait(buyer);
        }
        for (const act of ["openReclaim", "finishReclaim"] as const) {
          const attempt = () => registry.connect(second)[act](DID, 1);
          const expectContested = () =>
            expect(attempt())
              .to.be.revertedWithCustomError(registry, "ReclaimContested")
              .withArgs(1, incumbent);
          await expectContested();
          await revoke(incumbent);
          const revokedAt = await time.latest();
          await time.setNextBlockTimestamp(revokedAt + GRACE - 1);
          await expectContested();
          await time.setNextBlockTimestamp(revokedAt + GRACE);
          await attempt();
          await time.increase(DELAY);
          await attestAndWait(incumbent);
        }
        expect(await registry.ownerOf(1)).to.equal(second);
      });
    }

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

    it("stays open for other claimants when one of them finishes", async () => {
      const { registry, stranger, second, operator, attestAndWait, open, finish } = await loadLost();
      await attestAndWait(operator);
      await open(second);
      await open(operator);
      await time.increase(DELAY);
      await finish(second);
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
