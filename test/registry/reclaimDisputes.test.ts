import { expect } from "chai";
import { createRegistrySuite, DAY, DID, didHash, MATURATION } from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const DELAY = 30 * DAY;
const WEEK = 7 * DAY;

describe("Disputed reclaim", () => {
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
});
