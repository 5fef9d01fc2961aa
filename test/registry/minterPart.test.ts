import { expect } from "chai";
import { createRegistrySuite, DAY, DID, type Signer } from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const DELAY = 30 * DAY;

/** Creates a record at 1.255.255 whose minter sold the token to a buyer. Both control the DID. */
async function loadSold() {
  const suite = await load();
  const { registry, publisher: seller, buyer, publish, attestAndWait } = suite;
  await publish({ version: [1, 255, 255] });
  await registry.connect(seller).transferFrom(seller, buyer, 1);
  await attestAndWait(buyer);
  const open = (by: Signer) => registry.connect(by).openReclaim(DID, 1);
  const finish = (by: Signer) => registry.connect(by).finishReclaim(DID, 1);
  const dismiss = (by: Signer) => registry.connect(by).dismissReclaims(DID, 1);
  const hasMinterLost = () => registry.hasMinterLost(DID, 1);
  return { ...suite, seller, open, finish, dismiss, hasMinterLost };
}

describe("Minter's part in a record", () => {
  it("ends when the holder that controls the DID finishes a reclaim, whatever the minter does", async () => {
    const { registry, seller, buyer, open, finish, dismiss, update, hasMinterLost } = await loadSold();
    await open(buyer);
    await time.increase(DELAY - DAY);
    await expect(dismiss(seller)).to.emit(registry, "ReclaimsDismissed").withArgs(1, seller, false);
    await registry.connect(seller).updateStatus(DID, 1, 1);
    await time.increase(DAY);
    expect(await hasMinterLost()).to.equal(false);
    await finish(buyer);
    expect(await hasMinterLost()).to.equal(true);
    expect((await registry.getApp(DID, 1)).minter).to.equal(seller);
    await update(buyer, { version: [1, 0, 0] });
    await expect(update(seller, { version: [1, 0, 1] }))
      .to.be.revertedWithCustomError(registry, "NotAuthorized")
      .withArgs(1, seller);
  });

  it("returns when the minter finishes a reclaim", async () => {
    const { seller, buyer, revoke, open, finish, update, hasMinterLost } = await loadSold();
    await open(buyer);
    await time.increase(DELAY);
    await finish(buyer);
    await revoke(buyer);
    await time.increase(7 * DAY);
    await open(seller);
    await time.increase(DELAY);
    expect(await hasMinterLost()).to.equal(true);
    await finish(seller);
    expect(await hasMinterLost()).to.equal(false);
    await update(seller, { version: [1, 0, 0] });
  });

  it("resists a claimant that is not the holder at the opening or at the end", async () => {
    const { registry, seller, buyer, second, stranger, attestAndWait, open, finish } = await loadSold();
    const transfer = (from: Signer, to: Signer) => registry.connect(from).transferFrom(from, to, 1);
    await attestAndWait(second);
    await expect(open(second)).to.be.revertedWithCustomError(registry, "ReclaimContested");
    await open(buyer);
    await transfer(buyer, stranger);
    await time.increase(DELAY);
    await expect(finish(buyer))
      .to.be.revertedWithCustomError(registry, "ReclaimContested")
      .withArgs(1, seller);
    await transfer(stranger, buyer);
    await finish(buyer);
  });

  it("ends by the minter's acts the reclaim of a claimant that no longer holds the token", async () => {
    const { registry, seller, buyer, second, open, finish, dismiss } = await loadSold();
    const transfer = (from: Signer, to: Signer) => registry.connect(from).transferFrom(from, to, 1);
    await open(buyer);
    await dismiss(seller);
    await transfer(buyer, second);
    expect((await registry.getReclaim(DID, 1, buyer)).openedAt).to.equal(0);
    await time.increase(DELAY);
    await expect(finish(buyer)).to.be.revertedWithCustomError(registry, "ReclaimNotOpen").withArgs(1, buyer);
    await transfer(second, buyer);
    await finish(buyer);
  });

  it("lets its operator's act count as the holder's, if the minter is the holder's operator", async () => {
    const { registry, seller, buyer, open, finish, dismiss } = await loadSold();
    await registry.connect(buyer).setApprovalForAll(seller, true);
    await open(buyer);
    await dismiss(seller);
    await time.increase(DELAY);
    await expect(finish(buyer)).to.be.revertedWithCustomError(registry, "ReclaimNotOpen").withArgs(1, buyer);
  });
});
