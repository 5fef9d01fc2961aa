import { expect } from "chai";
import { createResolverSuite, DAY, dataHash, didHash } from "./fixture.ts";

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

    it("reverts with NothingToEnd if the issuer stated nothing", async () => {
      const { resolver, issuer2, issuer3, expectNothingToEnd } = await setup();
      for (const each of [issuer2, issuer3]) {
        await resolver.retireIssuer(each);
        await expectNothingToEnd(each);
      }
    });

    // @threat contracts: Change another issuer's statement
    it("reverts if the issuer is active or unknown", async () => {
      const { resolver, issuer, stranger, end } = await setup();
      await expect(end()).to.be.revertedWithCustomError(resolver, "IssuerActive").withArgs(issuer);
      await expect(end(stranger)).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(stranger);
    });
  });
}
