import { expect } from "chai";
import { createResolverSuite, DAY, dataHash, didHash, HOUR, MATURATION, YEAR } from "./fixture.ts";
import { signStatement } from "./statements.ts";

const suite = await createResolverSuite({ allowBlocksWithSameTimestamp: true });
const { time, next, load } = suite;

/** The same rules apply to both kinds of pair. */
for (const pair of ["controller", "dataHash"] as const) {
  describe(`Order of statements about a ${pair}`, () => {
    /** Returns functions that state directly, or submit a signature of `statedAt`, at a given time. */
    async function setup() {
      const loaded = await load();
      const { resolver, issuer, issuer2, first, second, stranger } = loaded;
      const isOfDID = pair === "controller";
      // Use the second controller of a claimed DID: the DID's slot holds the run of the first one.
      await resolver.connect(issuer2).attestDID(didHash, first, 0);
      const subject = isOfDID ? second.address : dataHash;
      const now = (await time.latest()) + 2 * DAY;

      const direct = async (timestamp: number, isRevocation: boolean) => {
        await next(timestamp);
        const issuing = resolver.connect(issuer);
        if (isRevocation) {
          return isOfDID ? issuing.revokeDID(didHash, subject) : issuing.revokeDataHash(didHash, subject);
        }
        return isOfDID ? issuing.attestDID(didHash, subject, 0) : issuing.attestDataHash(didHash, subject, 0);
      };
      const signed = async (timestamp: number, isRevocation: boolean, statedAt: number) => {
        const type = `${isRevocation ? "Revoke" : "Attest"}${isOfDID ? "DID" : "DataHash"}` as const;
        const statement = { didHash, controller: subject, dataHash: subject, expiresAt: 0 };
        const signature = await signStatement({
          ...{ resolver, signer: issuer, type },
          statement: isOfDID ? { ...statement, dataHash } : { ...statement, controller: first.address },
          fields: { statedAt, deadline: statedAt + DAY },
        });
        await next(timestamp);
        const carrying = resolver.connect(stranger);
        if (type === "AttestDID") return carrying.attestDIDBySignature(statement, signature);
        if (type === "RevokeDID") return carrying.revokeDIDBySignature(didHash, subject, signature);
        if (type === "AttestDataHash") return carrying.attestDataHashBySignature(statement, signature);
        return carrying.revokeDataHashBySignature(didHash, subject, signature);
      };
      const view = async () => {
        const views = isOfDID
          ? await resolver.getDIDAttestations(didHash, subject)
          : await resolver.getDataHashAttestations(didHash, subject);
        const { statedAt, startedAt, endedAt, expiresAt, live } = views[0] ?? {};
        return [statedAt, startedAt, endedAt, expiresAt, live];
      };
      const expectStale = (call: Promise<unknown>, statedAt: number, newestAt: number) =>
        expect(call).to.be.revertedWithCustomError(resolver, "StaleStatement").withArgs(statedAt, newestAt);
      const expectNothing = async (call: () => Promise<unknown>) => {
        const before = await view();
        await expect(call()).not.to.emit(resolver, isOfDID ? "DIDAttested" : "DataHashAttested");
        await expect(call()).not.to.emit(resolver, isOfDID ? "DIDRevoked" : "DataHashRevoked");
        expect(await view()).to.deep.equal(before);
      };
      const isLive = async () => (await view()).at(-1);
      return { ...loaded, now, direct, signed, view, isLive, expectStale, expectNothing };
    }
    const ATTESTED = false;
    const REVOKED = true;

    describe("when a signature is older than the issuer's last statement", () => {
      it("refuses an attestation signed before a revocation", async () => {
        const { now, direct, signed, expectStale } = await setup();
        await direct(now, REVOKED);
        await expectStale(signed(now + 5, ATTESTED, now - 1), now - 1, now);
      });

      it("refuses a revocation signed before an attestation", async () => {
        const { now, direct, signed, expectStale, isLive } = await setup();
        await direct(now, ATTESTED);
        await expectStale(signed(now + 5, REVOKED, now - 1), now - 1, now);
        expect(await isLive()).to.equal(true);
      });

      it("succeeds without a change if the last statement is the same", async () => {
        const { now, direct, signed, expectNothing } = await setup();
        await direct(now, ATTESTED);
        await expectNothing(() => signed(now + 5, ATTESTED, now - 1));
        await direct(now + 10, REVOKED);
        await expectNothing(() => signed(now + 15, REVOKED, now + 9));
      });

      it("succeeds without a change if the signature is submitted again", async () => {
        const { now, signed, expectNothing, isLive } = await setup();
        await signed(now + 5, ATTESTED, now);
        await expectNothing(() => signed(now + 6, ATTESTED, now));
        await signed(now + 7, REVOKED, now + 1);
        expect(await isLive()).to.equal(false);
      });

      it("compares the dates of signatures, not the times at which they were submitted", async () => {
        const { now, signed, view } = await setup();
        await signed(now + HOUR, ATTESTED, now);
        await signed(now + HOUR + 5, REVOKED, now + 1);
        expect(await view()).to.deep.equal(
          [now + 1, now + HOUR, now + HOUR + 5, now + YEAR].map(BigInt).concat([false] as never),
        );
      });

      it("refuses an attestation that was withdrawn by a revocation before it was submitted", async () => {
        const { now, direct, signed, expectStale } = await setup();
        await direct(now, REVOKED);
        await direct(now + 1, REVOKED);
        await expectStale(signed(now + 5, ATTESTED, now), now, now + 1);
      });
    });

    describe("when a signature is newer", () => {
      it("applies although it was dated back by less than a day", async () => {
        const { now, direct, signed, view } = await setup();
        await direct(now, ATTESTED);
        await signed(now + DAY, ATTESTED, now + 1);
        expect((await view()).map(Number)).to.deep.equal([now + 1, now, 0, now + 1 + YEAR, 1]);
      });
    });

    describe("when two statements have the same second", () => {
      it("a signed revocation wins over a signed attestation, in either order", async () => {
        const { now, signed, isLive } = await setup();
        await signed(now + 5, ATTESTED, now);
        await signed(now + 6, REVOKED, now);
        expect(await isLive()).to.equal(false);
        const other = await setup();
        await other.signed(other.now + 5, REVOKED, other.now);
        await other.expectStale(other.signed(other.now + 6, ATTESTED, other.now), other.now, other.now);
      });

      it("a signed revocation wins over a signed attestation, but not over a direct one", async () => {
        const { now, direct, signed, expectStale, isLive } = await setup();
        await signed(now, ATTESTED, now);
        await signed(now, REVOKED, now);
        expect(await isLive()).to.equal(false);
        await direct(now + 3 * DAY, ATTESTED);
        await expectStale(signed(now + 3 * DAY, REVOKED, now + 3 * DAY), now + 3 * DAY, now + 3 * DAY);
        expect(await isLive()).to.equal(true);
      });

      it("a direct statement wins over earlier ones", async () => {
        const { resolver, now, direct, signed, isLive } = await setup();
        await signed(now, REVOKED, now);
        await expect(direct(now, ATTESTED))
          .to.be.revertedWithCustomError(resolver, "RecentlyRevoked")
          .withArgs(now + MATURATION);
        await direct(now + MATURATION, ATTESTED);
        expect(await isLive()).to.equal(true);
        await direct(now + MATURATION, REVOKED);
        expect(await isLive()).to.equal(false);
      });

      it("a signed attestation does not win over a direct statement", async () => {
        const { now, direct, signed, expectNothing, expectStale } = await setup();
        await direct(now, ATTESTED);
        await expectNothing(() => signed(now, ATTESTED, now));
        await direct(now, REVOKED);
        await expectStale(signed(now, ATTESTED, now), now, now);
      });
    });
  });
}

