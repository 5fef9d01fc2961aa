import { expect } from "chai";
import { ZeroAddress, ZeroHash } from "ethers";
import { createResolverSuite, DAY, dataHash, didHash, otherDataHash, otherDidHash, YEAR } from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

/** Both kinds of attestation, which share the rules below. */
const kinds = [
  {
    kind: "a controller",
    attest: "attestDID",
    revoke: "revokeDID",
    revoked: "DIDRevoked",
  },
  {
    kind: "a dataHash",
    attest: "attestDataHash",
    revoke: "revokeDataHash",
    revoked: "DataHashRevoked",
  },
] as const;

for (const { kind, attest, revoke, revoked } of kinds) {
  describe(`Attesting ${kind}`, () => {
    async function setup() {
      const suite = await load();
      const { resolver, first } = suite;
      const isOfDID = attest === "attestDID";
      const subject = isOfDID ? first.address : dataHash;
      return {
        ...suite,
        subject,
        isLive: (hash = didHash) =>
          isOfDID ? resolver.checkDID(hash, subject) : resolver.checkDataHashAttestation(hash, subject),
        views: () =>
          isOfDID
            ? resolver.getDIDAttestations(didHash, subject)
            : resolver.getDataHashAttestations(didHash, subject),
      };
    }

    describe("when an issuer attests", () => {
      it("is live only for that subject and DID, and emits an event", async () => {
        const { resolver, issuer, stranger, subject, isLive } = await setup();
        const now = (await time.latest()) + 10;
        await next(now);
        const attesting = resolver.connect(issuer)[attest](didHash, subject, now + DAY);
        if (attest === "attestDID") {
          await expect(attesting)
            .to.emit(resolver, "DIDAttested")
            .withArgs(didHash, subject, issuer, now, now, now, now + DAY);
        } else {
          await expect(attesting)
            .to.emit(resolver, "DataHashAttested")
            .withArgs(didHash, subject, issuer, now, now, now + DAY);
        }
        expect(await isLive()).to.equal(true);
        expect(await isLive(otherDidHash)).to.equal(false);
        expect(await resolver.checkDID(didHash, stranger)).to.equal(false);
        expect(await resolver.checkDataHashAttestation(didHash, otherDataHash)).to.equal(false);
      });
    });

    describe("with an expiry", () => {
      it("returns a run that is live until the expiry, after the longest lifetime for 0", async () => {
        const { resolver, issuer, subject, isLive, views } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        const now = await time.latest();
        const dates = [now, now, now, now + YEAR, 0, 0].map(BigInt);
        const read = async () => (await views()).map((view) => [...view]);
        expect(await read()).to.deep.equal([[issuer.address, ...dates, true, true, false, false]]);
        await at(now + YEAR - 1);
        expect(await isLive()).to.equal(true);
        await at(now + YEAR);
        expect(await isLive()).to.equal(false);
        const isOverdue = attest === "attestDID";
        expect(await read()).to.deep.equal([[issuer.address, ...dates, false, false, isOverdue, false]]);
      });

      // @threat contracts: Use an invalid, replayed or untimely statement
      it("refuses a time that is past or now, and accepts the next second", async () => {
        const { resolver, issuer, subject, isLive } = await setup();
        const now = (await time.latest()) + 10;
        for (const [timestamp, expiresAt] of [
          [now, 1],
          [now + 1, now],
          [now + 2, now + 2],
        ] as const) {
          await next(timestamp);
          await expect(resolver.connect(issuer)[attest](didHash, subject, expiresAt))
            .to.be.revertedWithCustomError(resolver, "ExpiresInPast")
            .withArgs(expiresAt, timestamp);
        }
        await next(now + 3);
        await resolver.connect(issuer)[attest](didHash, subject, now + 4);
        expect(await isLive()).to.equal(true);
      });

      it("accepts exactly the longest lifetime, and refuses one second more", async () => {
        const { resolver, issuer, subject, views } = await setup();
        const now = (await time.latest()) + 10;
        await next(now);
        await expect(resolver.connect(issuer)[attest](didHash, subject, now + YEAR + 1))
          .to.be.revertedWithCustomError(resolver, "ExpiresTooLate")
          .withArgs(now + YEAR + 1, now + YEAR);
        await next(now + 1);
        await resolver.connect(issuer)[attest](didHash, subject, now + 1 + YEAR);
        expect((await views())[0]?.expiresAt).to.equal(now + 1 + YEAR);
        await expect(
          resolver.connect(issuer)[attest](didHash, subject, 2n ** 64n - 1n),
        ).to.be.revertedWithCustomError(resolver, "ExpiresTooLate");
      });
    });

    describe("when an issuer revokes", () => {
      it("ends that issuer's attestation immediately, and emits an event", async () => {
        const { resolver, issuer, subject, isLive, views } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        const endedAt = (await time.latest()) + 10;
        await next(endedAt);
        await expect(resolver.connect(issuer)[revoke](didHash, subject))
          .to.emit(resolver, revoked)
          .withArgs(didHash, subject, issuer, endedAt);
        expect(await isLive()).to.equal(false);
        const [view] = await views();
        expect([view?.statedAt, view?.endedAt]).to.deep.equal([endedAt, endedAt].map(BigInt));
        expect([view?.live, view?.matured, view?.overdue]).to.deep.equal([false, false, false]);
      });

      it("succeeds without an attestation, and if called again", async () => {
        const { resolver, issuer, subject, views } = await setup();
        const revokedAt = (await time.latest()) + 10;
        for (const statedAt of [revokedAt, revokedAt + DAY]) {
          await next(statedAt);
          await expect(resolver.connect(issuer)[revoke](didHash, subject))
            .to.emit(resolver, revoked)
            .withArgs(didHash, subject, issuer, statedAt);
        }
        const stated = [revokedAt + DAY, 0, 0, 0, revokedAt + DAY].map(BigInt);
        expect((await views()).map((view) => [...view])).to.deep.equal([
          [issuer.address, 0n, ...stated, false, false, false, false],
        ]);
      });
    });

    describe("when the caller is not an issuer", () => {
      it("reverts with NotIssuer", async () => {
        const { resolver, owner, stranger, subject } = await setup();
        for (const caller of [owner, stranger]) {
          for (const call of [
            () => resolver.connect(caller)[attest](didHash, subject, 0),
            () => resolver.connect(caller)[revoke](didHash, subject),
          ]) {
            await expect(call()).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(caller);
          }
        }
      });
    });
  });
}

