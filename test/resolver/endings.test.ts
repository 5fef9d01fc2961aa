import { expect } from "chai";
import { createResolverSuite, DAY, dataHash, didHash, HOUR, MATURATION } from "./fixture.ts";

const { time, next, load } = await createResolverSuite();

/** The same rules apply to both kinds of attestation. */
for (const kind of ["controller", "dataHash"] as const) {
  describe(kind === "controller" ? "endDIDAttestation" : "endDataHashAttestation", () => {
    /** Creates an attestation, whose issuer a test can then retire or distrust. */
    async function setup() {
      const suite = await load();
      const { resolver, issuer, issuer2, first, second } = suite;
      const isOfDID = kind === "controller";
      await resolver.connect(issuer2).attestDID(didHash, second, 0);
      const subject = isOfDID ? first.address : dataHash;
      const attest = (expiresAt = 0) =>
        isOfDID
          ? resolver.connect(issuer).attestDID(didHash, subject, expiresAt)
          : resolver.connect(issuer).attestDataHash(didHash, subject, expiresAt);
      const revoke = () =>
        isOfDID
          ? resolver.connect(issuer).revokeDID(didHash, subject)
          : resolver.connect(issuer).revokeDataHash(didHash, subject);
      const end = (by = issuer, caller = suite.owner) =>
        isOfDID
          ? resolver.connect(caller).endDIDAttestation(didHash, subject, by)
          : resolver.connect(caller).endDataHashAttestation(didHash, subject, by);
      const view = async () => {
        const views = isOfDID
          ? await resolver.getDIDAttestations(didHash, subject)
          : await resolver.getDataHashAttestations(didHash, subject);
        return views.find((each) => each.issuer === issuer.address);
      };
      const expectNothingToEnd = (by = issuer) =>
        expect(end(by)).to.be.revertedWithCustomError(resolver, "NothingToEnd").withArgs(didHash, by);
      await attest();
      const startedAt = await time.latest();
      return { ...suite, isOfDID, subject, attest, revoke, end, view, expectNothingToEnd, startedAt };
    }

    it("ends the attestation now and emits an event", async () => {
      const { resolver, issuer, isOfDID, subject, end, view } = await setup();
      await resolver.retireIssuer(issuer);
      const endedAt = (await time.latest()) + 10;
      await next(endedAt);
      await expect(end())
        .to.emit(resolver, isOfDID ? "DIDAttestationEnded" : "DataHashAttestationEnded")
        .withArgs(didHash, subject, issuer);
      const { live, overdue, endedAt: shown } = (await view()) ?? {};
      expect([live, overdue, shown]).to.deep.equal([false, false, BigInt(endedAt)]);
    });

    it("is not undone by distrust, unlike a revocation", async () => {
      const { resolver, issuer, startedAt, end, view } = await setup();
      await time.increase(3 * DAY);
      await resolver.distrustIssuer(issuer, await time.latest());
      await end();
      const endedAt = BigInt(await time.latest());
      await resolver.distrustIssuer(issuer, startedAt + 1);
      expect([(await view())?.live, (await view())?.endedAt]).to.deep.equal([false, endedAt]);
    });

    // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
    it("ends for good a revoked attestation that distrust restored", async () => {
      const { resolver, issuer, startedAt, revoke, end, view } = await setup();
      await time.increase(3 * DAY);
      await revoke();
      await resolver.distrustIssuer(issuer, await time.latest());
      expect((await view())?.live).to.equal(true);
      await end();
      const endedAt = BigInt(await time.latest());
      await resolver.distrustIssuer(issuer, startedAt + 1);
      expect([(await view())?.live, (await view())?.endedAt]).to.deep.equal([false, endedAt]);
    });

    // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
    it("keeps the end of a revoked attestation, and distrust no longer undoes it", async () => {
      const { resolver, issuer, startedAt, revoke, end, view } = await setup();
      await time.increase(3 * DAY);
      await revoke();
      const revokedAt = BigInt(await time.latest());
      await resolver.retireIssuer(issuer);
      for (const _ of ["once", "again"]) {
        await end();
        expect((await view())?.endedAt).to.equal(revokedAt);
      }
      await resolver.distrustIssuer(issuer, startedAt + 1);
      expect([(await view())?.live, (await view())?.endedAt]).to.deep.equal([false, revokedAt]);
    });

    it("ends the grace period of an expired attestation", async () => {
      const { resolver, issuer, attest, revoke, end, view } = await setup();
      await revoke();
      await time.increase(3 * DAY);
      const expiresAt = (await time.latest()) + 3 * DAY;
      await attest(expiresAt);
      await resolver.retireIssuer(issuer);
      await next(expiresAt + HOUR);
      await end();
      expect([(await view())?.overdue, (await view())?.endedAt]).to.deep.equal([
        false,
        BigInt(expiresAt + HOUR),
      ]);
    });

    it("does not change the dates of the issuer's statements", async () => {
      const { resolver, issuer, startedAt, end, view } = await setup();
      await resolver.retireIssuer(issuer);
      await end();
      expect([(await view())?.startedAt, (await view())?.statedAt]).to.deep.equal(
        [startedAt, startedAt].map(BigInt),
      );
    });

    it("accepts a void run, which stays void", async () => {
      const { resolver, issuer, startedAt, end, view } = await setup();
      await resolver.distrustIssuer(issuer, startedAt);
      await end();
      expect([(await view())?.live, (await view())?.startedAt]).to.deep.equal([false, 0n]);
    });

    it("reverts with NothingToEnd if the issuer stated nothing", async () => {
      const { resolver, issuer2, issuer3, expectNothingToEnd } = await setup();
      for (const each of [issuer2, issuer3]) {
        await resolver.retireIssuer(each);
        await expectNothingToEnd(each);
      }
    });

    it("reverts with NothingToEnd if the issuer only revoked", async () => {
      const { resolver, issuer3, first, expectNothingToEnd } = await setup();
      await resolver.connect(issuer3).revokeDID(didHash, first);
      await resolver.connect(issuer3).revokeDataHash(didHash, dataHash);
      await resolver.retireIssuer(issuer3);
      await expectNothingToEnd(issuer3);
    });

    // @threat contracts: Change another issuer's statement
    it("reverts if the issuer is active or unknown", async () => {
      const { resolver, issuer, stranger, end } = await setup();
      await expect(end()).to.be.revertedWithCustomError(resolver, "IssuerActive").withArgs(issuer);
      await expect(end(stranger)).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(stranger);
    });
  });
}

