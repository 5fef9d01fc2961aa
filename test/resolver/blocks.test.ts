import { expect } from "chai";
import {
  CHALLENGE_PERIOD,
  createResolverSuite,
  DAY,
  didHash,
  GRACE,
  HOUR,
  MATURATION,
  MAX_BLOCK,
  otherDidHash,
} from "./fixture.ts";

const { time, at, next, load } = await createResolverSuite();

describe("blockController", () => {
  /** Sets up a first controller that may block, and an attested account whose waiting period has just begun. */
  async function setup() {
    const suite = await load();
    const { resolver, issuer, issuer2, first, second, attest } = suite;
    const claimedAt = await attest(issuer, first);
    await at(claimedAt + MATURATION);
    const attestedAt = await attest(issuer2, second);
    const blockAs = (by: typeof first, account: typeof first, until: number) =>
      resolver.connect(by).blockController(didHash, account, until);
    const getBlock = async (account = second) => [...(await resolver.getBlock(didHash, account))].map(Number);
    const view = (account = second) => resolver.getController(didHash, account);
    return { ...suite, claimedAt, attestedAt, blockAs, getBlock, view };
  }

  it("prevents control until the second in which the block ends, and emits ControllerBlocked", async () => {
    const { resolver, first, second, attestedAt, blockAs, getBlock, view, controls } = await setup();
    const now = attestedAt + HOUR;
    const until = now + MAX_BLOCK;
    await next(now);
    await expect(blockAs(first, second, until))
      .to.emit(resolver, "ControllerBlocked")
      .withArgs(didHash, second, first, now, until, 1);
    expect(await getBlock()).to.deep.equal([now, until, 1]);
    const { controlsFrom, blockedUntil } = await view();
    expect([controlsFrom, blockedUntil]).to.deep.equal([BigInt(until), BigInt(until)]);
    await at(until - 1);
    expect(await controls(second)).to.equal(false);
    await at(until);
    expect(await controls(second)).to.equal(true);
    expect(await getBlock()).to.deep.equal([0, 0, 0]);
    expect((await view()).blockedUntil).to.equal(0);
  });

  it("applies to runs that begin after the block, of any issuer", async () => {
    const { issuer, issuer3, first, second, attest, block, controls, runOf } = await setup();
    await block(first, second);
    await attest(issuer, second);
    await attest(issuer3, second);
    await time.increase(MATURATION);
    expect(await controls(second)).to.equal(false);
    expect(await runOf(issuer, second)).to.include({ matured: true, blocked: true });
  });

  it("applies to an account that nobody has attested", async () => {
    const { issuer2, first, third, attest, block, controls } = await setup();
    const blockedAt = await block(first, third);
    await attest(issuer2, third);
    await at(blockedAt + MAX_BLOCK - 1);
    expect(await controls(third)).to.equal(false);
    await at(blockedAt + MAX_BLOCK);
    expect(await controls(third)).to.equal(true);
  });

  it("stays in force if its author is revoked and the author's issuer distrusted", async () => {
    const { resolver, issuer, first, second, block, revoke, controls } = await setup();
    await block(first, second);
    await revoke(issuer, first);
    await resolver.retireIssuer(issuer);
    await resolver.distrustIssuer(issuer, 0);
    await time.increase(MATURATION + GRACE);
    expect(await controls(second)).to.equal(false);
  });

  it("applies to one account and one DID", async () => {
    const { resolver, issuer2, first, second, third, attest, block, controls } = await setup();
    await attest(issuer2, third);
    await block(first, second);
    await time.increase(MATURATION);
    expect(await controls(third)).to.equal(true);
    expect([...(await resolver.getBlock(otherDidHash, second))]).to.deep.equal([0n, 0n, 0n]);
  });

  describe("again before the block ends", () => {
    it("keeps the beginning and the later end", async () => {
      const { first, second, blockAs, getBlock } = await setup();
      const now = (await time.latest()) + 1;
      await next(now);
      await blockAs(first, second, now + 20 * DAY);
      await blockAs(first, second, now + 10 * DAY);
      expect(await getBlock()).to.deep.equal([now, now + 20 * DAY, 1]);
      await next(now + 19 * DAY);
      await blockAs(first, second, now + 49 * DAY);
      expect(await getBlock()).to.deep.equal([now, now + 49 * DAY, 1]);
    });

    it("keeps the higher weight, even if another controller extends it", async () => {
      const { resolver, issuer, issuer3, first, second, third, attest, block, getBlock } = await setup();
      await attest(issuer, third);
      await attest(issuer3, third);
      const blockedAt = await block(first, second, 10 * DAY);
      await time.increase(MATURATION);
      await block(third, second, 5 * DAY);
      expect(await getBlock()).to.deep.equal([blockedAt, blockedAt + 10 * DAY, 2]);
      await resolver.connect(first).blockController(didHash, second, blockedAt + 20 * DAY);
      expect(await getBlock()).to.deep.equal([blockedAt, blockedAt + 20 * DAY, 2]);
    });

    it("begins a new block in the second in which the old one has ended", async () => {
      const { first, third, blockAs, getBlock } = await setup();
      const now = (await time.latest()) + 1;
      await next(now);
      await blockAs(first, third, now + DAY);
      await next(now + DAY);
      await blockAs(first, third, now + 2 * DAY);
      expect(await getBlock(third)).to.deep.equal([now + DAY, now + 2 * DAY, 1]);
    });
  });

  describe("by an account that may not block, or against one that can't be blocked", () => {
    it("reverts with NotInCharge for strangers and for waiting, blocked and revoked accounts", async () => {
      const { resolver, issuer, first, second, third, stranger, block, revoke, attestedAt } = await setup();
      const refuse = (by: typeof first) =>
        expect(resolver.connect(by).blockController(didHash, third, attestedAt + 9 * DAY))
          .to.be.revertedWithCustomError(resolver, "NotInCharge")
          .withArgs(didHash, by);
      for (const by of [stranger, second]) await refuse(by);
      await block(first, second);
      await time.increase(MATURATION);
      await refuse(second);
      await revoke(issuer, first);
      await refuse(first);
    });

    // @threat contracts: Block longer, earlier or wider than allowed
    it("refuses to block an account in charge, even an overdue one, or the caller itself", async () => {
      const { resolver, issuer2, first, third, attest, blockAs } = await setup();
      const expiresAt = (await time.latest()) + 4 * DAY;
      await attest(issuer2, third, expiresAt);
      const until = expiresAt + 8 * DAY;
      for (const timestamp of [expiresAt - 1, expiresAt, expiresAt + GRACE - 1]) {
        await next(timestamp);
        await expect(blockAs(first, third, until))
          .to.be.revertedWithCustomError(resolver, "AccountInCharge")
          .withArgs(didHash, third);
      }
      await expect(blockAs(first, first, until))
        .to.be.revertedWithCustomError(resolver, "SelfReference")
        .withArgs(first);
      await next(expiresAt + GRACE);
      await blockAs(first, third, until);
    });

    it("lets a controller whose renewal is overdue block until the last second of the grace", async () => {
      const { resolver, issuer, first, third, second, attest, blockAs } = await setup();
      await attest(issuer, third, (await time.latest()) + 4 * DAY);
      const expiresAt = await time.latest().then((now) => now - 1 + 4 * DAY);
      await next(expiresAt + GRACE - 1);
      await expect(blockAs(third, second, expiresAt + 9 * DAY))
        .to.be.revertedWithCustomError(resolver, "AccountInCharge")
        .withArgs(didHash, second);
      await next(expiresAt + GRACE);
      await expect(blockAs(third, first, expiresAt + 9 * DAY))
        .to.be.revertedWithCustomError(resolver, "NotInCharge")
        .withArgs(didHash, third);
    });
  });

  // @threat contracts: Block longer, earlier or wider than allowed
  it("refuses to block until exactly one maturation after the claim", async () => {
    const { resolver, issuer, first, second, attest } = await load();
    const claimedAt = await attest(issuer, first);
    const blockableFrom = claimedAt + MATURATION;
    const blocking = () => resolver.connect(first).blockController(didHash, second, blockableFrom + DAY);
    await next(blockableFrom - 1);
    await expect(blocking())
      .to.be.revertedWithCustomError(resolver, "TooEarlyToBlock")
      .withArgs(blockableFrom);
    await next(blockableFrom);
    await blocking();
  });

  // @threat contracts: Block longer, earlier or wider than allowed
  it("refuses a block that does not end in the future and within 30 days", async () => {
    const { resolver, first, second, blockAs } = await setup();
    const now = (await time.latest()) + 10;
    for (const until of [0, now, now + MAX_BLOCK + 1]) {
      await next(now + (until === 0 ? -2 : until === now ? -1 : 0));
      const timestamp = now + (until === 0 ? -2 : until === now ? -1 : 0);
      const end = until === now ? timestamp : until;
      await expect(blockAs(first, second, end))
        .to.be.revertedWithCustomError(resolver, "InvalidBlockEnd")
        .withArgs(end, timestamp + MAX_BLOCK);
    }
    await next(now + 1);
    await blockAs(first, second, now + 2);
    await next(now + 3);
    await blockAs(first, second, now + 3 + MAX_BLOCK);
  });

  describe("when more issuers than the block's weight attest the account", () => {
    /** Blocks `second` with weight 1, although two issuers attest it. */
    async function setupOutweighed(lifetime = 0) {
      const suite = await setup();
      const { issuer3, first, second, attest, block, blockAs } = suite;
      const lastAt = await attest(issuer3, second, lifetime && (await time.latest()) + 1 + lifetime);
      const opposesFrom = lastAt + MATURATION + CHALLENGE_PERIOD;
      const blockedAt = await block(first, second);
      return { ...suite, opposesFrom, blockedAt, blockAs };
    }

    it("applies until exactly the challenge period after both attestations matured", async () => {
      const { second, opposesFrom, controls, view, getBlock } = await setupOutweighed();
      expect((await view()).controlsFrom).to.equal(opposesFrom);
      await at(opposesFrom - 1);
      expect(await controls(second)).to.equal(false);
      await at(opposesFrom);
      expect(await controls(second)).to.equal(true);
      expect((await getBlock())[2]).to.equal(1);
      expect((await view()).blockedUntil).to.equal(0);
    });

    it("applies again if one of the issuers revokes", async () => {
      const { issuer3, second, opposesFrom, controls, revoke } = await setupOutweighed();
      await at(opposesFrom);
      await revoke(issuer3, second);
      expect(await controls(second)).to.equal(false);
    });

    it("ignores an attestation that expires within the challenge period after it matured", async () => {
      const short = await setupOutweighed(MATURATION + CHALLENGE_PERIOD);
      await at(short.opposesFrom);
      expect(await short.controls(short.second)).to.equal(false);
      const long = await setupOutweighed(MATURATION + CHALLENGE_PERIOD + 1);
      await at(long.opposesFrom);
      expect(await long.controls(long.second)).to.equal(true);
    });

    it("counts an overdue attestation like a live one", async () => {
      const { second, opposesFrom, controls } = await setupOutweighed(MATURATION + CHALLENGE_PERIOD + 1);
      await at(opposesFrom + GRACE);
      expect(await controls(second)).to.equal(true);
      await at(opposesFrom + GRACE + 1);
      expect(await controls(second)).to.equal(false);
    });
  });

  describe("in a batch", () => {
    it("blocks or extends each entry, and reverts if one is refused", async () => {
      const { resolver, first, second, third, getBlock } = await setup();
      const until = (await time.latest()) + 10 * DAY;
      const requests = [second, third].map((account) => ({ didHash, account, until }));
      await resolver.connect(first).blockControllerBatch(requests);
      for (const account of [second, third]) expect((await getBlock(account))[1]).to.equal(until);
      const later = requests.map((request) => ({ ...request, until: until + DAY }));
      await expect(
        resolver
          .connect(first)
          .blockControllerBatch([...later, { didHash, account: first, until: until + DAY }]),
      ).to.be.revertedWithCustomError(resolver, "SelfReference");
      expect((await getBlock(second))[1]).to.equal(until);
      await resolver.connect(first).blockControllerBatch(later);
      for (const account of [second, third]) expect((await getBlock(account))[1]).to.equal(until + DAY);
    });
  });
});

