import { expect } from "chai";
import { createResolverSuite, DAY, dataHash, didHash, GRACE, HOUR, MATURATION, YEAR } from "./fixture.ts";
import { signStatement } from "./statements.ts";

const { time, at, next, load } = await createResolverSuite();

const DISTRUSTED = 3n;
/** Longest life of a run that was extended after the theft, from the first distrust, in seconds. */
const DISTRUSTED_LIFE = 30 * DAY;

describe("distrustIssuer", () => {
  /** Attests a first controller. `distrust` distrusts its issuer. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer, first, attest } = suite;
    const startedAt = await attest(issuer, first);
    const distrust = (since: number) => resolver.distrustIssuer(issuer, since);
    return { ...suite, startedAt, distrust };
  }

  describe("when the owner distrusts an issuer", () => {
    it("ends its rights to attest and to revoke, and emits IssuerDistrusted", async () => {
      const { resolver, issuer, first, startedAt, distrust } = await setup();
      await expect(distrust(startedAt + 1))
        .to.emit(resolver, "IssuerDistrusted")
        .withArgs(issuer, startedAt + 1);
      const { status, distrustedSince } = await resolver.getIssuer(issuer);
      expect([status, distrustedSince]).to.deep.equal([DISTRUSTED, BigInt(startedAt + 1)]);
      expect(await resolver.isIssuer(issuer)).to.equal(false);
      const stating = resolver.connect(issuer);
      for (const call of [
        () => stating.attestDID(didHash, first, 0),
        () => stating.revokeDID(didHash, first),
        () => stating.attestDataHash(didHash, dataHash, 0),
        () => stating.revokeDataHash(didHash, dataHash),
        () => stating.attestDIDBatch([]),
        () => stating.revokeDIDBatch([]),
      ]) {
        await expect(call()).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(issuer);
      }
    });

    it("accepts the current time, and no later time", async () => {
      const { resolver, issuer, distrust } = await setup();
      const now = (await time.latest()) + 10;
      await next(now);
      await expect(distrust(now + 1))
        .to.be.revertedWithCustomError(resolver, "InvalidDistrust")
        .withArgs(now + 1, now + 1);
      await distrust(now);
      expect((await resolver.getIssuer(issuer)).distrustedSince).to.equal(now);
    });

    it("moves an earlier distrust only to an earlier time", async () => {
      const { resolver, issuer, startedAt, distrust } = await setup();
      await distrust(startedAt);
      for (const since of [startedAt, startedAt + 1]) {
        await expect(distrust(since))
          .to.be.revertedWithCustomError(resolver, "InvalidDistrust")
          .withArgs(since, startedAt);
      }
      await distrust(startedAt - 1);
      expect((await resolver.getIssuer(issuer)).distrustedSince).to.equal(startedAt - 1);
    });

    it("refuses a second distrust since 0", async () => {
      const { resolver, distrust } = await setup();
      await distrust(0);
      const now = (await time.latest()) + 10;
      await next(now);
      await expect(distrust(0)).to.be.revertedWithCustomError(resolver, "InvalidDistrust").withArgs(0, 0);
    });

    it("accepts a retired issuer, and refuses an unknown one", async () => {
      const { resolver, issuer, stranger, startedAt, distrust } = await setup();
      await resolver.retireIssuer(issuer);
      const { seatFreeAt } = await resolver.getIssuer(issuer);
      await time.increase(DAY);
      await distrust(startedAt + 1);
      const view = await resolver.getIssuer(issuer);
      expect([view.status, view.seatFreeAt]).to.deep.equal([DISTRUSTED, seatFreeAt]);
      await expect(resolver.distrustIssuer(stranger, 0))
        .to.be.revertedWithCustomError(resolver, "NotIssuer")
        .withArgs(stranger);
    });

    it("keeps the seat like that of a retired issuer, and frees it if distrusted since 0", async () => {
      const { resolver, issuer, startedAt, distrust } = await setup();
      const now = (await time.latest()) + 10;
      await next(now);
      await distrust(startedAt + 1);
      const seatFreeAt = async () => (await resolver.getIssuer(issuer)).seatFreeAt;
      expect(await seatFreeAt()).to.equal(now + YEAR + 8 * DAY);
      await time.increase(DAY);
      await distrust(1);
      expect(await seatFreeAt()).to.equal(now + YEAR + 8 * DAY);
      await distrust(0);
      expect(await seatFreeAt()).to.equal(0);
    });
  });

  describe("with runs that began at that time or later", () => {
    it("voids them, including one that began in that second", async () => {
      const { issuer, first, startedAt, distrust, controls, runOf } = await setup();
      await distrust(startedAt + 1);
      expect(await controls(first)).to.equal(true);
      await distrust(startedAt);
      expect(await controls(first)).to.equal(false);
      expect(await runOf(issuer, first)).to.include({
        ...{ startedAt: 0, statedAt: startedAt, maturesAt: 0, expiresAt: 0, endedAt: 0 },
        ...{ live: false, matured: false, overdue: false },
      });
    });

    it("voids attestations of dataHashes", async () => {
      const { resolver, issuer, distrust } = await setup();
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, 0);
      const attestedAt = await time.latest();
      await distrust(attestedAt + 1);
      expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(true);
      await distrust(attestedAt);
      expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(false);
      expect((await resolver.getDataHashAttestations(didHash, dataHash))[0]?.live).to.equal(false);
    });

    it("removes their score and resistance, even if they were revoked since", async () => {
      const { issuer, first, startedAt, distrust, revoke, score, resistance } = await setup();
      await revoke(issuer, first);
      expect(await resistance(first)).to.equal(1);
      await distrust(startedAt);
      expect([await score(first), await resistance(first)]).to.deep.equal([0, 0]);
    });

    it("voids runs that a thief dated back, because the date of the block counts", async () => {
      const { resolver, issuer, stranger, second, startedAt, distrust, controls } = await setup();
      const theft = startedAt + 3 * DAY;
      const statedAt = theft - DAY + HOUR;
      const attestation = { didHash, controller: second.address, expiresAt: 0 };
      const signature = await signStatement({
        ...{ resolver, signer: issuer, type: "AttestDID", statement: attestation },
        fields: { statedAt, deadline: statedAt + DAY },
      });
      await next(theft);
      await resolver.connect(stranger).attestDIDBySignature(attestation, signature);
      await time.increase(MATURATION);
      expect(await controls(second)).to.equal(true);
      await distrust(theft);
      expect(await controls(second)).to.equal(false);
    });
  });

  describe("with runs that began before", () => {
    it("keeps the expiry of runs that were extended before that time", async () => {
      const { issuer, first, startedAt, distrust, attest, runOf } = await setup();
      const renewedAt = startedAt + DAY;
      await next(renewedAt);
      await attest(issuer, first);
      await distrust(renewedAt + 1);
      expect((await runOf(issuer, first))?.expiresAt).to.equal(renewedAt + YEAR);
    });

    it("limits runs extended since then to 30 days after the first distrust", async () => {
      const { issuer, first, startedAt, distrust, attest, controls, runOf } = await setup();
      const renewedAt = startedAt + DAY;
      await next(renewedAt);
      await attest(issuer, first);
      const distrustedAt = renewedAt + DAY;
      await next(distrustedAt);
      await distrust(renewedAt);
      const expiresAt = distrustedAt + DISTRUSTED_LIFE;
      expect((await runOf(issuer, first))?.expiresAt).to.equal(expiresAt);
      await time.increase(10 * DAY);
      await distrust(renewedAt - 1);
      expect((await runOf(issuer, first))?.expiresAt).to.equal(expiresAt);
      await at(expiresAt - 1);
      expect(await controls(first)).to.equal(true);
      await at(expiresAt);
      expect(await controls(first)).to.equal(false);
      await at(expiresAt + GRACE - 1);
      expect((await runOf(issuer, first))?.overdue).to.equal(true);
      await at(expiresAt + GRACE);
      expect((await runOf(issuer, first))?.overdue).to.equal(false);
    });

    it("keeps an earlier expiry", async () => {
      const { issuer, second, distrust, attest, runOf } = await setup();
      const expiresAt = (await time.latest()) + 20 * DAY;
      const startedAt = await attest(issuer, second, expiresAt);
      await distrust(startedAt + 1);
      expect((await runOf(issuer, second))?.expiresAt).to.equal(expiresAt);
    });

    it("keeps a run that a thief renewed for 30 days", async () => {
      const { issuer, first, startedAt, distrust, attest, controls, runOf } = await setup();
      const theft = startedAt + 100 * DAY;
      await next(theft);
      await attest(issuer, first);
      const distrustedAt = theft + DAY;
      await next(distrustedAt);
      await distrust(theft);
      expect(await controls(first)).to.equal(true);
      expect(await runOf(issuer, first)).to.include({ startedAt, expiresAt: distrustedAt + DISTRUSTED_LIFE });
    });

    it("ignores revocations at that time or later, and keeps earlier ones", async () => {
      const { issuer, first, startedAt, distrust, revoke, controls, runOf } = await setup();
      const endedAt = startedAt + 100 * DAY;
      await next(endedAt);
      await revoke(issuer, first);
      await distrust(endedAt + 1);
      expect([await controls(first), (await runOf(issuer, first))?.endedAt]).to.deep.equal([false, endedAt]);
      await distrust(endedAt);
      expect([await controls(first), (await runOf(issuer, first))?.endedAt]).to.deep.equal([true, 0]);
      expect((await runOf(issuer, first))?.expiresAt).to.equal(startedAt + YEAR);
    });

    it("does not restore a run that a thief revoked and replaced by a new one", async () => {
      const { issuer, first, startedAt, distrust, claim, revoke, controls } = await setup();
      const theft = startedAt + 100 * DAY;
      await next(theft);
      await revoke(issuer, first);
      await next(theft + MATURATION);
      await claim(issuer, first);
      await distrust(theft);
      expect(await controls(first)).to.equal(false);
    });

    it("keeps a revocation of a second controller before that time", async () => {
      const { issuer, second, distrust, attest, revoke, controls } = await setup();
      await attest(issuer, second);
      await time.increase(3 * DAY);
      await revoke(issuer, second);
      await time.increase(DAY);
      await distrust((await time.latest()) - 1);
      expect(await controls(second)).to.equal(false);
    });
  });

  describe("with other issuers", () => {
    it("does not change their attestations", async () => {
      const { issuer2, first, attest, distrust, runOf } = await setup();
      await attest(issuer2, first);
      const before = await runOf(issuer2, first);
      await distrust(0);
      expect(await runOf(issuer2, first)).to.deep.equal(before);
    });

    it("keeps the DID claimed, so that the next controller has to wait", async () => {
      const { resolver, issuer2, second, attest, distrust, controls } = await setup();
      await distrust(0);
      expect(await resolver.claimedAt(didHash)).to.be.greaterThan(0);
      await attest(issuer2, second);
      expect(await controls(second)).to.equal(false);
    });
  });
});
