import { maturation, newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";

const nobody = "0x00000000000000000000000000000000000000AA";

describe("getController", () => {
  it("returns no times for an account that was never attested", async () => {
    const { publisher } = await testRegistry();
    const did = newDid();
    expect(await publisher.getController({ did, controller: nobody })).toEqual({
      controls: false,
      inCharge: false,
      attested: false,
      controlsFrom: undefined,
      blockedUntil: undefined,
      score: 0,
      resistance: 0,
    });
    expect(await publisher.claimedAt({ did })).toBeUndefined();
  });

  it("gives control to the first account now, and to a later one when its attestation matures", async () => {
    const { publisher, attest, newAccount, chain, passTime } = await testRegistry();
    const did = newDid();
    const controller = publisher.account.address;
    const newcomer = { did, controller: (await newAccount()).account.address };
    await attest(did, controller);
    const claimedAt = Number((await chain.getBlock()).timestamp);
    await attest(did, newcomer.controller);
    const now = Number((await chain.getBlock()).timestamp);
    const first = await publisher.getController({ did, controller });
    expect(first).toMatchObject({ controls: true, controlsFrom: now, score: 1, resistance: 1 });
    const second = await publisher.getController(newcomer);
    expect(second).toMatchObject({
      controls: false,
      inCharge: false,
      attested: true,
      score: 0,
      resistance: 1,
    });
    // The waiting period of the first later accounts begins one maturation after the claim.
    expect(second.controlsFrom).toBe(claimedAt + 2 * maturation);
    expect(await publisher.claimedAt({ did })).toBe(claimedAt);
    await passTime(2 * maturation);
    expect(await publisher.checkDid(newcomer)).toBe(true);
    expect(await publisher.ownershipScore(newcomer)).toBe(1);
  });

  it("returns inCharge for a controller with an overdue renewal", async () => {
    const { publisher, issuer, mined, chain, passTime } = await testRegistry();
    const did = newDid();
    const controller = { did, controller: publisher.account.address };
    const expiresAt = Number((await chain.getBlock()).timestamp) + 1_000;
    await mined(issuer.attestDid({ ...controller, expiresAt }));
    await passTime(1_000);
    const overdue = { controls: false, inCharge: true, attested: false, score: 0, resistance: 1 };
    expect(await publisher.getController(controller)).toMatchObject(overdue);
    expect(await publisher.getDidAttestations(controller)).toMatchObject([{ live: false, overdue: true }]);
    expect(await publisher.resistsReclaim(controller)).toBe(true);
    await mined(issuer.attestDid(controller));
    expect(await publisher.getController(controller)).toMatchObject({ controls: true, inCharge: true });
  });

  it("returns the resistance of an account for 7 days after a revocation", async () => {
    const { publisher, issuer, attest, mined, passTime } = await testRegistry();
    const did = newDid();
    const controller = { did, controller: publisher.account.address };
    expect(await publisher.resistsReclaim(controller)).toBe(false);
    await attest(did, publisher.account.address);
    await mined(issuer.revokeDid(controller));
    expect(await publisher.getController(controller)).toMatchObject({ controls: false, resistance: 1 });
    expect(await publisher.resistsReclaim(controller)).toBe(true);
    await passTime(7 * 24 * 3_600);
    expect(await publisher.getController(controller)).toMatchObject({ resistance: 0 });
    expect(await publisher.resistsReclaim(controller)).toBe(false);
  });
});