describe("unblockController", () => {
  async function setup() {
    const suite = await load();
    const { resolver, issuer, issuer2, first, second, third, attest, block } = suite;
    await attest(issuer, first);
    await attest(issuer2, third);
    await time.increase(2 * MATURATION);
    await attest(issuer2, second);
    await block(first, second);
    const unblock = (by: typeof first, account = second) =>
      resolver.connect(by).unblockController(didHash, account);
    return { ...suite, unblock };
  }

  it("lets any account in charge end the block, so that matured runs give control", async () => {
    const { resolver, second, third, unblock, controls } = await setup();
    await time.increase(MATURATION);
    expect(await controls(second)).to.equal(false);
    await expect(unblock(third)).to.emit(resolver, "ControllerUnblocked").withArgs(didHash, second, third);
    expect(await controls(second)).to.equal(true);
    expect([...(await resolver.getBlock(didHash, second))]).to.deep.equal([0n, 0n, 0n]);
  });

  it("reverts with NotInCharge for others, including the blocked account", async () => {
    const { resolver, second, stranger, unblock } = await setup();
    for (const by of [second, stranger]) {
      await expect(unblock(by)).to.be.revertedWithCustomError(resolver, "NotInCharge").withArgs(didHash, by);
    }
  });

  it("reverts with NotBlocked if the account is not blocked or the block has ended", async () => {
    const { resolver, first, third, second, unblock } = await setup();
    const { blockedUntil } = await resolver.getBlock(didHash, second);
    await expect(unblock(first, third))
      .to.be.revertedWithCustomError(resolver, "NotBlocked")
      .withArgs(didHash, third);
    await next(Number(blockedUntil));
    await expect(unblock(first)).to.be.revertedWithCustomError(resolver, "NotBlocked");
  });

  it("lets the account itself end a block that more issuers outweigh", async () => {
    const { resolver, issuer3, second, unblock, attest, controls } = await setup();
    await attest(issuer3, second);
    await time.increase(MATURATION + CHALLENGE_PERIOD);
    expect(await controls(second)).to.equal(true);
    await unblock(second);
    expect((await resolver.getBlock(didHash, second)).blockedUntil).to.equal(0);
  });
});