describe("Order of statements about a removed controller", () => {
  /** Prepares the removal of the first controller by the second one. `remove` resolves the challenge at `removedAt`. */
  async function setup() {
    const loaded = await load();
    const { resolver, issuer, issuer2, issuer3, first, second, attest, claim } = loaded;
    await claim(issuer, first);
    await attest(issuer2, second);
    await attest(issuer3, second);
    await time.increase(MATURATION);
    await resolver.connect(second).challengeDID(didHash, first);
    const removedAt = (await time.latest()) + 7 * DAY;
    const statement = { didHash, controller: first.address, expiresAt: 0 };
    const sign = (type: "AttestDID" | "RevokeDID", signer: typeof issuer, statedAt: number) =>
      signStatement({
        ...{ resolver, signer, type, statement },
        fields: { statedAt, deadline: statedAt + DAY },
      });
    const remove = async () => {
      await next(removedAt);
      await resolver.resolveChallenge(didHash, first, second);
    };
    return { ...loaded, removedAt, remove, sign, statement };
  }

  it("refuses attestations signed by any issuer in the second of the removal or before", async () => {
    const { resolver, issuer, issuer3, removedAt, remove, sign, statement } = await setup();
    await remove();
    for (const signer of [issuer, issuer3]) {
      for (const statedAt of [removedAt - 1, removedAt]) {
        await next(removedAt + 5);
        await expect(resolver.attestDIDBySignature(statement, await sign("AttestDID", signer, statedAt)))
          .to.be.revertedWithCustomError(resolver, "StaleStatement")
          .withArgs(statedAt, removedAt);
      }
      await expect(
        resolver.attestDIDBySignature(statement, await sign("AttestDID", signer, removedAt + 1)),
      ).to.emit(resolver, "DIDAttested");
    }
  });

  it("refuses revocations signed in that second or before, and direct ones in it", async () => {
    const { resolver, issuer, first, removedAt, remove, sign, runOf } = await setup();
    await remove();
    const before = await runOf(issuer, first);
    await next(removedAt);
    await expect(resolver.connect(issuer).revokeDID(didHash, first)).to.be.revertedWithCustomError(
      resolver,
      "StaleStatement",
    );
    for (const statedAt of [removedAt - 1, removedAt]) {
      await next(removedAt + 5);
      await expect(
        resolver.revokeDIDBySignature(didHash, first, await sign("RevokeDID", issuer, statedAt)),
      ).to.be.revertedWithCustomError(resolver, "StaleStatement");
    }
    expect(await runOf(issuer, first)).to.deep.equal(before);
    await resolver.revokeDIDBySignature(didHash, first, await sign("RevokeDID", issuer, removedAt + 1));
    expect(await runOf(issuer, first)).to.include({ statedAt: removedAt + 1, endedAt: removedAt });
  });

  it("refuses a direct attestation in that second, and skips it in a batch", async () => {
    const { resolver, issuer, issuer3, first, removedAt, remove, statement, runOf } = await setup();
    await remove();
    for (const by of [issuer, issuer3]) {
      await next(removedAt);
      await expect(resolver.connect(by).attestDID(didHash, first, 0))
        .to.be.revertedWithCustomError(resolver, "StaleStatement")
        .withArgs(removedAt, removedAt);
      const before = await runOf(by, first);
      await next(removedAt);
      await resolver.connect(by).attestDIDBatch([statement]);
      expect(await runOf(by, first)).to.deep.equal(before);
    }
  });

  it("ends a run that began in the second of the removal", async () => {
    const { resolver, issuer, first, removedAt, remove, sign, statement, attest, revoke, runOf } =
      await setup();
    await revoke(issuer, first);
    await next(removedAt);
    await attest(issuer, first);
    await remove();
    expect(await runOf(issuer, first)).to.include({ startedAt: removedAt, endedAt: removedAt, live: false });
    await next(removedAt + 5);
    await expect(resolver.attestDIDBySignature(statement, await sign("AttestDID", issuer, removedAt)))
      .to.be.revertedWithCustomError(resolver, "StaleStatement")
      .withArgs(removedAt, removedAt);
  });

  it("accepts a direct attestation one second later, which has to mature", async () => {
    const { issuer, first, removedAt, remove, attest, runOf, controls } = await setup();
    await remove();
    await next(removedAt + 1);
    await attest(issuer, first);
    expect(await runOf(issuer, first)).to.include({
      ...{ startedAt: removedAt + 1, maturesAt: removedAt + 1 + MATURATION, endedAt: 0, live: true },
    });
    expect(await controls(first)).to.equal(false);
  });
});
