import { maturation, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
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

  it("is contested by a minter that was attested again, and expires", async () => {
    const registry = await testRegistry();
    const { publisher, issuer, newAccount, attest, mined, passTime } = registry;
    const { did } = await registerApp(registry);
    const claimant = await newAccount();
    await attest(did, claimant.account.address);
    const record = { did, major: 1 };
    const own = { ...record, claimant: claimant.account.address };
    await mined(issuer.revokeDid({ did, controller: publisher.account.address }));
    await passTime(7 * days);
    await mined(claimant.openReclaim(record));
    await expect(claimant.openReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimAlreadyOpen" });
    await passTime(30 * days);
    await attest(did, publisher.account.address);
    await passTime(maturation);
    await expect(claimant.finishReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimContested" });
    await passTime(30 * days);
    expect(await publisher.getReclaim(own)).toBeUndefined();
    await expect(claimant.finishReclaim(record)).rejects.toMatchObject({ errorName: "ReclaimNotOpen" });
  });

  it("is dismissed by a minter that controls the DID again", async () => {
    const registry = await testRegistry();
    const { publisher, issuer, newAccount, attest, mined, passTime } = registry;
    const { did } = await registerApp(registry);
    const claimant = await newAccount();
    await attest(did, claimant.account.address);
    const record = { did, major: 1 };
    await mined(issuer.revokeDid({ did, controller: publisher.account.address }));
    await passTime(7 * days);
    await mined(claimant.openReclaim(record));
    await attest(did, publisher.account.address);
    await expect(publisher.dismissReclaims(record)).rejects.toMatchObject({ errorName: "NotController" });
    await passTime(maturation);
    await mined(publisher.dismissReclaims(record));
    expect(await publisher.getReclaim({ ...record, claimant: claimant.account.address })).toBeUndefined();
  });
});
