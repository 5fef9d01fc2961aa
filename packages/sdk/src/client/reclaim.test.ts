import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";

const days = 24 * 3600;

describe("reclaim of a record whose publisher lost the DID", () => {
  it("opens after 7 days and transfers the token 30 days later, not earlier", async () => {
    const registry = await testRegistry();
    const { publisher, issuer, newAccount, attest, mined, passTime, chain } = registry;
    const { did } = await registerApp(registry);
    const claimant = await newAccount();
    await attest(did, claimant.account.address);
    const record = { did, major: 1 };
    await mined(issuer.revokeDid({ did, controller: publisher.account.address }));
    await passTime(6 * days);
    await expect(claimant.openReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimContested" });

    await passTime(days);
    await mined(claimant.openReclaim(record));
    const openedAt = Number((await chain.getBlock()).timestamp);
    const own = { ...record, claimant: claimant.account.address };
    expect(await publisher.getReclaim(own)).toEqual({
      openedAt,
      finishableFrom: openedAt + 30 * days,
      expiresAt: openedAt + 60 * days,
    });
    expect(await publisher.getReclaim({ ...own, claimant: publisher.account.address })).toBeUndefined();
    await expect(claimant.finishReclaim(record)).rejects.toMatchObject({
      errorName: "ReclaimNotFinishable",
      retryable: true,
    });
    await passTime(30 * days);
    await mined(claimant.finishReclaim(record));
    expect((await publisher.getAppSummary(record)).owner).toBe(claimant.account.address);
    expect(await publisher.getReclaim(own)).toBeUndefined();
  });
});
