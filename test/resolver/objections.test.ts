import { expect } from "chai";
import {
  createResolverSuite,
  DAY,
  didHash,
  GRACE,
  MATURATION,
  OBJECTION_TIME,
  STANDING_TAIL,
  YEAR,
} from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("Objecting to an account", () => {
  /** Two controllers that count by one issuer, and a newcomer of a second one that waits. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer2, third, claimWithTwo, attest } = suite;
    await claimWithTwo();
    const startedAt = await attest(issuer2, third);
    const object = (by: typeof third, account: typeof third) =>
      resolver.connect(by).objectToController(didHash, account.address);
    const withdraw = (by: typeof third, account: typeof third) =>
      resolver.connect(by).withdrawObjection(didHash, account.address);
    const inForce = async (account: typeof third) =>
      (await resolver.getObjections(didHash, account)).map((view) => view.inForce);
    return { ...suite, newcomer: third, object, withdraw, inForce, settlesAt: startedAt + MATURATION };
  }

  describe("when a controller objects to a newcomer that waits", () => {
    it("keeps it from counting after the wait, and says so", async () => {
      const { resolver, first, newcomer, object, settlesAt, counts, score } = await setup();
      await expect(object(first, newcomer))
        .to.emit(resolver, "ControllerObjected")
        .withArgs(didHash, newcomer, first, "0x0000000000000000000000000000000000000000");
      await at(settlesAt + YEAR / 2);
      expect(await counts(newcomer)).to.equal(false);
      expect(await score(newcomer)).to.equal(1);
      const { attested, objected } = await resolver.getController(didHash, newcomer);
      expect([attested, objected]).to.deep.equal([true, true]);
    });

    it("bars nothing when it was made in the very second in which the run settled", async () => {
      const { resolver, issuer2, first, second, stranger, attest, object, withdraw, counts } = await setup();
      const expiresAt = (await time.latest()) + 5 * DAY;
      const settlesAt = (await attest(issuer2, stranger, expiresAt)) + MATURATION;
      await object(first, stranger);
      await next(settlesAt);
      await object(second, stranger);
      await withdraw(first, stranger);
      expect(await counts(stranger)).to.equal(true);
      expect(await resolver.countedSince(didHash, stranger, settlesAt)).to.equal(true);
      expect((await resolver.getController(didHash, stranger)).objected).to.equal(false);
      await at(expiresAt);
      expect((await resolver.getController(didHash, stranger)).late).to.equal(true);
      expect(await counts(stranger)).to.equal(false);
    });

    it("also keeps a vouch from counting", async () => {
      const { resolver, first, second, newcomer, object, counts } = await setup();
      await object(first, newcomer);
      await resolver.connect(second).vouchController(didHash, newcomer);
      expect(await counts(newcomer)).to.equal(false);
    });

    it("holds for attestations that come later, of the same and of other issuers", async () => {
      const { issuer, first, stranger, object, attest, revoke, counts } = await setup();
      await object(first, stranger);
      await attest(issuer, stranger);
      await revoke(issuer, stranger);
      await time.increase(MATURATION);
      await attest(issuer, stranger);
      await time.increase(MATURATION + OBJECTION_TIME);
      expect(await counts(stranger)).to.equal(false);
    });

    it("does not depend on whether its author counts, only on its standing", async () => {
      const { issuer, issuer3, first, newcomer, object, settlesAt, attest, revoke, counts } = await setup();
      await attest(issuer3, newcomer);
      await object(first, newcomer);
      await at(settlesAt);
      await revoke(issuer, first);
      expect(await counts(newcomer)).to.equal(false);
    });
  });

  describe("when it is weighed", () => {
    it("falls two days after its author lost control, to the second", async () => {
      const { issuer, first, newcomer, settlesAt, object, revoke, counts, inForce } = await setup();
      await object(first, newcomer);
      await at(settlesAt);
      const endedAt = await revoke(issuer, first);
      await at(endedAt + STANDING_TAIL - 1);
      expect([await counts(newcomer), await inForce(newcomer)]).to.deep.equal([false, [true]]);
      await at(endedAt + STANDING_TAIL);
      expect([await counts(newcomer), await inForce(newcomer)]).to.deep.equal([true, [false]]);
    });

    it("has the weight of the runs of its author that had begun, settled or vouched for", async () => {
      const { resolver, issuer, issuer2, issuer3, first, stranger, newcomer, object, attest, revoke } =
        await setup();
      const weight = async () => (await resolver.getObjections(didHash, newcomer))[0]?.standing;
      await attest(issuer, stranger, (await time.latest()) + DAY);
      await resolver.connect(first).vouchController(didHash, stranger);
      await attest(issuer2, stranger);
      await object(stranger, newcomer);
      await attest(issuer3, stranger);
      expect(await weight()).to.equal(1);
      await resolver.connect(first).vouchController(didHash, stranger);
      expect(await weight()).to.equal(2);
      await time.increase(DAY);
      expect(await weight()).to.equal(1);
      await time.increase(MATURATION);
      expect(await weight()).to.equal(1);
      await revoke(issuer2, stranger);
      await time.increase(STANDING_TAIL);
      expect(await weight()).to.equal(0);
    });

    it("is overruled by more issuers than its author's standing, a week after they settled, to the second", async () => {
      const { issuer3, first, newcomer, settlesAt, object, attest, counts, inForce } = await setup();
      await object(first, newcomer);
      const secondSettlesAt = (await attest(issuer3, newcomer)) + MATURATION;
      expect(secondSettlesAt).to.be.greaterThan(settlesAt);
      await at(secondSettlesAt + OBJECTION_TIME - 1);
      expect([await counts(newcomer), await inForce(newcomer)]).to.deep.equal([false, [true]]);
      await at(secondSettlesAt + OBJECTION_TIME);
      expect([await counts(newcomer), await inForce(newcomer)]).to.deep.equal([true, [false]]);
    });

    it("stands against as many issuers as its author's standing", async () => {
      const { issuer2, issuer3, first, newcomer, object, attest, counts } = await setup();
      await attest(issuer2, first);
      await attest(issuer3, newcomer);
      await object(first, newcomer);
      await time.increase(MATURATION + OBJECTION_TIME);
      expect(await counts(newcomer)).to.equal(false);
    });

    it("is in force again when an overruling attestation is revoked, not by its author's later ones", async () => {
      const { issuer2, issuer3, first, newcomer, object, attest, revoke, counts } = await setup();
      await attest(issuer3, newcomer);
      await object(first, newcomer);
      await time.increase(MATURATION + OBJECTION_TIME);
      expect(await counts(newcomer)).to.equal(true);
      await attest(issuer2, first);
      await time.increase(MATURATION);
      expect(await counts(newcomer)).to.equal(true);
      await revoke(issuer3, newcomer);
      expect(await counts(newcomer)).to.equal(false);
    });

    it("is overruled also by an attestation that is late, until its grace is over", async () => {
      const { issuer3, first, newcomer, object, attest, counts } = await setup();
      const expiresAt = (await time.latest()) + 20 * DAY;
      await attest(issuer3, newcomer, expiresAt);
      await object(first, newcomer);
      await at(expiresAt + GRACE - 1);
      expect(await counts(newcomer)).to.equal(true);
      await at(expiresAt + GRACE);
      expect(await counts(newcomer)).to.equal(false);
    });

    it("bars what settles a second after it was made, and not what settles in that second", async () => {
      for (const [later, counted] of [
        [-1, false],
        [0, true],
      ] as const) {
        const { first, second, newcomer, object, withdraw, counts, settlesAt } = await setup();
        await object(first, newcomer);
        await next(settlesAt + later);
        await object(second, newcomer);
        await at(settlesAt + 1);
        expect(await counts(newcomer)).to.equal(false);
        await withdraw(first, newcomer);
        expect(await counts(newcomer)).to.equal(counted);
      }
    });

    it("is weighed by its author's standing, through a late renewal and two days after, to the second", async () => {
      const { resolver, issuer, first, stranger, newcomer, object, attest, counts } = await setup();
      const expiresAt = (await time.latest()) + 10 * DAY;
      await attest(issuer, stranger, expiresAt);
      await resolver.connect(first).vouchController(didHash, stranger);
      await object(stranger, newcomer);
      await at(expiresAt + GRACE + STANDING_TAIL - 1);
      expect(await counts(newcomer)).to.equal(false);
      await at(expiresAt + GRACE + STANDING_TAIL);
      expect(await counts(newcomer)).to.equal(true);
    });

    it("is one of several: any one in force is enough", async () => {
      const { issuer2, issuer3, first, second, newcomer, object, attest, counts, inForce } = await setup();
      await attest(issuer3, newcomer);
      await attest(issuer2, second);
      await object(first, newcomer);
      await object(second, newcomer);
      await time.increase(MATURATION + OBJECTION_TIME);
      expect(await inForce(newcomer)).to.deep.equal([false, true]);
      expect(await counts(newcomer)).to.equal(false);
    });
  });

  describe("when it is withdrawn", () => {
    it("lets the account count, and says so", async () => {
      const { resolver, first, newcomer, object, withdraw, settlesAt, counts } = await setup();
      await object(first, newcomer);
      await at(settlesAt);
      await expect(withdraw(first, newcomer))
        .to.emit(resolver, "ObjectionWithdrawn")
        .withArgs(didHash, newcomer, first);
      expect(await counts(newcomer)).to.equal(true);
      expect(await resolver.getObjections(didHash, newcomer)).to.deep.equal([]);
    });

    it("is refused to anybody else, and a second time", async () => {
      const { resolver, first, second, newcomer, object, withdraw } = await setup();
      await object(first, newcomer);
      await expect(withdraw(second, newcomer))
        .to.be.revertedWithCustomError(resolver, "NotObjected")
        .withArgs(didHash, newcomer, second);
      await withdraw(first, newcomer);
      await expect(withdraw(first, newcomer))
        .to.be.revertedWithCustomError(resolver, "NotObjected")
        .withArgs(didHash, newcomer, first);
    });

    it("is possible for an author who does not count any more", async () => {
      const { resolver, issuer, first, newcomer, object, withdraw, revoke } = await setup();
      await object(first, newcomer);
      await revoke(issuer, first);
      await withdraw(first, newcomer);
      expect(await resolver.getObjections(didHash, newcomer)).to.deep.equal([]);
    });
  });

  describe("when it is refused", () => {
    it("refuses an author who does not count", async () => {
      const { resolver, newcomer, stranger, object } = await setup();
      for (const author of [stranger, newcomer]) {
        await expect(object(author, author === stranger ? newcomer : stranger))
          .to.be.revertedWithCustomError(resolver, "NotController")
          .withArgs(didHash, author);
      }
    });

    it("refuses to object to oneself", async () => {
      const { resolver, first, object } = await setup();
      await expect(object(first, first))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(first);
    });

    it("refuses to object to a controller that counts, settled or vouched for", async () => {
      const { resolver, first, second, newcomer, object } = await setup();
      await resolver.connect(first).vouchController(didHash, newcomer);
      for (const controller of [second, newcomer]) {
        await expect(object(first, controller))
          .to.be.revertedWithCustomError(resolver, "ControllerCounts")
          .withArgs(didHash, controller);
      }
    });

    it("refuses a second objection of the same author, in force or not", async () => {
      const { resolver, issuer, first, second, stranger, newcomer, object, revoke, settlesAt, inForce } =
        await setup();
      const expectAlreadyObjected = (author: typeof first) =>
        expect(object(author, newcomer))
          .to.be.revertedWithCustomError(resolver, "AlreadyObjected")
          .withArgs(didHash, newcomer, author);
      await object(second, newcomer);
      await object(first, newcomer);
      await expectAlreadyObjected(first);
      await expectAlreadyObjected(second);
      await object(first, stranger);
      await revoke(issuer, second);
      await at(settlesAt + OBJECTION_TIME);
      expect(await inForce(newcomer)).to.deep.equal([false, true]);
    });
  });

  describe("when the account is late with its renewal", () => {
    /** The second controller, whose settled run has just expired. */
    async function setupLate() {
      const suite = await setup();
      const { resolver, issuer, stranger, attest } = suite;
      const expiresAt = (await time.latest()) + 10 * DAY;
      await attest(issuer, stranger, expiresAt);
      await at(expiresAt);
      const isLate = async () => (await resolver.getController(didHash, stranger)).late;
      return { ...suite, late: stranger, expiresAt, isLate };
    }

    it("loses nothing by an objection when it renews in grace", async () => {
      const { resolver, issuer, first, late, expiresAt, object, attest, counts, isLate } = await setupLate();
      await object(first, late);
      const { objected, counts: counted } = await resolver.getController(didHash, late);
      expect([await isLate(), objected, counted]).to.deep.equal([true, true, false]);
      await next(expiresAt + GRACE - 1);
      await attest(issuer, late);
      expect(await counts(late)).to.equal(true);
      expect((await resolver.getController(didHash, late)).objected).to.equal(false);
    });

    it("is barred like any newcomer when it renews after grace", async () => {
      const { issuer, first, late, expiresAt, object, attest, counts, isLate } = await setupLate();
      await object(first, late);
      await next(expiresAt + GRACE);
      await attest(issuer, late);
      expect(await isLate()).to.equal(false);
      await time.increase(MATURATION);
      expect(await counts(late)).to.equal(false);
    });

    it("is late also while another issuer's newer attestation of it waits, which an objection bars", async () => {
      const { issuer2, first, late, attest, object, counts, isLate } = await setupLate();
      await attest(issuer2, late);
      expect(await isLate()).to.equal(true);
      await object(first, late);
      await time.increase(MATURATION);
      expect(await counts(late)).to.equal(false);
    });

    it("may itself object until grace is over, to the second", async () => {
      const { resolver, late, newcomer, expiresAt, object } = await setupLate();
      await next(expiresAt + GRACE - 1);
      const stranger = "0x000000000000000000000000000000000000dEaD";
      await resolver.connect(late).objectToController(didHash, stranger);
      await next(expiresAt + GRACE);
      await expect(object(late, newcomer))
        .to.be.revertedWithCustomError(resolver, "NotController")
        .withArgs(didHash, late);
    });

    it("may not vouch while it is late", async () => {
      const { resolver, late, newcomer } = await setupLate();
      await expect(resolver.connect(late).vouchController(didHash, newcomer))
        .to.be.revertedWithCustomError(resolver, "NotController")
        .withArgs(didHash, late);
    });

    it("is not late when the run was revoked, which ends its grace", async () => {
      const { resolver, issuer, first, late, revoke, object, isLate } = await setupLate();
      await revoke(issuer, late);
      expect(await isLate()).to.equal(false);
      await expect(object(first, late)).to.emit(resolver, "ControllerObjected");
    });

    it("is not late, though objected to, while another attestation of it has settled", async () => {
      const { resolver, issuer, first, second, newcomer, attest, object, runOf } = await setup();
      await object(first, newcomer);
      await attest(issuer, newcomer, (await time.latest()) + 5 * DAY);
      await time.increase(6 * DAY);
      expect(await runOf(issuer, newcomer)).to.include({ live: false, held: true });
      expect((await resolver.getController(didHash, newcomer)).late).to.equal(false);
      await expect(object(second, newcomer)).to.emit(resolver, "ControllerObjected");
    });

    it("is not late before it has ever settled", async () => {
      const { resolver, first, newcomer, object } = await setup();
      expect((await resolver.getController(didHash, newcomer)).late).to.equal(false);
      await expect(object(first, newcomer)).to.emit(resolver, "ControllerObjected");
    });
  });
});
