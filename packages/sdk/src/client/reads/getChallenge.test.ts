import { expect, it } from "vitest";
import { maturation, newDid, testRegistry } from "../../../test/chain/testRegistry.ts";

it("reads an open challenge with its times", async () => {
  const { publisher, attest, newAccount, mined, chain, passTime } = await testRegistry();
  const did = newDid();
  const challenger = await newAccount();
  const incumbent = publisher.account.address;
  await attest(did, incumbent);
  await attest(did, challenger.account.address);
  const parties = { did, incumbent, challenger: challenger.account.address };
  expect(await publisher.getChallenge(parties)).toBeUndefined();
  await mined(challenger.challengeDid({ did, incumbent }));
  const openedAt = Number((await chain.getBlock()).timestamp);
  const challenge = { openedAt, resolvableFrom: openedAt + maturation, voidFrom: openedAt + 2 * maturation };
  expect(await publisher.getChallenge(parties)).toEqual(challenge);

  await expect(publisher.resolveChallenge(parties)).rejects.toMatchObject({
    errorName: "ChallengeNotResolvable",
    retryable: true,
  });
  await passTime(maturation);
  await mined(publisher.resolveChallenge(parties));
  // One issuer can't outvote itself: the incumbent stays.
  expect(await publisher.ownershipScore({ did, controller: incumbent })).toBe(1);
  expect(await publisher.checkDid({ did, controller: incumbent })).toBe(true);
});
