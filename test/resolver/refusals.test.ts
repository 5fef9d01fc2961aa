import { expect } from "chai";
import { ZeroAddress } from "ethers";
import {
  CHALLENGE_PERIOD,
  createResolverSuite,
  DAY,
  didHash,
  GRACE,
  MATURATION,
  MAX_BLOCK,
  type Signer,
  YEAR,
} from "./fixture.ts";
import { signStatement } from "./statements.ts";

const { ethers, time, at, next, load } = await createResolverSuite();

describe("Refusals of the resolver", () => {
  /** Lets `first` claim the DID, and attests `second` one maturation later. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer, issuer2, first, second, attest } = suite;
    const claimedAt = await attest(issuer, first);
    await at(claimedAt + MATURATION);
    const attestedAt = await attest(issuer2, second);
    const block = (by: Signer, account: Signer, until: number) =>
      resolver.connect(by).blockController(didHash, account, until);
    /** Expects an error of the resolver with these arguments. */
    const refuse = (call: Promise<unknown>, error: string, ...args: unknown[]) =>
      expect(call)
        .to.be.revertedWithCustomError(resolver, error)
        .withArgs(...args);
    /** Performs a call in that second. */
    const inSecond = async <T>(timestamp: number, call: () => T) => {
      await next(timestamp);
      return call();
    };
    return { ...suite, claimedAt, attestedAt, block, refuse, inSecond };
  }

  describe("about statements", () => {
    it("name the second from which an attestation would outlive its waiting period", async () => {
      const { resolver, issuer3, third, refuse, inSecond } = await setup();
      const now = (await time.latest()) + DAY;
      const matures = now + MATURATION;
      const attest = (until: number) => resolver.connect(issuer3).attestDID(didHash, third, until);
      const refused = inSecond(now, () => attest(matures));
      await refuse(refused, "ExpiresBeforeMaturing", matures, matures);
      await inSecond(now + 1, () => attest(matures + 2));
      const [attestation] = await resolver.getDIDAttestations(didHash, third);
      expect(attestation?.maturesAt).to.equal(matures + 1);
    });

    // @threat contracts: Gain or regain control before the attestation matures
    it("name the second from which the issuer can attest the account again", async () => {
      const { issuer, first, attest, revoke, refuse } = await setup();
      const revokedAt = await revoke(issuer, first);
      await next(revokedAt + MATURATION - 1);
      await refuse(attest(issuer, first), "RecentlyRevoked", revokedAt + MATURATION);
      await next(revokedAt + MATURATION);
      await attest(issuer, first);
    });
  });

  describe("of older statements", () => {
    it("name the date of the signature and of the statement that is newer", async () => {
      const { resolver, issuer, first, revoke, refuse } = await setup();
      const revokedAt = await revoke(issuer, first);
      const attestation = { didHash, controller: first.address, expiresAt: 0 };
      const signature = await signStatement({
        ...{ resolver, signer: issuer, type: "AttestDID", statement: attestation },
        fields: { statedAt: revokedAt, deadline: revokedAt + DAY },
      });
      const submitted = resolver.attestDIDBySignature(attestation, signature);
      await refuse(submitted, "StaleStatement", revokedAt, revokedAt);
    });
  });

  describe("of blockController", () => {
    it("name the account that is not in charge, or that can't be blocked", async () => {
      const { first, second, third, stranger, attestedAt, block, refuse } = await setup();
      const until = attestedAt + 9 * DAY;
      for (const by of [stranger, second])
        await refuse(block(by, third, until), "NotInCharge", didHash, by.address);
      await refuse(block(first, first, until), "SelfReference", first.address);
      await at(attestedAt + MATURATION);
      await refuse(block(first, second, until), "AccountInCharge", didHash, second.address);
    });

    // @threat contracts: Block longer, earlier or wider than allowed
    it("hold for an account whose renewal is overdue, until the grace ends", async () => {
      const { issuer3, first, third, attest, block, refuse } = await setup();
      const expiresAt = (await time.latest()) + 4 * DAY;
      await attest(issuer3, third, expiresAt);
      for (const timestamp of [expiresAt, expiresAt + GRACE - 1]) {
        await next(timestamp);
        await refuse(block(first, third, expiresAt + 8 * DAY), "AccountInCharge", didHash, third.address);
      }
      await next(expiresAt + GRACE);
      await block(first, third, expiresAt + 8 * DAY);
    });

    // @threat contracts: Block longer, earlier or wider than allowed
    it("hold until one maturation after the claim, and name that second", async () => {
      const { resolver, issuer, first, second, attest } = await load();
      const blockableFrom = (await attest(issuer, first)) + MATURATION;
      const blocking = () => resolver.connect(first).blockController(didHash, second, blockableFrom + DAY);
      await next(blockableFrom - 1);
      await expect(blocking())
        .to.be.revertedWithCustomError(resolver, "TooEarlyToBlock")
        .withArgs(blockableFrom);
      await next(blockableFrom);
      await blocking();
    });

    // @threat contracts: Block longer, earlier or wider than allowed
    it("name the latest end, 30 days from now", async () => {
      const { first, second, block, refuse, inSecond } = await setup();
      const now = (await time.latest()) + 10;
      for (const [index, until] of [0, now + 1, now + 2 + MAX_BLOCK + 1].entries()) {
        const refused = inSecond(now + index, () => block(first, second, until));
        await refuse(refused, "InvalidBlockEnd", until, now + index + MAX_BLOCK);
      }
      await inSecond(now + 3, () => block(first, second, now + 3 + MAX_BLOCK));
    });

    it("keep the beginning, the later end and the higher weight of a block that is extended", async () => {
      const { resolver, issuer, issuer3, first, second, third, attest, block } = await setup();
      await attest(issuer, third);
      await attest(issuer3, third);
      const blockedAt = await time.latest();
      await block(first, second, blockedAt + 10 * DAY);
      await time.increase(MATURATION);
      await expect(block(third, second, blockedAt + 5 * DAY))
        .to.emit(resolver, "ControllerBlocked")
        .withArgs(didHash, second, third, blockedAt + 1, blockedAt + 10 * DAY, 2);
      await block(first, second, blockedAt + 20 * DAY);
      expect([...(await resolver.getBlock(didHash, second))]).to.deep.equal(
        [blockedAt + 1, blockedAt + 20 * DAY, 2].map(BigInt),
      );
    });

    it("of unblockController name the caller that is not in charge, or the account without a block", async () => {
      const { resolver, first, second, third, attestedAt, block, refuse } = await setup();
      const until = attestedAt + DAY;
      const unblock = (by: Signer) => resolver.connect(by).unblockController(didHash, second);
      await refuse(unblock(first), "NotBlocked", didHash, second.address);
      await block(first, second, until);
      for (const by of [second, third]) await refuse(unblock(by), "NotInCharge", didHash, by.address);
      await expect(unblock(first)).to.emit(resolver, "ControllerUnblocked").withArgs(didHash, second, first);
      await block(first, second, until);
      await next(until);
      await refuse(unblock(first), "NotBlocked", didHash, second.address);
    });
  });

  describe("of a challenge", () => {
    /** Attests `second` by two issuers, and lets it open a challenge of `first`. */
    async function setupChallenge() {
      const suite = await setup();
      const { resolver, issuer3, first, second, attest } = suite;
      await attest(issuer3, second);
      await time.increase(MATURATION);
      const open = (incumbent: Signer = first, by: Signer = second) =>
        resolver.connect(by).challengeDID(didHash, incumbent);
      const resolve = () => resolver.resolveChallenge(didHash, first, second);
      const openedAt = (await time.latest()) + 1;
      await next(openedAt);
      await open();
      return { ...suite, openedAt, open, resolve };
    }

    // @threat contracts: Remove a publisher by a challenge, or prevent a justified one
    it("name who is not attested, and an account that challenges itself", async () => {
      const { first, third, open, refuse } = await setupChallenge();
      await refuse(open(first, third), "NotAttested", didHash, third.address);
      await refuse(open(third), "NotAttested", didHash, third.address);
      await refuse(open(first, first), "SelfReference", first.address);
    });

    it("name an open one, and the second from which it can be resolved", async () => {
      const { resolver, first, second, open, openedAt, resolve, refuse } = await setupChallenge();
      const names = [didHash, first.address, second.address];
      await refuse(open(), "ChallengeAlreadyOpen", ...names);
      await next(openedAt + CHALLENGE_PERIOD - 1);
      await refuse(resolve(), "ChallengeNotResolvable", openedAt + CHALLENGE_PERIOD);
      await next(openedAt + CHALLENGE_PERIOD);
      await expect(resolve())
        .to.emit(resolver, "ControllerRemoved")
        .withArgs(...names, 2, 1);
      await refuse(resolve(), "ChallengeNotOpen", ...names);
    });

    it("name score and resistance of one that is not won, and the challenge of one that has expired", async () => {
      const { resolver, issuer2, first, second, attest, open, openedAt, resolve, refuse } =
        await setupChallenge();
      await at(openedAt + CHALLENGE_PERIOD);
      // An attestation that has not matured counts for the incumbent.
      await attest(issuer2, first);
      await refuse(resolve(), "ChallengeNotWon", 2, 2);
      await next(openedAt + 2 * CHALLENGE_PERIOD);
      await refuse(resolve(), "ChallengeNotOpen", didHash, first.address, second.address);
      await next(openedAt + 3 * CHALLENGE_PERIOD);
      const resolvableFrom = openedAt + 4 * CHALLENGE_PERIOD;
      await expect(open())
        .to.emit(resolver, "DIDChallenged")
        .withArgs(didHash, first, second, resolvableFrom, resolvableFrom + CHALLENGE_PERIOD);
    });
  });

  describe("of the owner's functions", () => {
    it("name an issuer that is known, and the number of seats", async () => {
      const { resolver, issuer, issuer2, issuer3, refuse } = await setup();
      await expect(resolver.retireIssuer(issuer2)).to.emit(resolver, "IssuerRetired").withArgs(issuer2);
      const retiredAt = await time.latest();
      await resolver.distrustIssuer(issuer3, 0);
      for (const known of [issuer, issuer2, issuer3])
        await refuse(resolver.addIssuer(known), "IssuerKnown", known.address);
      await expect(resolver.addIssuer(ZeroAddress)).to.be.revertedWithCustomError(resolver, "ZeroAddress");
      await refuse(resolver.retireIssuer(issuer2), "NotIssuer", issuer2.address);
      const random = () => ethers.Wallet.createRandom().address;
      for (let taken = 2; taken < 15; taken++) await resolver.addIssuer(random());
      await refuse(resolver.addIssuer(random()), "NoFreeSeat", 16);
      const { seatFreeAt } = await resolver.getIssuer(issuer2);
      expect(seatFreeAt).to.equal(retiredAt + YEAR + 8 * DAY);
      await next(Number(seatFreeAt) - 1);
      await refuse(resolver.addIssuer(random()), "NoFreeSeat", 16);
      await next(Number(seatFreeAt));
      await resolver.addIssuer(random());
    });

    it("name the second before which distrust must begin", async () => {
      const { resolver, issuer, stranger, refuse, inSecond } = await setup();
      const now = (await time.latest()) + 10;
      const distrust = (since: number) => resolver.distrustIssuer(issuer, since);
      await refuse(
        inSecond(now, () => distrust(now + 1)),
        "InvalidDistrust",
        now + 1,
        now + 1,
      );
      await expect(distrust(now)).to.emit(resolver, "IssuerDistrusted").withArgs(issuer, now);
      await refuse(distrust(now), "InvalidDistrust", now, now);
      await distrust(0);
      await refuse(distrust(0), "InvalidDistrust", 0, 0);
      await refuse(resolver.distrustIssuer(stranger, 0), "NotIssuer", stranger.address);
    });
  });
});
