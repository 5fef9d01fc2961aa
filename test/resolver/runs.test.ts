import { expect } from "chai";
import {
  createResolverSuite,
  DAY,
  dataHash,
  didHash,
  GRACE,
  HOUR,
  MATURATION,
  NEVER,
  YEAR,
} from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("A run of attestations", () => {
  describe("of a DID's first controller", () => {
    it("settles at once", async () => {
      const { issuer, first, attest, counts, runOf, score, standing } = await load();
      const startedAt = await attest(issuer, first);
      expect((await runOf(issuer, first))?.settlesAt).to.equal(startedAt);
      expect(await counts(first)).to.equal(true);
      expect([await score(first), await standing(first)]).to.deep.equal([1, 1]);
    });

    it("is the first of any issuer and any account: the next waits, of the same account too", async () => {
      const { issuer, issuer2, first, second, attest, counts, runOf, score } = await load();
      await attest(issuer, first);
      for (const account of [first, second]) {
        const startedAt = await attest(issuer2, account);
        expect((await runOf(issuer2, account))?.settlesAt).to.equal(startedAt + MATURATION);
      }
      expect(await score(first)).to.equal(1);
      expect(await counts(second)).to.equal(false);
    });

    it("is a newcomer like any other once its run has ended", async () => {
      const { issuer, first, attest, revoke, counts, runOf } = await load();
      await attest(issuer, first);
      const endedAt = await revoke(issuer, first);
      await next(endedAt + MATURATION);
      const startedAt = await attest(issuer, first);
      expect(await counts(first)).to.equal(false);
      expect((await runOf(issuer, first))?.settlesAt).to.equal(startedAt + MATURATION);
    });
  });

  describe("of a newcomer", () => {
    it("says in its event when it settles", async () => {
      const { resolver, issuer, issuer2, first, second, attest } = await load();
      await attest(issuer, first);
      const now = (await time.latest()) + 10;
      await next(now);
      await expect(resolver.connect(issuer2).attestDID(didHash, second, 0))
        .to.emit(resolver, "DIDAttested")
        .withArgs(didHash, second, issuer2, now, now, now + MATURATION, now + YEAR);
    });

    it("settles the maturation later, to the second", async () => {
      const { issuer, first, second, attest, counts, runOf, score, standing } = await load();
      await attest(issuer, first);
      const startedAt = await attest(issuer, second);
      await at(startedAt + MATURATION - 1);
      expect(await counts(second)).to.equal(false);
      expect((await runOf(issuer, second))?.settled).to.equal(false);
      expect([await score(second), await standing(second)]).to.deep.equal([0, 0]);
      await at(startedAt + MATURATION);
      expect(await counts(second)).to.equal(true);
      expect((await runOf(issuer, second))?.settled).to.equal(true);
      expect([await score(second), await standing(second)]).to.deep.equal([1, 1]);
    });

    it("never settles when it would have expired by then", async () => {
      const { issuer, first, second, third, attest, runOf } = await load();
      const now = (await attest(issuer, first)) + 10;
      await next(now);
      await attest(issuer, second, now + MATURATION);
      expect((await runOf(issuer, second))?.settlesAt).to.equal(NEVER);
      await next(now + 1);
      await attest(issuer, third, now + 1 + MATURATION + 1);
      expect((await runOf(issuer, third))?.settlesAt).to.equal(now + 1 + MATURATION);
    });

    it("never settles by a renewal, however long", async () => {
      const { issuer, first, second, attest, counts, runOf } = await load();
      const now = await attest(issuer, first);
      await attest(issuer, second, now + HOUR);
      await attest(issuer, second);
      await time.increase(YEAR / 2);
      expect(await counts(second)).to.equal(false);
      expect(await runOf(issuer, second)).to.include({ settlesAt: NEVER, live: true, settled: false });
    });

    it("does not settle sooner by any number of issuers", async () => {
      const { issuer, issuer2, issuer3, first, second, attest, counts } = await load();
      await attest(issuer, first);
      const startedAt = await attest(issuer, second);
      for (const each of [issuer2, issuer3]) await attest(each, second);
      await at(startedAt + MATURATION - 1);
      expect(await counts(second)).to.equal(false);
    });

    it("settles for one issuer whatever another does", async () => {
      const { issuer, issuer2, first, second, attest, revoke, counts } = await load();
      await attest(issuer, first);
      const startedAt = await attest(issuer, second);
      await attest(issuer2, second, startedAt + DAY);
      await revoke(issuer2, second);
      await at(startedAt + MATURATION);
      expect(await counts(second)).to.equal(true);
    });
  });

  describe("when it is renewed", () => {
    it("keeps its age before it settles and after", async () => {
      const { resolver, issuer, first, second, attest, runOf } = await load();
      await attest(issuer, first);
      const startedAt = await attest(issuer, second);
      for (const later of [DAY, 3 * DAY]) {
        await next(startedAt + later);
        await expect(resolver.connect(issuer).attestDID(didHash, second, 0))
          .to.emit(resolver, "DIDAttested")
          .withArgs(
            ...[didHash, second, issuer, startedAt + later],
            ...[startedAt, startedAt + MATURATION, startedAt + later + YEAR],
          );
        expect(await runOf(issuer, second)).to.include({ startedAt, statedAt: startedAt + later });
      }
    });

    it("moves its expiry further away, and never closer", async () => {
      const { issuer, first, attest, runOf } = await load();
      const startedAt = await attest(issuer, first, (await time.latest()) + 10 * DAY);
      for (const [asked, expiresAt] of [
        [20 * DAY, 20 * DAY],
        [15 * DAY, 20 * DAY],
        [20 * DAY, 20 * DAY],
      ] as const) {
        await attest(issuer, first, startedAt + asked);
        expect((await runOf(issuer, first))?.expiresAt).to.equal(startedAt + expiresAt);
      }
    });
  });

  describe("when its renewal is late", () => {
    /** A settled run of the second controller that has just expired. */
    async function setup() {
      const suite = await load();
      const { issuer, first, second, attest } = suite;
      await attest(issuer, first);
      const expiresAt = (await time.latest()) + 10 * DAY;
      const startedAt = await attest(issuer, second, expiresAt);
      return { ...suite, startedAt, expiresAt };
    }

    it("is held until grace is over, though it counts no more", async () => {
      const { issuer, second, expiresAt, counts, runOf } = await setup();
      for (const [timestamp, held] of [
        [expiresAt, true],
        [expiresAt + GRACE - 1, true],
        [expiresAt + GRACE, false],
      ] as const) {
        await at(timestamp);
        expect(await counts(second)).to.equal(false);
        expect(await runOf(issuer, second)).to.include({ live: false, settled: false, held });
      }
    });

    it("goes on as if it were never late in the last second of grace", async () => {
      const { issuer, second, startedAt, expiresAt, attest, counts, runOf } = await setup();
      await next(expiresAt + GRACE - 1);
      await attest(issuer, second);
      expect((await runOf(issuer, second))?.startedAt).to.equal(startedAt);
      expect(await counts(second)).to.equal(true);
    });

    it("begins anew from the first second after grace", async () => {
      const { issuer, second, expiresAt, attest, counts, runOf } = await setup();
      await next(expiresAt + GRACE);
      await attest(issuer, second);
      expect(await runOf(issuer, second)).to.include({
        startedAt: expiresAt + GRACE,
        settlesAt: expiresAt + GRACE + MATURATION,
      });
      expect(await counts(second)).to.equal(false);
    });

    it("has no grace when another issuer's attestation is what expired", async () => {
      const { issuer2, second, expiresAt, attest, counts, runOf } = await setup();
      await at(expiresAt);
      const startedAt = await attest(issuer2, second);
      expect(await counts(second)).to.equal(false);
      expect((await runOf(issuer2, second))?.settlesAt).to.equal(startedAt + MATURATION);
    });
  });

  describe("when it expires before it settled", () => {
    it("is over at once: its wait does not go on", async () => {
      const { issuer, first, second, attest, runOf } = await load();
      await attest(issuer, first);
      const expiresAt = (await time.latest()) + HOUR;
      await attest(issuer, second, expiresAt);
      await next(expiresAt);
      await attest(issuer, second);
      expect(await runOf(issuer, second)).to.include({
        startedAt: expiresAt,
        settlesAt: expiresAt + MATURATION,
      });
    });

    it("is never held, so a second of it can't be stretched into an old one", async () => {
      const { issuer, first, second, attest, runOf } = await load();
      await attest(issuer, first);
      const startedAt = await attest(issuer, second, (await time.latest()) + 2);
      await at(startedAt + 3 * DAY);
      expect((await runOf(issuer, second))?.held).to.equal(false);
      await attest(issuer, second);
      expect((await runOf(issuer, second))?.settled).to.equal(false);
    });
  });

  describe("of a dataHash", () => {
    it("settles when it begins, and is renewed within grace", async () => {
      const { resolver, issuer } = await load();
      const expiresAt = (await time.latest()) + DAY;
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, expiresAt);
      const startedAt = await time.latest();
      const view = async () => (await resolver.getDataHashAttestations(didHash, dataHash))[0];
      expect([(await view())?.settlesAt, (await view())?.settled]).to.deep.equal([BigInt(startedAt), true]);
      await next(expiresAt + GRACE - 1);
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, expiresAt + GRACE + DAY);
      expect((await view())?.startedAt).to.equal(startedAt);
      await next(expiresAt + GRACE + DAY + GRACE);
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, 0);
      expect((await view())?.startedAt).to.equal(expiresAt + GRACE + DAY + GRACE);
    });
  });
});
