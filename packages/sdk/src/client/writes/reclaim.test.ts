import { maturation, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";

const days = 24 * 3600;

describe("the reclaim of a record whose publisher lost the DID", () => {
  it("opens, can't be hurried, and moves the token after 30 days", async () => {
    const registry = await testRegistry();
    const { publisher, issuer, newAccount, attest, mined, passTime, chain } = registry;
    const { did } = await registerApp(registry);
    const claimant = await newAccount();
    await attest(did, claimant.account.address);
    await passTime(maturation);
    const record = { did, major: 1 };
    await expect(claimant.openReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimContested" });

    await mined(issuer.revokeDid({ did, controller: publisher.account.address }));
    await mined(claimant.openReclaim(record));
    const openedAt = Number((await chain.getBlock()).timestamp);
    const own = { ...record, claimant: claimant.account.address };
    expect(await publisher.getReclaim(own)).toEqual({
      openedAt,
      finishableFrom: openedAt + 30 * days,
      voidFrom: openedAt + 60 * days,
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

  it("is contested by a minter who was attested again meanwhile, and lapses by itself", async () => {
    const registry = await testRegistry();
    const { publisher, issuer, newAccount, attest, mined, passTime } = registry;
    const { did } = await registerApp(registry);
    const claimant = await newAccount();
    await attest(did, claimant.account.address);
    await passTime(maturation);
    const record = { did, major: 1 };
    await mined(issuer.revokeDid({ did, controller: publisher.account.address }));
    await mined(claimant.openReclaim(record));
    await expect(claimant.openReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimAlreadyOpen" });
    await passTime(30 * days);
    await attest(did, publisher.account.address);
    await expect(claimant.finishReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimContested" });
    await passTime(30 * days);
    expect(await publisher.getReclaim({ ...record, claimant: claimant.account.address })).toBeUndefined();
    await expect(claimant.finishReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimNotOpen" });
  });
});
