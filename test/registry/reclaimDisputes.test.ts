import { expect } from "chai";
import { createRegistrySuite, DAY, DID, didHash, MATURATION } from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const DELAY = 30 * DAY;
const LIFETIME = 60 * DAY;
const WEEK = 7 * DAY;

describe("A reclaim", () => {
  it("gives a domain's owner what a squatter minted, whatever the squatter does with the token", async () => {
    const {
      registry,
      publisher: squatter,
      buyer,
      stranger,
      second,
      publish,
      attestAndWait,
      revoke,
    } = await load();
    await publish();
    await attestAndWait(second);
    await revoke(squatter);
    await registry.connect(second).openReclaim(DID, 1);
    await registry.connect(squatter).transferFrom(squatter, buyer, 1);
    await registry.connect(buyer).transferFrom(buyer, stranger, 1);
    await time.increase(DELAY);
    await expect(registry.connect(second).finishReclaim(DID, 1))
      .to.emit(registry, "ReclaimFinished")
      .withArgs(1, second, stranger);
  });

  it("serves a domain that was sold, once the seller's attestation has ended", async () => {
    const { registry, publisher: seller, second: newOwner, attestAndWait, publish, revoke } = await load();
    await publish();
    await attestAndWait(newOwner);
    const mine = registry.connect(newOwner);
    await expect(mine.openReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "ReclaimContested")
      .withArgs(1, seller);
    await revoke(seller);
    await mine.openReclaim(DID, 1);
    await time.increase(DELAY);
    await mine.finishReclaim(DID, 1);
    expect(await registry.ownerOf(1)).to.equal(newOwner);
  });

  it("gives the seller of a token no way back against its buyer", async () => {
    const { registry, publisher: seller, buyer, second, attestAndWait, publish, revoke } = await load();
    await publish();
    await registry.connect(seller).transferFrom(seller, buyer, 1);
    await expect(registry.connect(seller).openReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "ReclaimContested")
      .withArgs(1, seller);
    const otherWallet = second;
    await attestAndWait(otherWallet);
    await revoke(seller);
    await registry.connect(otherWallet).openReclaim(DID, 1);
    await attestAndWait(buyer);
    await time.increase(DELAY);
    await expect(registry.connect(otherWallet).finishReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "ReclaimContested")
      .withArgs(1, buyer);
  });

  it("waits while seller and buyer are in dispute, and goes to the one who prevails", async () => {
    const { registry, resolver, publisher: seller, second: buyer, attest, publish, revoke } = await load();
    await publish();
    await attest(buyer);
    await resolver.connect(seller).objectToController(didHash, buyer);
    await time.increase(WEEK);
    const mine = registry.connect(buyer);
    await expect(mine.openReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "NotController")
      .withArgs(didHash, buyer);
    await revoke(seller);
    // The seller's objection loses its weight two days after the seller's last attestation.
    await time.increase(2 * DAY);
    await mine.openReclaim(DID, 1);
    await attest(seller);
    await resolver.connect(buyer).objectToController(didHash, seller);
    expect(await resolver.checkDID(didHash, seller)).to.equal(false);
    await revoke(seller);
    await time.increase(DELAY);
    await mine.finishReclaim(DID, 1);
    expect(await registry.ownerOf(1)).to.equal(buyer);
  });

  it("is not kept from finishing by a rogue issuer that attests the seller for three seconds a month", async () => {
    const {
      registry,
      resolver,
      owner,
      operator: rogue,
      publisher: seller,
      second: buyer,
      ...suite
    } = await load();
    await suite.publish();
    await suite.attestAndWait(buyer);
    await suite.revoke(seller);
    await resolver.connect(owner).addIssuer(rogue);
    const mine = registry.connect(buyer);
    await mine.openReclaim(DID, 1);
    const { finishableFrom } = await registry.getReclaim(DID, 1, buyer);
    const attestFor3Seconds = async () =>
      resolver.connect(rogue).attestDID(didHash, seller, (await time.latest()) + 4);
    await attestFor3Seconds();
    await time.increaseTo(finishableFrom);
    await attestFor3Seconds();
    await expect(mine.finishReclaim(DID, 1)).to.be.revertedWithCustomError(registry, "ReclaimContested");
    await time.increase(3);
    await mine.finishReclaim(DID, 1);
    expect(await registry.ownerOf(1)).to.equal(buyer);
  });

  it("does not take a record whose holder renewed a minute late twice, a month apart", async () => {
    const { registry, resolver, publisher: holder, second, attest, attestAndWait, mint } = await load();
    const firstExpiry = (await time.latest()) + DELAY;
    await attest(holder, DID, firstExpiry);
    await mint(holder);
    await attestAndWait(second);
    const mine = registry.connect(second);

    await time.increaseTo(firstExpiry);
    await mine.openReclaim(DID, 1);
    const { finishableFrom } = await registry.getReclaim(DID, 1, second);
    await attest(holder, DID, Number(finishableFrom));
    expect(await resolver.checkDID(didHash, holder)).to.equal(true);

    await time.increaseTo(finishableFrom);
    expect(await resolver.checkDID(didHash, holder)).to.equal(false);
    await expect(mine.finishReclaim(DID, 1))
      .to.be.revertedWithCustomError(registry, "ReclaimContested")
      .withArgs(1, holder);
  });

  it("is not blocked by a co-controller's, which is opened anew again and again", async () => {
    const {
      registry,
      publisher,
      second,
      operator: other,
      publish,
      attest,
      attestAndWait,
      revoke,
    } = await load();
    await publish();
    await attestAndWait(second);
    await attestAndWait(other);
    await revoke(publisher);
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
