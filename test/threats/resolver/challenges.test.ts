import { expect } from "chai";
import { CHALLENGE_PERIOD, createWorld, days, hours, MATURATION } from "../world.ts";

const { load } = await createWorld();

describe("Attacks by challenges", () => {
  // @threat contracts: Take over a DID, or revoke its publisher, with a rogue issuer or a leaked key
  it("one rogue issuer of three can't win a challenge while the honest issuers renew", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada, w.ben);
    await w.matures(w.thief, w.cleo);
    await w.challenges(w.thief, w.publisher);
    await w.attests(w.ada, w.publisher);
    await w.attests(w.ben, w.publisher);
    await w.revokes(w.cleo, w.publisher);
    await w.passes(CHALLENGE_PERIOD);
    await w.refuses(w.resolves(w.thief, w.publisher), "ChallengeNotWon");
    expect(await w.score(w.publisher)).to.equal(2);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Remove a publisher by a challenge, or prevent a justified one
  it("a hijack of two days that two issuers attested does not remove a publisher with one issuer", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.attests(w.ben, w.thief);
    await w.attests(w.cleo, w.thief);
    await w.refuses(w.challenges(w.thief, w.publisher), "NotAttested");
    await w.passes(MATURATION);
    await w.challenges(w.thief, w.publisher);
    await w.refuses(w.resolves(w.thief, w.publisher), "ChallengeNotResolvable");
    // The publisher has its domain back, and both issuers revoke the thief.
    await w.revokes(w.ben, w.thief);
    await w.revokes(w.cleo, w.thief);
    await w.passes(CHALLENGE_PERIOD);
    await w.refuses(w.resolves(w.thief, w.publisher), "ChallengeNotWon");
  });

  // @threat contracts: Remove a publisher by a challenge, or prevent a justified one
  it("a challenge opened on one rogue attestation does not count later attestations", async () => {
    const w = await load();
    await w.matures(w.publisher, w.ada);
    await w.attests(w.ben, w.thief);
    await w.passes(MATURATION);
    await w.challenges(w.thief, w.publisher);
    await w.attests(w.cleo, w.thief);
    await w.passes(CHALLENGE_PERIOD);
    expect(await w.score(w.thief)).to.equal(2);
    await w.refuses(w.resolves(w.thief, w.publisher), "ChallengeNotWon");
  });

  // @threat contracts: Remove a publisher by a challenge, or prevent a justified one
  it("a challenge is not won while the incumbent's renewal is overdue", async () => {
    const w = await load();
    await w.attests(w.ada, w.publisher, { for: days(30) });
    await w.matures(w.thief, w.ben);
    await w.passes(days(20));
    await w.challenges(w.thief, w.publisher);
    await w.passes(days(8));
    expect(await w.controls(w.publisher)).to.equal(false);
    await w.refuses(w.resolves(w.thief, w.publisher), "ChallengeNotWon");
    await w.passes(days(4));
    await w.refuses(w.resolves(w.thief, w.publisher), "ChallengeNotWon");
    await w.attests(w.ada, w.publisher);
    expect(await w.controls(w.publisher)).to.equal(true);
  });

  // @threat contracts: Remove a publisher by a challenge, or prevent a justified one
  it("a justified challenge can be won later, although it was resolved too early or expired", async () => {
    const w = await load();
    await w.matures(w.seller, w.ada);
    await w.matures(w.buyer, w.ben);
    await w.attests(w.cleo, w.buyer);
    await w.challenges(w.buyer, w.seller);
    await w.revokes(w.cleo, w.buyer);
    await w.passes(CHALLENGE_PERIOD);
    await w.refuses(w.resolves(w.buyer, w.seller), "ChallengeNotWon");
    await w.refuses(w.challenges(w.buyer, w.seller), "ChallengeAlreadyOpen");
    await w.attests(w.cleo, w.buyer);
    await w.passes(CHALLENGE_PERIOD);
    await w.refuses(w.resolves(w.buyer, w.seller), "ChallengeNotOpen");
    await w.challenges(w.buyer, w.seller);
    await w.passes(CHALLENGE_PERIOD);
    await w.resolves(w.buyer, w.seller);
    expect(await w.controls(w.seller)).to.equal(false);
  });

  // @threat contracts: Remove a publisher by a challenge, or prevent a justified one
  it("a signature from before the removal does not restore the removed account", async () => {
    const w = await load();
    await w.matures(w.seller, w.ada);
    await w.matures(w.buyer, w.ben, w.cleo);
    await w.challenges(w.buyer, w.seller);
    await w.passes(CHALLENGE_PERIOD + hours(1));
    const attestation = await w.signs(w.ada, "AttestDID", w.seller);
    await w.resolves(w.buyer, w.seller);
    await w.refuses(attestation(), "StaleStatement");
    await w.passes(MATURATION);
    expect(await w.controls(w.seller)).to.equal(false);
  });
});
