import { expect } from "chai";
import { createResolverSuite, DAY, dataHash, didHash, GRACE, MATURATION } from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("revokeDID", () => {
  /** Attests a first and a second controller, and waits until both runs have matured. */
  async function setup() {
    const suite = await load();
    await suite.claimWithTwo();
    const { resolver, issuer } = suite;
    const expectRecentlyRevoked = (by: typeof issuer, controller: typeof issuer, attestableFrom: number) =>
      expect(resolver.connect(by).attestDID(didHash, controller, 0))
        .to.be.revertedWithCustomError(resolver, "RecentlyRevoked")
        .withArgs(attestableFrom);
    return { ...suite, expectRecentlyRevoked };
  }

  it("ends the run without a grace, and keeps its other dates", async () => {
    const { issuer, second, revoke, runOf } = await setup();
    const before = await runOf(issuer, second);
    const endedAt = await revoke(issuer, second);
    expect(await runOf(issuer, second)).to.deep.equal({
      ...before,
      ...{ statedAt: endedAt, endedAt, revokedAt: endedAt, live: false, matured: false, overdue: false },
    });
  });

  it("does not move the end of the run if called again", async () => {
    const { issuer, second, revoke, runOf } = await setup();
    const endedAt = await revoke(issuer, second);
    await time.increase(DAY);
    const statedAt = await revoke(issuer, second);
    expect(await runOf(issuer, second)).to.include({ endedAt, statedAt });
  });

  it("prevents its issuer from attesting again for exactly the maturation", async () => {
    const { issuer, second, attest, revoke, runOf, expectRecentlyRevoked } = await setup();
    const endedAt = await revoke(issuer, second);
    const attestableFrom = endedAt + MATURATION;
    await expectRecentlyRevoked(issuer, second, attestableFrom);
    await next(attestableFrom - 1);
    await expectRecentlyRevoked(issuer, second, attestableFrom);
    await next(attestableFrom);
    await attest(issuer, second);
    expect(await runOf(issuer, second)).to.deep.include({
      ...{ startedAt: attestableFrom, statedAt: attestableFrom, maturesAt: attestableFrom + MATURATION },
      ...{ endedAt: 0, live: true, matured: false },
    });
  });

  it("restarts the maturation if called again", async () => {
    const { issuer, second, attest, revoke, runOf, expectRecentlyRevoked } = await setup();
    const endedAt = await revoke(issuer, second);
    await next(endedAt + MATURATION - 1);
    const revokedAt = await revoke(issuer, second);
    await expectRecentlyRevoked(issuer, second, revokedAt + MATURATION);
    expect(await runOf(issuer, second)).to.include({ endedAt, revokedAt });
    await next(revokedAt + MATURATION);
    await attest(issuer, second);
    expect((await runOf(issuer, second))?.live).to.equal(true);
  });

  it("prevents the issuer from attesting even if it had attested nothing", async () => {
    const { issuer2, second, third, revoke, expectRecentlyRevoked } = await setup();
    for (const account of [second, third]) {
      const endedAt = await revoke(issuer2, account);
      await expectRecentlyRevoked(issuer2, account, endedAt + MATURATION);
    }
  });

  it("prevents the issuer from attesting even if the run had expired long before", async () => {
    const { issuer, third, attest, revoke, runOf, expectRecentlyRevoked } = await setup();
    const expiresAt = (await time.latest()) + 3 * DAY;
    await attest(issuer, third, expiresAt);
    await next(expiresAt + GRACE + DAY);
    const endedAt = await revoke(issuer, third);
    expect(await runOf(issuer, third)).to.include({ endedAt: 0, revokedAt: endedAt });
    await expectRecentlyRevoked(issuer, third, endedAt + MATURATION);
  });

  it("ends the grace of an overdue run", async () => {
    const { issuer, third, attest, revoke, runOf } = await setup();
    const expiresAt = (await time.latest()) + 3 * DAY;
    await attest(issuer, third, expiresAt);
    await at(expiresAt);
    expect((await runOf(issuer, third))?.overdue).to.equal(true);
    const endedAt = await revoke(issuer, third);
    expect(await runOf(issuer, third)).to.include({ overdue: false, endedAt });
  });

  it("does not prevent other issuers from attesting", async () => {
    const { issuer, issuer2, second, attest, revoke, runOf } = await setup();
    await revoke(issuer, second);
    await attest(issuer2, second);
    expect((await runOf(issuer2, second))?.live).to.equal(true);
  });

  it("does not claim the DID, so that the first attestation after it matures immediately", async () => {
    const { resolver, issuer, issuer2, first, second, revoke, attest, claim, controls } = await load();
    await revoke(issuer, second);
    await revoke(issuer2, first);
    expect(await resolver.claimedAt(didHash)).to.equal(0);
    await claim(issuer, first);
    expect(await resolver.claimedAt(didHash)).to.be.greaterThan(0);
    expect(await controls(first)).to.equal(true);
    await attest(issuer2, second);
    expect(await controls(second)).to.equal(false);
  });
});

describe("revokeDataHash", () => {
  it("is followed by a new run if the issuer attests again after the maturation", async () => {
    const { resolver, issuer } = await load();
    const issuing = resolver.connect(issuer);
    await issuing.attestDataHash(didHash, dataHash, 0);
    await issuing.revokeDataHash(didHash, dataHash);
    const revokedAt = await time.latest();
    expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(false);
    await next(revokedAt + MATURATION - 1);
    await expect(issuing.attestDataHash(didHash, dataHash, 0))
      .to.be.revertedWithCustomError(resolver, "RecentlyRevoked")
      .withArgs(revokedAt + MATURATION);
    await next(revokedAt + MATURATION);
    await issuing.attestDataHash(didHash, dataHash, 0);
    expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(true);
    const [view] = await resolver.getDataHashAttestations(didHash, dataHash);
    expect([view?.startedAt, view?.endedAt]).to.deep.equal([BigInt(revokedAt + MATURATION), 0n]);
  });
});
