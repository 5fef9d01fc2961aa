import { newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
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
