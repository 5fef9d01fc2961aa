import {
  challengePeriod,
  maturation,
  newDid,
  type TestRegistry,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";

/** Attests a first controller of a DID and a second account, which challenges the first. */
async function challenged({ publisher, attest, newAccount, mined, chain, passTime }: TestRegistry) {
  const did = newDid();
  const challenger = await newAccount();
  const incumbent = publisher.account.address;
  await attest(did, incumbent);
  await attest(did, challenger.account.address);
  const parties = { did, incumbent, challenger: challenger.account.address };
  expect(await publisher.getChallenge(parties)).toBeUndefined();
  await expect(challenger.challengeDid({ did, incumbent })).rejects.toMatchObject({
    errorName: "NotAttested",
  });
  await passTime(2 * maturation);
  await mined(challenger.challengeDid({ did, incumbent }));
  return { parties, openedAt: Number((await chain.getBlock()).timestamp) };
}

describe("challenge", () => {
  it("has its times, and stays open if as many issuers attest the challenged controller", async () => {
    const registry = await testRegistry();
    const { publisher, passTime } = registry;
    const { parties, openedAt } = await challenged(registry);
    const challenge = {
      openedAt,
      resolvableFrom: openedAt + challengePeriod,
      expiresAt: openedAt + 2 * challengePeriod,
    };
    expect(await publisher.getChallenge(parties)).toEqual(challenge);
    await expect(publisher.resolveChallenge(parties)).rejects.toMatchObject({
      errorName: "ChallengeNotResolvable",
      retryable: true,
    });
    await passTime(challengePeriod);
    await expect(publisher.resolveChallenge(parties)).rejects.toMatchObject({ errorName: "ChallengeNotWon" });
    expect(await publisher.getChallenge(parties)).toEqual(challenge);
    await passTime(challengePeriod);
    expect(await publisher.getChallenge(parties)).toBeUndefined();
  });
});
