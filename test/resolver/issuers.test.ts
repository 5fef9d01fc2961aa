import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite, DAY, dataHash, didHash, otherDidHash, YEAR } from "./fixture.ts";

const { ethers, time, next, load } = await createResolverSuite();

const [UNKNOWN, ACTIVE, RETIRED, DISTRUSTED] = [0n, 1n, 2n, 3n];
/** After the last expiry that an issuer could have written, its seat is kept for so long. */
const SEAT_TAIL = 8 * DAY;

const randomAddress = () => ethers.Wallet.createRandom().address;

describe("The issuers of a resolver", () => {
  async function setup() {
    const suite = await load();
    const { resolver } = suite;
    const list = async () => (await resolver.getIssuers()).map(({ issuer }) => issuer);
    /** Adds issuers until so many seats are taken. */
    const fill = async (seats: number) => {
      for (let taken = (await list()).length; taken < seats; taken++)
        await resolver.addIssuer(randomAddress());
    };
    const expectNoFreeSeat = () =>
      expect(resolver.addIssuer(randomAddress()))
        .to.be.revertedWithCustomError(resolver, "NoFreeSeat")
        .withArgs(16);
    return { ...suite, list, fill, expectNoFreeSeat };
  }

  describe("when the owner adds one", () => {
    it("lists it, and says so in an event", async () => {
      const { resolver, issuer, issuer2, issuer3, stranger, list } = await setup();
      const addedAt = (await time.latest()) + 10;
      await next(addedAt);
      await expect(resolver.addIssuer(stranger)).to.emit(resolver, "IssuerAdded").withArgs(stranger);
      expect(await resolver.isIssuer(stranger)).to.equal(true);
      expect([...(await resolver.getIssuer(stranger))]).to.deep.equal([
        ...[stranger.address, ACTIVE, BigInt(addedAt), 0n, 0n],
      ]);
      expect(await list()).to.deep.equal([issuer, issuer2, issuer3, stranger].map(({ address }) => address));
    });

    it("knows nothing of an account that was never added", async () => {
      const { resolver, stranger } = await setup();
      expect(await resolver.isIssuer(stranger)).to.equal(false);
      expect([...(await resolver.getIssuer(stranger))]).to.deep.equal([
        ...[stranger.address, UNKNOWN, 0n, 0n, 0n],
      ]);
    });

    it("refuses the zero address", async () => {
      const { resolver } = await setup();
      await expect(resolver.addIssuer(ZeroAddress)).to.be.revertedWithCustomError(resolver, "ZeroAddress");
    });

    it("refuses one that is or ever was an issuer", async () => {
      const { resolver, issuer, issuer2, issuer3 } = await setup();
      await resolver.retireIssuer(issuer2);
      await resolver.distrustIssuer(issuer3, 0);
      for (const known of [issuer, issuer2, issuer3]) {
        await expect(resolver.addIssuer(known))
          .to.be.revertedWithCustomError(resolver, "IssuerKnown")
          .withArgs(known);
      }
    });

    it("lets nothing count that it tried to attest before", async () => {
      const { resolver, stranger, first } = await setup();
      await expect(resolver.connect(stranger).attestDID(didHash, first, 0))
        .to.be.revertedWithCustomError(resolver, "NotIssuer")
        .withArgs(stranger);
      await resolver.addIssuer(stranger);
      expect(await resolver.checkDID(didHash, first)).to.equal(false);
    });
  });

  describe("when the owner retires one", () => {
    it("can attest no more, and says so in an event", async () => {
      const { resolver, issuer, first, attest } = await setup();
      await expect(resolver.retireIssuer(issuer)).to.emit(resolver, "IssuerRetired").withArgs(issuer);
      expect(await resolver.isIssuer(issuer)).to.equal(false);
      expect((await resolver.getIssuer(issuer)).status).to.equal(RETIRED);
      await expect(attest(issuer, first))
        .to.be.revertedWithCustomError(resolver, "NotIssuer")
        .withArgs(issuer);
      await expect(resolver.connect(issuer).attestDataHash(didHash, dataHash, 0))
        .to.be.revertedWithCustomError(resolver, "NotIssuer")
        .withArgs(issuer);
    });

    it("leaves what it attested, which it may still revoke", async () => {
      const { resolver, issuer, first, claim, revoke, controls } = await setup();
      await claim(issuer, first);
      await resolver.connect(issuer).attestDataHash(didHash, dataHash, 0);
      await resolver.retireIssuer(issuer);
      expect(await controls(first)).to.equal(true);
      expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(true);
      await revoke(issuer, first);
      await resolver.connect(issuer).revokeDataHash(didHash, dataHash);
      expect(await controls(first)).to.equal(false);
      expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(false);
    });

    it("refuses one that is not active", async () => {
      const { resolver, issuer, issuer2, stranger } = await setup();
      await resolver.retireIssuer(issuer);
      await resolver.distrustIssuer(issuer2, 0);
      for (const account of [issuer, issuer2, stranger]) {
        await expect(resolver.retireIssuer(account))
          .to.be.revertedWithCustomError(resolver, "NotIssuer")
          .withArgs(account);
      }
    });
  });

  describe("with sixteen seats", () => {
    it("keeps the last free one while any issuer is active", async () => {
      const { resolver, list, fill, expectNoFreeSeat } = await setup();
      await fill(15);
      await expectNoFreeSeat();
      const issuers = await list();
      for (const issuer of issuers.slice(1)) await resolver.retireIssuer(issuer);
      await expectNoFreeSeat();
      await resolver.retireIssuer(issuers[0] ?? "");
      const sixteenth = randomAddress();
      await resolver.addIssuer(sixteenth);
      expect(await list()).to.deep.equal([...issuers, sixteenth]);
      await resolver.retireIssuer(sixteenth);
      await expectNoFreeSeat();
    });

    it("gives a free seat to the next one, which is listed in its place", async () => {
      const { resolver, issuer, issuer2, list, fill } = await setup();
      await fill(15);
      await resolver.distrustIssuer(issuer2, 0);
      const before = await list();
      const next = randomAddress();
      await resolver.addIssuer(next);
      expect(await list()).to.deep.equal(
        before.map((account) => (account === issuer2.address ? next : account)),
      );
      expect(await resolver.isIssuer(issuer)).to.equal(true);
    });

    it("fills the empty seats and the freed ones from the first on", async () => {
      const { resolver, issuer, issuer3, list, fill, expectNoFreeSeat } = await setup();
      await fill(15);
      for (const account of [issuer3, issuer]) await resolver.distrustIssuer(account, 0);
      const [a, b] = [randomAddress(), randomAddress()];
      await resolver.addIssuer(a);
      await resolver.addIssuer(b);
      const after = await list();
      expect([after[0], after[2]]).to.deep.equal([a, b]);
      await expectNoFreeSeat();
    });

    it("frees the seat of a retired one 8 days after its last expiry, to the second", async () => {
      const { resolver, issuer, list, fill, expectNoFreeSeat } = await setup();
      await fill(15);
      const retiredAt = (await time.latest()) + 10;
      await next(retiredAt);
      await resolver.retireIssuer(issuer);
      const freeAt = retiredAt + YEAR + SEAT_TAIL;
      expect((await resolver.getIssuer(issuer)).seatFreeAt).to.equal(freeAt);
      await next(freeAt - 1);
      await expectNoFreeSeat();
      await next(freeAt);
      const next_ = randomAddress();
      await resolver.addIssuer(next_);
      expect((await list())[0]).to.equal(next_);
    });

    it("takes a seat only once, though its issuer is distrusted from the beginning later", async () => {
      const { resolver, issuer, list, fill } = await setup();
      await resolver.distrustIssuer(issuer, 0);
      await fill(14);
      const successor = randomAddress();
      await resolver.addIssuer(successor);
      await resolver.addIssuer(randomAddress());
      expect(await list()).not.to.include(issuer.address);
      const { seatFreeAt, status } = await resolver.getIssuer(issuer);
      expect([seatFreeAt, status]).to.deep.equal([0n, DISTRUSTED]);
    });

    it("finds the attestation of the last one", async () => {
      const { resolver, issuer, first, second, stranger, list, fill } = await setup();
      await fill(14);
      await resolver.addIssuer(stranger);
      expect((await list())[14]).to.equal(stranger.address);
      await resolver.connect(stranger).attestDID(didHash, first, 0);
      await resolver.connect(stranger).attestDID(otherDidHash, second, 0);
      await resolver.connect(issuer).attestDID(otherDidHash, first, 0);
      await resolver.connect(stranger).attestDID(otherDidHash, first, 0);
      await resolver.connect(stranger).attestDataHash(didHash, dataHash, 0);
      expect(await resolver.checkDID(didHash, first)).to.equal(true);
      expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(true);
      expect(
        (await resolver.getDIDAttestations(otherDidHash, first)).map((view) => view.issuer),
      ).to.deep.equal([issuer.address, stranger.address]);
    });
  });
});
