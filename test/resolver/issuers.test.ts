import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { createResolverSuite, DAY, dataHash, didHash, otherDidHash, YEAR } from "./fixture.ts";

const { ethers, time, next, load } = await createResolverSuite();

const [UNKNOWN, ACTIVE, RETIRED, DISTRUSTED] = [0n, 1n, 2n, 3n];
/** Time for which a seat stays taken after the last possible expiry of its issuer's runs, in seconds. */
const SEAT_TAIL = 8 * DAY;

const randomAddress = () => ethers.Wallet.createRandom().address;

describe("Issuers of a resolver", () => {
  async function setup() {
    const suite = await load();
    const { resolver } = suite;
    const list = async () => (await resolver.getIssuers()).map(({ issuer }) => issuer);
    /** Adds issuers until `seats` are taken. */
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

  describe("addIssuer", () => {
    it("lists the issuer and emits IssuerAdded", async () => {
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

    it("leaves the status of other accounts Unknown", async () => {
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

    it("refuses an account that is or was an issuer", async () => {
      const { resolver, issuer, issuer2, issuer3 } = await setup();
      await resolver.retireIssuer(issuer2);
      await resolver.distrustIssuer(issuer3, 0);
      for (const known of [issuer, issuer2, issuer3]) {
        await expect(resolver.addIssuer(known))
          .to.be.revertedWithCustomError(resolver, "IssuerKnown")
          .withArgs(known);
      }
    });

    it("gives no effect to attestations that the account tried before", async () => {
      const { resolver, stranger, first } = await setup();
      await expect(resolver.connect(stranger).attestDID(didHash, first, 0))
        .to.be.revertedWithCustomError(resolver, "NotIssuer")
        .withArgs(stranger);
      await resolver.addIssuer(stranger);
      expect(await resolver.checkDID(didHash, first)).to.equal(false);
    });
  });

  describe("retireIssuer", () => {
    it("ends the issuer's right to attest and emits IssuerRetired", async () => {
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

    it("keeps the issuer's attestations, which it may still revoke", async () => {
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

    it("refuses an account that is not an active issuer", async () => {
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
    it("refuses the last free seat while any issuer is active", async () => {
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

    it("gives a free seat to the next issuer, which is listed in its place", async () => {
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

    it("fills free seats in order, the first one first", async () => {
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

    it("frees the seat of a retired issuer exactly 8 days after its last possible expiry", async () => {
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

    it("frees only one seat for an issuer that is distrusted from the beginning", async () => {
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

    it("counts the attestations of the issuer in the last seat", async () => {
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