describe("endDIDAttestation of a controller", () => {
  it("removes the controller's resistance, even if its issuer had revoked it", async () => {
    const { resolver, issuer, first, claim, revoke, resistance } = await load();
    await claim(issuer, first);
    await revoke(issuer, first);
    await resolver.retireIssuer(issuer);
    expect(await resistance(first)).to.equal(1);
    await resolver.endDIDAttestation(didHash, first, issuer);
    expect(await resistance(first)).to.equal(0);
    expect(await resolver.resistsReclaim(didHash, first)).to.equal(false);
  });

  it("keeps the end of a removed controller's run", async () => {
    const { resolver, issuer, issuer2, issuer3, first, second, attest, claim, runOf } = await load();
    await claim(issuer, first);
    for (const each of [issuer2, issuer3]) await attest(each, second);
    await time.increase(MATURATION);
    await resolver.connect(second).challengeDID(didHash, first);
    await time.increase(7 * DAY);
    await resolver.resolveChallenge(didHash, first, second);
    await resolver.retireIssuer(issuer);
    const removedAt = (await runOf(issuer, first))?.endedAt;
    await resolver.endDIDAttestation(didHash, first, issuer);
    expect((await runOf(issuer, first))?.endedAt).to.equal(removedAt);
  });

  it("ends only the run of that account and issuer", async () => {
    const { resolver, issuer, issuer2, first, second, attest, claim, runOf } = await load();
    await claim(issuer, first);
    await attest(issuer2, first);
    await attest(issuer, second);
    await resolver.retireIssuer(issuer);
    await resolver.endDIDAttestation(didHash, first, issuer);
    expect((await runOf(issuer, first))?.live).to.equal(false);
    expect((await runOf(issuer2, first))?.live).to.equal(true);
    expect((await runOf(issuer, second))?.live).to.equal(true);
  });
});
