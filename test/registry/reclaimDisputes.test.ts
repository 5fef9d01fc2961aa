import { expect } from "chai";
import { createRegistrySuite, DAY, DID, didHash, MATURATION } from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const DELAY = 30 * DAY;
const WEEK = 7 * DAY;

describe("Disputed reclaim", () => {
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
