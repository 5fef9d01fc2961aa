import { expect } from "chai";
import { createResolverSuite, DAY, dataHash, didHash, GRACE, MATURATION, YEAR } from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("Run of attestations", () => {
  describe("of a DID's first controller", () => {
    it("matures immediately", async () => {
      const { issuer, first, attest, controls, runOf, score, resistance } = await load();
      const startedAt = await attest(issuer, first);
      expect((await runOf(issuer, first))?.maturesAt).to.equal(startedAt);
      expect(await controls(first)).to.equal(true);
      expect([await score(first), await resistance(first)]).to.deep.equal([1, 1]);
    });

    it("is the only run that matures immediately, even if another issuer attests the same account", async () => {
      const { issuer, issuer2, first, second, attest, claim, controls, runOf, score } = await load();
      await claim(issuer, first);
      for (const account of [first, second]) {
        const startedAt = await attest(issuer2, account);
        expect((await runOf(issuer2, account))?.maturesAt).to.equal(startedAt + MATURATION);
      }
      expect(await score(first)).to.equal(1);
      expect(await controls(second)).to.equal(false);
    });

    it("has to wait again if it begins after the first run has ended", async () => {
      const { issuer, first, attest, revoke, controls, runOf } = await load();
      await attest(issuer, first);
      const endedAt = await revoke(issuer, first);
      await next(endedAt + MATURATION);
      const startedAt = await attest(issuer, first);
      expect(await controls(first)).to.equal(false);
      expect((await runOf(issuer, first))?.maturesAt).to.equal(startedAt + MATURATION);
    });
  });

  describe("of a later controller", () => {
    it("emits the time at which it matures", async () => {
      const { resolver, issuer, issuer2, first, second, claim } = await load();
      await claim(issuer, first);
      const now = (await time.latest()) + 10;
      await next(now);
      await expect(resolver.connect(issuer2).attestDID(didHash, second, 0))
        .to.emit(resolver, "DIDAttested")
        .withArgs(didHash, second, issuer2, now, now, now + MATURATION, now + YEAR);
    });

    it("matures exactly one maturation later", async () => {
      const { issuer, first, second, attest, claim, controls, runOf, score, resistance } = await load();
      await claim(issuer, first);
      const startedAt = await attest(issuer, second);
      await at(startedAt + MATURATION - 1);
      expect(await controls(second)).to.equal(false);
      expect((await runOf(issuer, second))?.matured).to.equal(false);
      expect([await score(second), await resistance(second)]).to.deep.equal([0, 1]);
      await at(startedAt + MATURATION);
      expect(await controls(second)).to.equal(true);
      expect((await runOf(issuer, second))?.matured).to.equal(true);
      expect([await score(second), await resistance(second)]).to.deep.equal([1, 1]);
    });

    it("is refused if it would expire before or when it matures", async () => {
      const { resolver, issuer, first, second, attest, claim, runOf } = await load();
      const now = (await claim(issuer, first)) + 10;
      await next(now - 1);
      await expect(resolver.connect(issuer).attestDID(didHash, second, now + 1))
        .to.be.revertedWithCustomError(resolver, "ExpiresBeforeMaturing")
        .withArgs(now + 1, now - 1 + MATURATION);
      await next(now);
      await expect(resolver.connect(issuer).attestDID(didHash, second, now + MATURATION))
        .to.be.revertedWithCustomError(resolver, "ExpiresBeforeMaturing")
        .withArgs(now + MATURATION, now + MATURATION);
      expect(await runOf(issuer, second)).to.equal(undefined);
      await resolver
        .connect(issuer)
        .attestDIDBatch([{ didHash, controller: second, expiresAt: now + MATURATION }]);
      expect(await runOf(issuer, second)).to.equal(undefined);
      const startedAt = await attest(issuer, second, now + MATURATION + DAY);
      expect((await runOf(issuer, second))?.maturesAt).to.equal(startedAt + MATURATION);
    });

    it("matures two maturations after the claim if it begins within the first one", async () => {
      const { issuer, first, second, third, attest, runOf } = await load();
      const claimedAt = await attest(issuer, first);
      await attest(issuer, second);
      await next(claimedAt + MATURATION);
      await attest(issuer, third);
      for (const account of [second, third]) {
        expect((await runOf(issuer, account))?.maturesAt).to.equal(claimedAt + 2 * MATURATION);
      }
    });

    it("does not mature earlier if more issuers attest the account", async () => {
      const { issuer, issuer2, issuer3, first, second, attest, claim, controls } = await load();
      await claim(issuer, first);
      const startedAt = await attest(issuer, second);
      for (const each of [issuer2, issuer3]) await attest(each, second);
      await at(startedAt + MATURATION - 1);
      expect(await controls(second)).to.equal(false);
    });

    it("matures independently of the runs of other issuers", async () => {
      const { issuer, issuer2, first, second, attest, claim, revoke, controls } = await load();
      await claim(issuer, first);
      const startedAt = await attest(issuer, second);
      await attest(issuer2, second, startedAt + 3 * DAY);
      await revoke(issuer2, second);
      await at(startedAt + MATURATION);
      expect(await controls(second)).to.equal(true);
    });
  });

  describe("when it is renewed", () => {
    it("keeps its beginning, before and after it matures", async () => {
      const { resolver, issuer, first, second, attest, claim, runOf } = await load();
      await claim(issuer, first);
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

    it("moves its expiry only to a later time", async () => {
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

  describe("when its renewal is overdue", () => {
    /** Attests a second controller with a run that expires in ten days. */
    async function setup() {
      const suite = await load();
      const { issuer, first, second, attest, claim } = suite;
      await claim(issuer, first);
      const expiresAt = (await time.latest()) + 10 * DAY;
      const startedAt = await attest(issuer, second, expiresAt);
      return { ...suite, startedAt, expiresAt };
    }

    it("is overdue until the grace ends, and gives no control", async () => {
      const { issuer, second, expiresAt, controls, runOf } = await setup();
      for (const [timestamp, isOverdue] of [
        [expiresAt, true],
        [expiresAt + GRACE - 1, true],
        [expiresAt + GRACE, false],
      ] as const) {
        await at(timestamp);
        expect(await controls(second)).to.equal(false);
        expect(await runOf(issuer, second)).to.include({ live: false, matured: false, overdue: isOverdue });
      }
    });

    it("can be renewed in the last second of the grace", async () => {
      const { issuer, second, startedAt, expiresAt, attest, controls, runOf } = await setup();
      await next(expiresAt + GRACE - 1);
      await attest(issuer, second);
      expect((await runOf(issuer, second))?.startedAt).to.equal(startedAt);
      expect(await controls(second)).to.equal(true);
    });

    it("can't be renewed after the grace, so that a new run begins", async () => {
      const { issuer, second, expiresAt, attest, controls, runOf } = await setup();
      await next(expiresAt + GRACE);
      await attest(issuer, second);
      expect(await runOf(issuer, second)).to.include({
        startedAt: expiresAt + GRACE,
        maturesAt: expiresAt + GRACE + MATURATION,
      });
      expect(await controls(second)).to.equal(false);
    });

    it("is not renewed by another issuer's attestation", async () => {
      const { issuer2, second, expiresAt, attest, controls, runOf } = await setup();
      await at(expiresAt);
      const startedAt = await attest(issuer2, second);
      expect(await controls(second)).to.equal(false);
      expect((await runOf(issuer2, second))?.maturesAt).to.equal(startedAt + MATURATION);
    });
  });

  describe("of a dataHash", () => {
    it("matures when it begins, and can be renewed only while it is live", async () => {
      const { resolver, issuer } = await load();
      const expiresAt = (await time.latest()) + DAY;
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, expiresAt);
      const startedAt = await time.latest();
      const view = async () => (await resolver.getDataHashAttestations(didHash, dataHash))[0];
      expect([(await view())?.maturesAt, (await view())?.matured]).to.deep.equal([BigInt(startedAt), true]);
      await next(expiresAt - 1);
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, expiresAt + DAY);
      expect((await view())?.startedAt).to.equal(startedAt);
      await next(expiresAt + DAY);
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, 0);
      expect([(await view())?.startedAt, (await view())?.overdue]).to.deep.equal([
        BigInt(expiresAt + DAY),
        false,
      ]);
    });
  });
});
