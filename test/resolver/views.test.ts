import { expect } from "chai";
import { createResolverSuite, DAY, didHash, HOUR, MATURATION, otherDidHash, YEAR } from "./fixture.ts";

const { time, at, load } = await createResolverSuite();

describe("Why a controller counts, or does not", () => {
  async function setup() {
    const suite = await load();
    const { resolver } = suite;
    const describeController = async (account: typeof suite.first) => {
      const view = await resolver.getController(didHash, account);
      const { counts, attested, objected, late, settlesAt, score, standing } = view;
      return { counts, attested, objected, late, settlesAt, score, standing };
    };
    return { ...suite, describeController };
  }
  const nothing = {
    ...{ counts: false, attested: false, objected: false, late: false },
    ...{ settlesAt: 0n, score: 0n, standing: 0n },
  };

  it("is nothing for an account of whom nothing was stated", async () => {
    const { stranger, describeController } = await setup();
    expect(await describeController(stranger)).to.deep.equal(nothing);
  });

  it("is a settled attestation, of whom standing and score count it", async () => {
    const { issuer, first, attest, describeController } = await setup();
    const settlesAt = BigInt(await attest(issuer, first));
    expect(await describeController(first)).to.deep.equal({
      ...nothing,
      ...{ counts: true, attested: true, settlesAt, score: 1n, standing: 1n },
    });
  });

  it("is a wait, until the first of its attestations settles", async () => {
    const { issuer, issuer2, issuer3, first, second, attest, describeController } = await setup();
    await attest(issuer3, first);
    await attest(issuer, second, (await time.latest()) + HOUR);
    expect(await describeController(second)).to.deep.equal({ ...nothing, attested: true });
    const settlesAt = BigInt((await attest(issuer2, second)) + MATURATION);
    await attest(issuer3, second);
    expect(await describeController(second)).to.deep.equal({ ...nothing, attested: true, settlesAt });
  });

  it("takes the earliest of live attestations, whichever issuer's it is", async () => {
    const { resolver, issuer, issuer2, issuer3, first, second, attest, revoke, describeController } =
      await setup();
    await attest(issuer, first);
    const later = BigInt((await attest(issuer, second)) + MATURATION);
    await resolver.setMaturation(HOUR);
    const earlier = BigInt((await attest(issuer2, second)) + HOUR);
    await attest(issuer3, second);
    expect((await describeController(second)).settlesAt).to.equal(earlier);
    await revoke(issuer2, second);
    expect((await describeController(second)).settlesAt).to.equal(earlier + 1n);
    await revoke(issuer3, second);
    expect((await describeController(second)).settlesAt).to.equal(later);
  });

  it("is an objection in force, and not one that is overruled", async () => {
    const { resolver, issuer, issuer2, issuer3, first, second, attest, describeController } = await setup();
    await attest(issuer, first);
    await attest(issuer2, second);
    const settlesAt = (await resolver.getDIDAttestations(didHash, second))[0]?.settlesAt;
    await attest(issuer3, second);
    await resolver.connect(first).objectToController(didHash, second);
    await time.increase(MATURATION);
    const attested = { ...nothing, attested: true, settlesAt, score: 2n, standing: 2n };
    expect(await describeController(second)).to.deep.equal({ ...attested, objected: true });
    await time.increase(7 * DAY);
    expect(await describeController(second)).to.deep.equal({ ...attested, counts: true });
  });

  it("is late with its renewal, and keeps its standing", async () => {
    const { issuer, first, attest, describeController } = await setup();
    const expiresAt = (await time.latest()) + DAY;
    await attest(issuer, first, expiresAt);
    await at(expiresAt);
    expect(await describeController(first)).to.deep.equal({ ...nothing, late: true, standing: 1n });
  });

  it("counts by a vouch before it settles", async () => {
    const { resolver, issuer, first, second, attest, describeController } = await setup();
    await attest(issuer, first);
    const settlesAt = BigInt((await attest(issuer, second)) + MATURATION);
    await resolver.connect(first).vouchController(didHash, second);
    expect(await describeController(second)).to.deep.equal({
      ...nothing,
      ...{ counts: true, attested: true, settlesAt },
    });
  });
});

describe("An account's score and standing", () => {
  it("count each issuer whose run has settled, the score while it is live", async () => {
    const { issuer, issuer2, issuer3, first, third, attest, score, standing } = await load();
    await attest(issuer, third);
    const startedAt = await attest(issuer, first);
    await attest(issuer2, first, startedAt + MATURATION + DAY);
    await attest(issuer3, first, startedAt + DAY);
    const read = async () => [await score(first), await standing(first)];
    expect(await read()).to.deep.equal([0, 0]);
    await at(startedAt + MATURATION);
    expect(await read()).to.deep.equal([1, 1]);
    await at(startedAt + MATURATION + 1);
    expect(await read()).to.deep.equal([2, 2]);
    await at(startedAt + MATURATION + DAY);
    expect(await read()).to.deep.equal([1, 2]);
  });

  it("keep the honest ones' under one rogue issuer of three, however often they renew", async () => {
    const { issuer, issuer2, issuer3, first, stranger, attest, score, counts } = await load();
    await attest(issuer, first);
    await attest(issuer2, first);
    await time.increase(MATURATION);
    await attest(issuer3, stranger);
    await attest(issuer, first);
    await attest(issuer2, first);
    expect([await score(first), await score(stranger)]).to.deep.equal([2, 0]);
    expect([await counts(first), await counts(stranger)]).to.deep.equal([true, false]);
  });

  it("lose a revoked run's standing after two days, to the second", async () => {
    const { issuer, first, attest, revoke, score, standing } = await load();
    await attest(issuer, first);
    const endedAt = await revoke(issuer, first);
    expect([await score(first), await standing(first)]).to.deep.equal([0, 1]);
    await at(endedAt + 48 * HOUR - 1);
    expect(await standing(first)).to.equal(1);
    await at(endedAt + 48 * HOUR);
    expect(await standing(first)).to.equal(0);
  });

  it("keep that standing for the maturation where it is longer than two days", async () => {
    const { resolver, issuer, first, attest, revoke, standing } = await load();
    await attest(issuer, first);
    const endedAt = await revoke(issuer, first);
    await resolver.setMaturation(10 * DAY);
    await at(endedAt + 10 * DAY - 1);
    expect(await standing(first)).to.equal(1);
    await at(endedAt + 10 * DAY);
    expect(await standing(first)).to.equal(0);
    await resolver.setMaturation(HOUR);
    const startedAt = await attest(issuer, first);
    await at(startedAt + HOUR);
    const again = await revoke(issuer, first);
    await at(again + 48 * HOUR - 1);
    expect(await standing(first)).to.equal(1);
    await at(again + 48 * HOUR);
    expect(await standing(first)).to.equal(0);
  });

  it("give a run no standing that ended before it settled, or in that second", async () => {
    const { issuer, issuer2, first, second, attest, revoke, standing } = await load();
    await attest(issuer, first);
    await attest(issuer2, second);
    await revoke(issuer2, second);
    await time.increase(MATURATION);
    expect(await standing(second)).to.equal(0);
  });

  it("are of one DID", async () => {
    const { resolver, issuer, first, attest } = await load();
    await attest(issuer, first);
    expect(await resolver.ownershipScore(otherDidHash, first)).to.equal(0);
    expect((await resolver.getController(otherDidHash, first)).standing).to.equal(0);
    expect(await resolver.isClaimed(otherDidHash)).to.equal(false);
    await time.increase(YEAR);
    expect(await resolver.isClaimed(didHash)).to.equal(true);
  });
});
