import { expect } from "chai";
import { CHALLENGE_PERIOD, createResolverSuite, DAY, didHash, HOUR, MATURATION, YEAR } from "./fixture.ts";
import { signStatement } from "./statements.ts";

const { time, at, next, load } = await createResolverSuite();

describe("First run of a DID", () => {
  async function setup() {
    const suite = await load();
    const { resolver, issuer, first, stranger } = suite;
    /** Submits a signed first attestation `lag` seconds after its date. */
    const attestLate = async (lag: number) => {
      const statement = { didHash, controller: first.address, expiresAt: 0 };
      const statedAt = (await time.latest()) + 1;
      const signature = await signStatement({
        ...{ resolver, signer: issuer, type: "AttestDID", statement },
        fields: { statedAt, deadline: statedAt + DAY },
      });
      await next(statedAt + lag);
      await resolver.connect(stranger).attestDIDBySignature(statement, signature);
      return { statedAt, startedAt: statedAt + lag };
    };
    return { ...suite, attestLate };
  }

  it("is read correctly if its signature was 0, 255 or 256 seconds or a day old", async () => {
    for (const lag of [0, 255, 256, DAY]) {
      const { issuer, first, attestLate, runOf, controls } = await setup();
      const { statedAt, startedAt } = await attestLate(lag);
      expect(await runOf(issuer, first)).to.deep.equal({
        ...{ startedAt, statedAt, maturesAt: startedAt, expiresAt: statedAt + YEAR, endedAt: 0 },
        ...{ revokedAt: 0, live: true, matured: true, overdue: false, blocked: false },
      });
      expect(await controls(first)).to.equal(true);
    }
  });

  it("matures immediately even after revocations by other issuers", async () => {
    const { resolver, issuer, issuer2, issuer3, first, second, attest, revoke, controls, runOf } =
      await setup();
    await revoke(issuer2, second);
    await revoke(issuer3, first);
    const startedAt = await attest(issuer, first);
    expect(await resolver.claimedAt(didHash)).to.be.greaterThan(0);
    expect(await runOf(issuer, first)).to.include({ startedAt, maturesAt: startedAt, matured: true });
    expect(await controls(first)).to.equal(true);
    await attest(issuer, second);
    expect((await runOf(issuer, second))?.maturesAt).to.equal(startedAt + 2 * MATURATION);
    expect((await runOf(issuer3, first))?.live).to.equal(false);
  });

  it("is refused for the maturation after the same issuer revoked the same account", async () => {
    const { resolver, issuer, first, attest, revoke, controls } = await setup();
    const endedAt = await revoke(issuer, first);
    await expect(attest(issuer, first))
      .to.be.revertedWithCustomError(resolver, "RecentlyRevoked")
      .withArgs(endedAt + MATURATION);
    await next(endedAt + MATURATION);
    await attest(issuer, first);
    expect(await controls(first)).to.equal(true);
  });

  it("belongs to one issuer and one account", async () => {
    const { issuer, issuer2, first, second, attest, runOf, controls } = await setup();
    await attest(issuer, first);
    expect(await runOf(issuer2, first)).to.equal(undefined);
    expect(await runOf(issuer, second)).to.equal(undefined);
    expect(await controls(second)).to.equal(false);
  });

  it("stays valid if its issuer is distrusted since a later time, and is void otherwise", async () => {
    const { resolver, issuer, first, attest, controls } = await setup();
    const startedAt = await attest(issuer, first);
    await resolver.distrustIssuer(issuer, startedAt + 1);
    await at(startedAt + 300 * DAY);
    expect(await controls(first)).to.equal(true);
    await resolver.distrustIssuer(issuer, startedAt);
    expect(await controls(first)).to.equal(false);
  });

  it("stays valid if its issuer is retired", async () => {
    const { resolver, issuer, first, attest, controls } = await setup();
    await attest(issuer, first);
    await resolver.retireIssuer(issuer);
    expect(await controls(first)).to.equal(true);
  });

  describe("when its state or its DID changes", () => {
    type Loaded = Awaited<ReturnType<typeof setup>>;
    /** Changes to a first run or its DID, each with the fields of the run that change. */
    const changes: Record<
      string,
      { change: (suite: Loaded) => Promise<unknown>; result: (now: number) => Record<string, unknown> }
    > = {
      "is renewed": {
        change: ({ attest, issuer, first }) => attest(issuer, first),
        result: (now) => ({ statedAt: now, expiresAt: now + YEAR }),
      },
      "is revoked": {
        change: ({ revoke, issuer, first }) => revoke(issuer, first),
        result: (now) => ({ statedAt: now, endedAt: now, revokedAt: now, live: false, matured: false }),
      },
      "is ended by the owner": {
        change: async ({ resolver, issuer, first }) => {
          await resolver.retireIssuer(issuer);
          await resolver.endDIDAttestation(didHash, first, issuer);
        },
        result: (now) => ({ endedAt: now, live: false, matured: false, overdue: false }),
      },
      "is removed by a challenge": {
        change: async ({ resolver, issuer2, issuer3, first, second, attest }) => {
          for (const each of [issuer2, issuer3]) await attest(each, second);
          await time.increase(2 * MATURATION);
          await resolver.connect(second).challengeDID(didHash, first);
          await time.increase(CHALLENGE_PERIOD);
          await resolver.resolveChallenge(didHash, first, second);
        },
        result: (now) => ({ endedAt: now, live: false, matured: false, overdue: false }),
      },
      "is followed by another issuer's attestation": {
        change: ({ issuer2, first, attest }) => attest(issuer2, first),
        result: () => ({}),
      },
      "is followed by another issuer's revocation": {
        change: ({ issuer2, first, revoke }) => revoke(issuer2, first),
        result: () => ({}),
      },
      "is followed by another account's attestation": {
        change: ({ issuer, second, attest }) => attest(issuer, second),
        result: () => ({}),
      },
    };
    for (const [what, { change, result }] of Object.entries(changes)) {
      it(`keeps its other fields when it ${what}`, async () => {
        const suite = await setup();
        const { issuer, first, attestLate, runOf } = suite;
        await attestLate(HOUR / 60);
        const before = await runOf(issuer, first);
        await time.increase(DAY);
        await change(suite);
        expect(await runOf(issuer, first)).to.deep.equal({
          ...before,
          ...result(await time.latest()),
        });
      });
    }

    it("can be renewed repeatedly", async () => {
      const { issuer, first, attest, runOf, controls } = await setup();
      const startedAt = await attest(issuer, first, (await time.latest()) + 10 * DAY);
      for (let day = 1; day <= 30; day += 10) {
        await at(startedAt + day * DAY);
        await attest(issuer, first, startedAt + (day + 12) * DAY);
        expect((await runOf(issuer, first))?.startedAt).to.equal(startedAt);
        expect(await controls(first)).to.equal(true);
      }
    });
  });
});
