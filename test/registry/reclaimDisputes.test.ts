import { expect } from "chai";
import { createRegistrySuite, DAY, DID, didHash, MATURATION } from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const DELAY = 30 * DAY;
const LIFETIME = 60 * DAY;
const WEEK = 7 * DAY;

describe("Disputed reclaim", () => {
  it("gives a domain's owner the token that a squatter minted and transferred", async () => {
    const {
      registry,
      publisher: squatter,
      buyer,
      stranger,
      second,
      publish,
      attestAndWait,
      loseControl,
    } = await load();
    await publish();
    await attestAndWait(second);
    await loseControl(squatter);
    await registry.connect(second).openReclaim(DID, 1);
    await registry.connect(squatter).transferFrom(squatter, buyer, 1);
    await registry.connect(buyer).transferFrom(buyer, stranger, 1);
    await time.increase(DELAY);
    await expect(registry.connect(second).finishReclaim(DID, 1))
      .to.emit(registry, "ReclaimFinished")
      .withArgs(1, second, stranger);
  });

  it("gives the buyer of a domain the token once the seller's attestation has ended", async () => {
    const {
      registry,
      publisher: seller,
      second: newOwner,
      attestAndWait,
      publish,
      loseControl,
    } = await load();
    await publish();
    await attestAndWait(newOwner);
    const mine = registry.connect(newOwner);
    await expect(mine.openReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "ReclaimContested")
      .withArgs(1, seller);
    await loseControl(seller);
    await mine.openReclaim(DID, 1);
    await time.increase(DELAY);
    await mine.finishReclaim(DID, 1);
    expect(await registry.ownerOf(1)).to.equal(newOwner);
  });

  it("is refused to the seller of a token if the buyer controls the DID", async () => {
    const { registry, publisher: seller, buyer, attestAndWait, publish } = await load();
    await publish();
    await registry.connect(seller).transferFrom(seller, buyer, 1);
    await attestAndWait(buyer);
    await expect(registry.connect(seller).openReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "ReclaimContested")
      .withArgs(1, buyer);
  });

  it("returns a token to its minter from a buyer that does not control the DID", async () => {
    const { registry, publisher: seller, buyer, publish } = await load();
    await publish();
    await registry.connect(seller).transferFrom(seller, buyer, 1);
    await registry.connect(seller).openReclaim(DID, 1);
    await time.increase(DELAY);
    await registry.connect(seller).finishReclaim(DID, 1);
    expect(await registry.ownerOf(1)).to.equal(seller);
  });

  it("is impossible while seller and buyer block each other, and then goes to the one that keeps control", async () => {
    const {
      registry,
      resolver,
      publisher: seller,
      second: buyer,
      attest,
      publish,
      loseControl,
    } = await load();
    await publish();
    await time.increase(MATURATION);
    await attest(buyer);
    await resolver.connect(seller).blockController(didHash, buyer, (await time.latest()) + DELAY);
    await time.increase(MATURATION);
    const mine = registry.connect(buyer);
    await expect(mine.openReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "NotController")
      .withArgs(didHash, buyer);
    await loseControl(seller);
    await time.increase(DELAY);
    await mine.openReclaim(DID, 1);
    await attest(seller);
    await resolver.connect(buyer).blockController(didHash, seller, (await time.latest()) + DELAY);
    await time.increase(MATURATION);
    expect(await resolver.checkDID(didHash, seller)).to.equal(false);
    await loseControl(seller);
    await time.increase(DELAY - MATURATION - WEEK);
    await mine.finishReclaim(DID, 1);
    expect(await registry.ownerOf(1)).to.equal(buyer);
  });

  // @threat contracts: Reclaim from a late holder, or keep a justified reclaim from finishing
  it("a reclaim can be finished although another controller keeps opening reclaims", async () => {
    const {
      registry,
      publisher,
      second,
      operator: other,
      publish,
      attest,
      attestAndWait,
      loseControl,
    } = await load();
    await publish();
    await attestAndWait(second);
    await attestAndWait(other);
    await loseControl(publisher);
    await registry.connect(other).openReclaim(DID, 1);
    await time.increase(LIFETIME);
    await registry.connect(other).openReclaim(DID, 1);
    await registry.connect(second).openReclaim(DID, 1);
    await attest(second);
    await time.increase(DELAY + MATURATION);
    await registry.connect(second).finishReclaim(DID, 1);
    expect(await registry.ownerOf(1)).to.equal(second);
  });
});
