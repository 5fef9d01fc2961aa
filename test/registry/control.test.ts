import { expect } from "chai";
import { createRegistrySuite, DID, didHash, type Registry, type Signer } from "./fixture.ts";

const { ethers, load } = await createRegistrySuite();

const json = "{}";

/** Calls that change a record, made by `by`. Each succeeds for an authorized caller. */
const changes: [name: string, change: (suite: Registry, by: Signer) => Promise<unknown>][] = [
  ["updateAppControlled", ({ update }, by) => update(by)],
  ["updateStatus to Active", ({ registry }, by) => registry.connect(by).updateStatus(DID, 1, 0)],
  ["republishMetadata", ({ registry }, by) => registry.connect(by).republishMetadata(DID, 1, json)],
];

for (const [name, change] of changes) {
  describe(`Authorization of ${name}`, () => {
    /** Creates a Deprecated record, so that each of the calls changes something. */
    async function loadRecord() {
      const suite = await load();
      await suite.publish();
      await suite.registry.connect(suite.publisher).updateStatus(DID, 1, 1);
      return suite;
    }

    describe("when the caller is the minter", () => {
      it("may change the record while it controls the DID, even after a sale", async () => {
        const suite = await loadRecord();
        const { registry, publisher, buyer } = suite;
        await registry.connect(publisher).transferFrom(publisher.address, buyer.address, 1);
        await change(suite, publisher);
      });

      // @threat contracts: Mint or update without control, or in other capitals
      it("may not change the record after it lost control of the DID, with or without the token", async () => {
        const suite = await loadRecord();
        const { registry, publisher, buyer, revoke } = suite;
        await revoke(publisher);
        await expect(change(suite, publisher))
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(didHash, publisher.address);
        await registry.connect(publisher).transferFrom(publisher.address, buyer.address, 1);
        await expect(change(suite, publisher))
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(didHash, publisher.address);
      });
    });

    describe("when the caller is the holder", () => {
      it("may not change the record without control of the DID", async () => {
        const suite = await loadRecord();
        const { registry, publisher, buyer } = suite;
        await registry.connect(publisher).transferFrom(publisher.address, buyer.address, 1);
        await expect(change(suite, buyer))
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(didHash, buyer.address);
      });

      it("may change the record once it controls the DID", async () => {
        const suite = await loadRecord();
        const { registry, publisher, buyer, attestAndWait } = suite;
        await registry.connect(publisher).transferFrom(publisher.address, buyer.address, 1);
        await attestAndWait(buyer);
        await change(suite, buyer);
      });
    });

    describe("when the caller is an operator of the holder", () => {
      it("may change the record while the holder controls the DID", async () => {
        const suite = await loadRecord();
        const { registry, publisher, operator, revoke } = suite;
        await registry.connect(publisher).setApprovalForAll(operator.address, true);
        await change(suite, operator);
        await revoke(publisher);
        await expect(change(suite, operator))
          .to.be.revertedWithCustomError(registry, "NotController")
          .withArgs(didHash, publisher.address);
      });

      it("may not change the record as the operator of a former holder", async () => {
        const suite = await loadRecord();
        const { registry, publisher, buyer, operator } = suite;
        await registry.connect(publisher).setApprovalForAll(operator.address, true);
        await registry.connect(publisher).transferFrom(publisher.address, buyer.address, 1);
        await expect(change(suite, operator))
          .to.be.revertedWithCustomError(registry, "NotAuthorized")
          .withArgs(1, operator.address);
      });

      it("may not change the record with an approval for the token, which is for transfers only", async () => {
        const suite = await loadRecord();
        const { registry, publisher, operator } = suite;
        await registry.connect(publisher).approve(operator.address, 1);
        await expect(change(suite, operator))
          .to.be.revertedWithCustomError(registry, "NotAuthorized")
          .withArgs(1, operator.address);
      });
    });

    describe("when the caller is neither minter nor holder nor operator", () => {
      it("may not change the record, even as a controller of the DID", async () => {
        const suite = await loadRecord();
        const { registry, second, stranger, attestAndWait } = suite;
        await attestAndWait(second);
        for (const caller of [second, stranger]) {
          await expect(change(suite, caller))
            .to.be.revertedWithCustomError(registry, "NotAuthorized")
            .withArgs(1, caller.address);
        }
      });
    });
  });
}

describe("AppRegistry", () => {
  it("has no owner and no setters for the resolver and the metadata store", async () => {
    const { registry, metadata, resolver } = await load();
    expect(await registry.resolver()).to.equal(await resolver.getAddress());
    expect(await metadata.registry()).to.equal(await registry.getAddress());
    const writes = registry.interface.fragments
      .filter((fragment) => fragment.type === "function")
      .map((fragment) => fragment as ReturnType<typeof registry.interface.getFunction>)
      .filter((fragment) => fragment?.stateMutability === "nonpayable")
      .map((fragment) => fragment?.name);
    expect(new Set(writes)).to.deep.equal(
      new Set([
        ...["approve", "setApprovalForAll", "transferFrom", "safeTransferFrom"],
        ...["mint", "updateAppControlled", "updateStatus", "republishMetadata"],
        ...["openReclaim", "finishReclaim", "dismissReclaims"],
      ]),
    );
  });

  it("refuses ether", async () => {
    const { registry, publisher } = await load();
    await expect(publisher.sendTransaction({ to: await registry.getAddress(), value: 1 })).to.be.revert(
      ethers,
    );
  });
});
