import { expect } from "chai";
import { ZeroAddress, ZeroHash } from "ethers";
import { createResolverSuite, DAY, dataHash, didHash, otherDataHash, otherDidHash, YEAR } from "./fixture.ts";

const { time, at, load } = await createResolverSuite();

/** The rules that both kinds of attestation share, run over each. */
const kinds = [
  {
    kind: "a controller",
    attest: "attestDID",
    revoke: "revokeDID",
    event: "DIDAttested",
    revoked: "DIDRevoked",
  },
  {
    kind: "a dataHash",
    attest: "attestDataHash",
    revoke: "revokeDataHash",
    event: "DataHashAttested",
    revoked: "DataHashRevoked",
  },
] as const;

for (const { kind, attest, revoke, event, revoked } of kinds) {
  describe(`Attesting ${kind}`, () => {
    async function setup() {
      const suite = await load();
      const { resolver, first } = suite;
      const subject = attest === "attestDID" ? first.address : dataHash;
      return {
        ...suite,
        subject,
        /** The subject as `NothingToRevoke` names it. */
        subjectWord:
          attest === "attestDID" ? `0x${first.address.slice(2).toLowerCase().padStart(64, "0")}` : dataHash,
        isLive: (hash = didHash) =>
          attest === "attestDID"
            ? resolver.checkDID(hash, subject)
            : resolver.checkDataHashAttestation(hash, subject),
        views: () =>
          attest === "attestDID"
            ? resolver.getDIDAttestations(didHash, subject)
            : resolver.getDataHashAttestations(didHash, subject),
      };
    }

    describe("when nothing is attested", () => {
      it("answers no", async () => {
        const { isLive, views } = await setup();
        expect(await isLive()).to.equal(false);
        expect(await views()).to.deep.equal([]);
      });
    });

    describe("when an issuer attests", () => {
      it("is live for that subject and that DID only, and says so in an event", async () => {
        const { resolver, issuer, stranger, subject, isLive } = await setup();
        const now = (await time.latest()) + 10;
        await time.setNextBlockTimestamp(now);
        await expect(resolver.connect(issuer)[attest](didHash, subject, now + DAY))
          .to.emit(resolver, event)
          .withArgs(didHash, subject, issuer.address, now, now + DAY);
        expect(await isLive()).to.equal(true);
        expect(await isLive(otherDidHash)).to.equal(false);
        expect(await resolver.checkDID(didHash, stranger.address)).to.equal(false);
        expect(await resolver.checkDataHashAttestation(didHash, otherDataHash)).to.equal(false);
      });

      it("shows issuer, age and expiry to a reader", async () => {
        const { resolver, issuer, subject, views } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        const now = await time.latest();
        expect((await views()).map((view) => [...view])).to.deep.equal([
          [issuer.address, BigInt(now), BigInt(now + YEAR), true],
        ]);
      });

      it("keeps one attestation per issuer, each with its own expiry", async () => {
        const { resolver, issuer, issuer2, issuer3, subject, views } = await setup();
        const now = await time.latest();
        await resolver.connect(issuer3)[attest](didHash, subject, now + 3 * DAY);
        await resolver.connect(issuer)[attest](didHash, subject, now + DAY);
        await resolver.connect(issuer2)[attest](didHash, subject, now + 2 * DAY);
        expect(
          (await views()).map(({ issuer, expiresAt }) => [issuer, Number(expiresAt) - now]),
        ).to.deep.equal([
          [issuer.address, DAY],
          [issuer2.address, 2 * DAY],
          [issuer3.address, 3 * DAY],
        ]);
      });
    });

    describe("when it is attested again", () => {
      it("keeps its age while it is live", async () => {
        const { resolver, issuer, issuer2, subject, views } = await setup();
        for (const each of [issuer, issuer2]) {
          await resolver.connect(each)[attest](didHash, subject, 0);
          const attestedAt = BigInt(await time.latest());
          await time.increase(DAY);
          await resolver.connect(each)[attest](didHash, subject, 0);
          const view = (await views()).find((candidate) => candidate.issuer === each.address);
          expect(view?.attestedAt).to.equal(attestedAt);
          expect(view?.expiresAt).to.equal(BigInt((await time.latest()) + YEAR));
        }
      });

      it("may be given a shorter life", async () => {
        const { resolver, issuer, subject, isLive } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        const now = await time.latest();
        await resolver.connect(issuer)[attest](didHash, subject, now + DAY);
        await at(now + DAY);
        expect(await isLive()).to.equal(false);
      });

      it("begins a new age once it has expired", async () => {
        const { resolver, issuer, issuer2, subject, views } = await setup();
        for (const each of [issuer, issuer2]) {
          await resolver.connect(each)[attest](didHash, subject, (await time.latest()) + DAY);
          await time.increase(DAY);
          await resolver.connect(each)[attest](didHash, subject, 0);
          const view = (await views()).find((candidate) => candidate.issuer === each.address);
          expect(view?.attestedAt).to.equal(BigInt(await time.latest()));
        }
      });
    });

    describe("with an expiry", () => {
      it("is live until the second before it, and expired at it", async () => {
        const { resolver, issuer, subject, isLive, views } = await setup();
        const expiresAt = (await time.latest()) + DAY;
        await resolver.connect(issuer)[attest](didHash, subject, expiresAt);
        await at(expiresAt - 1);
        expect(await isLive()).to.equal(true);
        await at(expiresAt);
        expect(await isLive()).to.equal(false);
        expect((await views()).map(({ live }) => live)).to.deep.equal([false]);
      });

      it("takes 0 for the longest lifetime", async () => {
        const { resolver, issuer, subject, isLive } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        const now = await time.latest();
        await at(now + YEAR - 1);
        expect(await isLive()).to.equal(true);
        await at(now + YEAR);
        expect(await isLive()).to.equal(false);
      });

      it("refuses a time that is past or exactly now", async () => {
        const { resolver, issuer, subject } = await setup();
        const now = (await time.latest()) + 10;
        for (const expiresAt of [1, now - 1, now]) {
          await time.setNextBlockTimestamp(now + (expiresAt === 1 ? -2 : expiresAt - now));
          const timestamp = expiresAt === 1 ? now - 2 : expiresAt;
          await expect(resolver.connect(issuer)[attest](didHash, subject, expiresAt))
            .to.be.revertedWithCustomError(resolver, "ExpiresInPast")
            .withArgs(expiresAt, timestamp);
        }
      });

      it("refuses a time beyond the longest lifetime, and takes the last one within", async () => {
        const { resolver, issuer, subject } = await setup();
        const now = (await time.latest()) + 10;
        await time.setNextBlockTimestamp(now);
        await expect(resolver.connect(issuer)[attest](didHash, subject, now + YEAR + 1))
          .to.be.revertedWithCustomError(resolver, "ExpiresTooLate")
          .withArgs(now + YEAR + 1, now + YEAR);
        await expect(
          resolver.connect(issuer)[attest](didHash, subject, 2n ** 64n - 1n),
        ).to.be.revertedWithCustomError(resolver, "ExpiresTooLate");
        await time.setNextBlockTimestamp(now + 10);
        await resolver.connect(issuer)[attest](didHash, subject, now + 10 + YEAR);
      });
    });

    describe("when the caller is not an issuer", () => {
      it("refuses the owner, a stranger and a removed issuer", async () => {
        const { resolver, owner, issuer, stranger, subject } = await setup();
        await resolver.removeIssuer(issuer.address);
        for (const caller of [owner, stranger, issuer]) {
          for (const call of [
            resolver.connect(caller)[attest](didHash, subject, 0),
            resolver.connect(caller)[revoke](didHash, subject),
          ]) {
            await expect(call).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(caller.address);
          }
        }
      });
    });

    describe("when it is revoked", () => {
      it("is no longer live, and says so in an event", async () => {
        const { resolver, issuer, subject, isLive, views } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        await expect(resolver.connect(issuer)[revoke](didHash, subject))
          .to.emit(resolver, revoked)
          .withArgs(didHash, subject, issuer.address);
        expect(await isLive()).to.equal(false);
        expect(await views()).to.deep.equal([]);
      });

      it("leaves what other issuers attest", async () => {
        const { resolver, issuer, issuer2, subject, isLive, views } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        await resolver.connect(issuer2)[attest](didHash, subject, 0);
        await resolver.connect(issuer)[revoke](didHash, subject);
        expect(await isLive()).to.equal(true);
        expect((await views()).map((view) => view.issuer)).to.deep.equal([issuer2.address]);
      });

      it("begins a new age when it is attested again", async () => {
        const { resolver, issuer, subject, isLive, views } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        await resolver.connect(issuer)[revoke](didHash, subject);
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        expect(await isLive()).to.equal(true);
        expect((await views()).map(({ attestedAt }) => Number(attestedAt))).to.deep.equal([
          await time.latest(),
        ]);
      });

      it("may be revoked after it has expired", async () => {
        const { resolver, issuer, subject, views } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, (await time.latest()) + DAY);
        await time.increase(DAY);
        await resolver.connect(issuer)[revoke](didHash, subject);
        expect(await views()).to.deep.equal([]);
      });

      it("refuses when that issuer attested nothing, or has revoked it already", async () => {
        const { resolver, issuer, issuer2, subject, subjectWord } = await setup();
        await resolver.connect(issuer)[attest](didHash, subject, 0);
        await resolver.connect(issuer)[revoke](didHash, subject);
        for (const caller of [issuer, issuer2]) {
          await expect(resolver.connect(caller)[revoke](didHash, subject))
            .to.be.revertedWithCustomError(resolver, "NothingToRevoke")
            .withArgs(didHash, subjectWord, caller.address);
        }
      });
    });
  });
}

describe("Attesting nothing", () => {
  it("refuses the zero DID hash, the zero controller and the zero dataHash", async () => {
    const { resolver, issuer, first } = await load();
    const issuing = resolver.connect(issuer);
    await expect(issuing.attestDID(ZeroHash, first.address, 0)).to.be.revertedWithCustomError(
      resolver,
      "ZeroHash",
    );
    await expect(issuing.attestDID(didHash, ZeroAddress, 0)).to.be.revertedWithCustomError(
      resolver,
      "ZeroAddress",
    );
    await expect(issuing.attestDataHash(ZeroHash, dataHash, 0)).to.be.revertedWithCustomError(
      resolver,
      "ZeroHash",
    );
    await expect(issuing.attestDataHash(didHash, ZeroHash, 0)).to.be.revertedWithCustomError(
      resolver,
      "ZeroHash",
    );
  });

  it("never counts the zero address as a controller", async () => {
    const { resolver } = await load();
    expect(await resolver.checkDID(didHash, ZeroAddress)).to.equal(false);
    expect([...(await resolver.getController(didHash, ZeroAddress))]).to.deep.equal([
      ...[false, false, false, 0n, false, ZeroAddress],
    ]);
  });
});