describe("Statements about zero values", () => {
  it("are refused for a zero didHash, controller or dataHash, including revocations", async () => {
    const { resolver, issuer, first } = await load();
    const issuing = resolver.connect(issuer);
    for (const call of [
      () => issuing.attestDID(ZeroHash, first, 0),
      () => issuing.attestDataHash(ZeroHash, dataHash, 0),
      () => issuing.attestDataHash(didHash, ZeroHash, 0),
      () => issuing.revokeDID(ZeroHash, first),
      () => issuing.revokeDataHash(ZeroHash, dataHash),
      () => issuing.revokeDataHash(didHash, ZeroHash),
    ]) {
      await expect(call()).to.be.revertedWithCustomError(resolver, "ZeroHash");
    }
    for (const call of [
      () => issuing.attestDID(didHash, ZeroAddress, 0),
      () => issuing.revokeDID(didHash, ZeroAddress),
    ]) {
      await expect(call()).to.be.revertedWithCustomError(resolver, "ZeroAddress");
    }
  });

  it("never make the zero address a controller", async () => {
    const { resolver } = await load();
    expect(await resolver.checkDID(didHash, ZeroAddress)).to.equal(false);
    expect([...(await resolver.getController(didHash, ZeroAddress))]).to.deep.equal([
      ...[false, false, false, 0n, 0n, 0n, 0n],
    ]);
  });
});
