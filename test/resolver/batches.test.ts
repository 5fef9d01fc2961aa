import { expect } from "chai";
import { id, ZeroAddress, ZeroHash } from "ethers";
import { createResolverSuite, DAY, dataHash, didHash, MATURATION, otherDidHash } from "./fixture.ts";

const { time, next, load } = await createResolverSuite();

describe("Batches of attestations", () => {
  it("attest and revoke every controller in the list", async () => {
    const { resolver, issuer, first, second } = await load();
    const expiresAt = (await time.latest()) + DAY;
    const list = [
      { didHash, controller: first.address, expiresAt: 0 },
      { didHash: otherDidHash, controller: second.address, expiresAt },
    ];
    const live = async () =>
      Promise.all(list.map((item) => resolver.checkDID(item.didHash, item.controller)));
    const attesting = resolver.connect(issuer).attestDIDBatch(list);
    for (const item of list) {
      await expect(attesting).to.emit(resolver, "DIDAttested");
      expect(await resolver.claimedAt(item.didHash)).to.be.greaterThan(0);
    }
    expect(await live()).to.deep.equal([true, true]);
    expect((await resolver.getDIDAttestations(otherDidHash, second))[0]?.expiresAt).to.equal(expiresAt);
    await resolver.connect(issuer).revokeDIDBatch(list);
    expect(await live()).to.deep.equal([false, false]);
  });

  it("attest and revoke every dataHash in the list", async () => {
    const { resolver, issuer } = await load();
    const expiresAt = (await time.latest()) + DAY;
    const list = ["a", "b", "c"].map((text) => ({ didHash, dataHash: id(text), expiresAt }));
    const live = async () =>
      Promise.all(list.map((item) => resolver.checkDataHashAttestation(item.didHash, item.dataHash)));
    await resolver.connect(issuer).attestDataHashBatch(list);
    expect(await live()).to.deep.equal([true, true, true]);
    expect((await resolver.getDataHashAttestations(didHash, id("c")))[0]?.expiresAt).to.equal(expiresAt);
    await resolver.connect(issuer).revokeDataHashBatch(list);
    expect(await live()).to.deep.equal([false, false, false]);
  });

  it("skip a controller that the issuer revoked recently, and renew the others", async () => {
    const { resolver, issuer, first, second, attest, revoke } = await load();
    for (const controller of [first, second]) await attest(issuer, controller);
    await time.increase(2 * MATURATION);
    const revokedAt = await revoke(issuer, first);
    const attestableFrom = revokedAt + MATURATION;
    const list = [first, second].map(({ address }) => ({ didHash, controller: address, expiresAt: 0 }));
    for (const [now, ...statedAt] of [
      [attestableFrom - 1, revokedAt, attestableFrom - 1],
      [attestableFrom, attestableFrom, attestableFrom],
    ] as const) {
      await next(now);
      await resolver.connect(issuer).attestDIDBatch(list);
      const stated = await Promise.all(
        list.map(({ controller }) => resolver.getDIDAttestations(didHash, controller)),
      );
      expect(stated.map(([run]) => Number(run?.statedAt))).to.deep.equal(statedAt);
    }
  });

  it("revert as a whole if an entry is invalid", async () => {
    const { resolver, issuer, first } = await load();
    const issuing = resolver.connect(issuer);
    const good = { didHash, controller: first.address, expiresAt: 0 };
    const document = { didHash, dataHash, expiresAt: 0 };
    for (const [call, error] of [
      [() => issuing.attestDIDBatch([good, { ...good, didHash: ZeroHash }]), "ZeroHash"],
      [() => issuing.attestDIDBatch([good, { ...good, controller: ZeroAddress }]), "ZeroAddress"],
      [() => issuing.attestDIDBatch([good, { ...good, expiresAt: 1 }]), "ExpiresInPast"],
      [() => issuing.attestDIDBatch([good, { ...good, expiresAt: 2n ** 64n - 1n }]), "ExpiresTooLate"],
      [() => issuing.revokeDIDBatch([good, { ...good, controller: ZeroAddress }]), "ZeroAddress"],
      [() => issuing.attestDataHashBatch([document, { ...document, dataHash: ZeroHash }]), "ZeroHash"],
      [() => issuing.revokeDataHashBatch([document, { ...document, dataHash: ZeroHash }]), "ZeroHash"],
    ] as const) {
      await expect(call()).to.be.revertedWithCustomError(resolver, error);
    }
    expect(await resolver.getDIDAttestations(didHash, first)).to.deep.equal([]);
    expect(await resolver.getDataHashAttestations(didHash, dataHash)).to.deep.equal([]);
  });

  it("require an issuer even if they are empty, and accept a retired issuer only to revoke", async () => {
    const { resolver, issuer, stranger } = await load();
    await resolver.connect(issuer).attestDIDBatch([]);
    const listCalls = (caller: typeof issuer) => {
      const calling = resolver.connect(caller);
      return {
        attest: [() => calling.attestDIDBatch([]), () => calling.attestDataHashBatch([])],
        revoke: [() => calling.revokeDIDBatch([]), () => calling.revokeDataHashBatch([])],
      };
    };
    const { attest, revoke } = listCalls(stranger);
    for (const call of [...attest, ...revoke]) {
      await expect(call()).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(stranger);
    }
    await resolver.retireIssuer(issuer);
    const retired = listCalls(issuer);
    for (const call of retired.revoke) await call();
    for (const call of retired.attest) {
      await expect(call()).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(issuer);
    }
  });
});
