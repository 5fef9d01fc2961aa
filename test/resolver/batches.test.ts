import { expect } from "chai";
import { id, ZeroHash } from "ethers";
import { createResolverSuite, DAY, dataHash, didHash, otherDidHash } from "./fixture.ts";

const { ethers, time, load } = await createResolverSuite();

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
    await resolver.connect(issuer).attestDIDBatch(list);
    expect(await live()).to.deep.equal([true, true]);
    expect((await resolver.getDIDAttestations(otherDidHash, second.address))[0]?.expiresAt).to.equal(
      expiresAt,
    );
    await resolver.connect(issuer).revokeDIDBatch(list);
    expect(await live()).to.deep.equal([false, false]);
  });

  it("attest and revoke every dataHash in the list", async () => {
    const { resolver, issuer } = await load();
    const list = ["a", "b", "c"].map((text) => ({ didHash, dataHash: id(text), expiresAt: 0 }));
    const live = async () =>
      Promise.all(list.map((item) => resolver.checkDataHashAttestation(item.didHash, item.dataHash)));
    await resolver.connect(issuer).attestDataHashBatch(list);
    expect(await live()).to.deep.equal([true, true, true]);
    await resolver.connect(issuer).revokeDataHashBatch(list);
    expect(await live()).to.deep.equal([false, false, false]);
  });

  it("do all or nothing", async () => {
    const { resolver, issuer, first } = await load();
    const good = { didHash, controller: first.address, expiresAt: 0 };
    await expect(
      resolver.connect(issuer).attestDIDBatch([good, { ...good, didHash: ZeroHash }]),
    ).to.be.revertedWithCustomError(resolver, "ZeroHash");
    expect(await resolver.checkDID(didHash, first.address)).to.equal(false);

    await resolver.connect(issuer).attestDIDBatch([good]);
    await expect(resolver.connect(issuer).revokeDIDBatch([good, good]))
      .to.be.revertedWithCustomError(resolver, "NothingToRevoke")
      .withArgs(didHash, `0x${first.address.slice(2).toLowerCase().padStart(64, "0")}`, issuer.address);
    expect(await resolver.checkDID(didHash, first.address)).to.equal(true);
  });

  it("refuse a controller that is no address", async () => {
    const { resolver, issuer, first } = await load();
    const list = [{ didHash, controller: first.address, expiresAt: 0 }];
    for (const good of [
      resolver.interface.encodeFunctionData("attestDIDBatch", [list]),
      resolver.interface.encodeFunctionData("revokeDIDBatch", [list]),
    ]) {
      const address = first.address.slice(2).toLowerCase();
      const data = good.replace(`${"0".repeat(24)}${address}`, `${"0".repeat(23)}1${address}`);
      expect(data).not.to.equal(good);
      await expect(
        issuer.sendTransaction({ to: await resolver.getAddress(), data }),
      ).to.be.revertedWithoutReason(ethers);
    }
  });

  it("take an issuer only, even when they are empty", async () => {
    const { resolver, issuer, stranger } = await load();
    await resolver.connect(issuer).attestDIDBatch([]);
    const other = resolver.connect(stranger);
    for (const call of [
      other.attestDIDBatch([]),
      other.revokeDIDBatch([]),
      other.attestDataHashBatch([{ didHash, dataHash, expiresAt: 0 }]),
      other.revokeDataHashBatch([]),
    ]) {
      await expect(call).to.be.revertedWithCustomError(resolver, "NotIssuer").withArgs(stranger.address);
    }
  });
});
