import { maturation, newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import type { Address } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_BLOCK } from "../control.ts";

const registry = await testRegistry();
const { publisher, issuer, attest, newAccount, mined, chain, passTime } = registry;
const now = async () => Number((await chain.getBlock()).timestamp);

describe("block on an account that waits for control", () => {
  let did: string;
  let controller: Address;
  const block = async (until: number) => mined(publisher.blockController({ did, controller, until }));
  const ofNewcomer = () => publisher.getController({ did, controller });

  beforeEach(async () => {
    did = newDid();
    controller = (await newAccount()).account.address;
    await attest(did, publisher.account.address);
    await attest(did, controller);
    await passTime(maturation);
  });

  it("delays control until the block ends", async () => {
    expect(await publisher.getBlock({ did, controller })).toBeUndefined();
    expect(await publisher.getBlocks({ did })).toEqual([]);
    const blockedUntil = (await now()) + MAX_BLOCK;
    await block(blockedUntil);
    const made = { blockedAt: await now(), blockedUntil, weight: 1 };
    expect(await publisher.getBlock({ did, controller })).toEqual(made);
    expect(await publisher.getBlocks({ did })).toEqual([{ controller, ...made }]);
    await passTime(maturation);
    const blocked = { controls: false, attested: true, blockedUntil, controlsFrom: blockedUntil, score: 1 };
    expect(await ofNewcomer()).toMatchObject(blocked);
    expect(await publisher.getDidAttestations({ did, controller })).toMatchObject([
      { matured: true, blocked: true },
    ]);
    await passTime(MAX_BLOCK - maturation);
    expect(await ofNewcomer()).toMatchObject({ controls: true, blockedUntil: undefined });
    expect(await publisher.getBlocks({ did })).toEqual([]);
  });

  it("is extended by a batch, unless the batch has an invalid entry", async () => {
    const other = (await newAccount()).account.address;
    const until = (await now()) + 1_000;
    await block(until);
    const { blockedAt } = (await publisher.getBlock({ did, controller })) ?? {};
    const blocks = [controller, other].map((account) => ({ did, controller: account, until: until + 1_000 }));
    await mined(publisher.blockControllerBatch({ blocks }));
    expect(await publisher.getBlock({ did, controller })).toMatchObject({
      blockedAt,
      blockedUntil: until + 1_000,
    });
    expect((await publisher.getBlocks({ did })).map((one) => one.controller)).toEqual([controller, other]);
    const own = { did, controller: publisher.account.address, until };
    const refused = publisher.blockControllerBatch({ blocks: [...blocks, own] });
    await expect(refused).rejects.toMatchObject({ errorName: "SelfReference" });
  });

  it("is ended by an account in charge, and not by a stranger", async () => {
    await block((await now()) + MAX_BLOCK);
    await passTime(maturation);
    const stranger = await newAccount();
    const refused = stranger.unblockController({ did, controller });
    await expect(refused).rejects.toMatchObject({ errorName: "NotInCharge" });
    await mined(publisher.unblockController({ did, controller }));
    expect(await ofNewcomer()).toMatchObject({ controls: true });
    await expect(publisher.unblockController({ did, controller })).rejects.toMatchObject({
      errorName: "NotBlocked",
    });
    await expect(block((await now()) + 1_000)).rejects.toMatchObject({ errorName: "AccountInCharge" });
  });

  it("is rejected beyond 30 days, and before another account can gain control", async () => {
    const late = publisher.blockController({ did, controller, until: (await now()) + MAX_BLOCK + 60 });
    await expect(late).rejects.toMatchObject({ errorName: "InvalidBlockEnd" });
    const fresh = newDid();
    await attest(fresh, publisher.account.address);
    const early = publisher.blockController({ did: fresh, controller, until: (await now()) + 1_000 });
    await expect(early).rejects.toMatchObject({ errorName: "TooEarlyToBlock", retryable: true });
  });

  it("can be made by a controller with an overdue renewal, and not on it", async () => {
    const own = { did: newDid(), controller: publisher.account.address };
    const [newcomer, another] = [await newAccount(), (await newAccount()).account.address];
    await mined(issuer.attestDid({ ...own, expiresAt: (await now()) + 3 * maturation }));
    await attest(own.did, newcomer.account.address);
    await passTime(3 * maturation);
    expect(await publisher.getController(own)).toMatchObject({ controls: false, inCharge: true });
    const until = (await now()) + 1_000;
    const refused = newcomer.blockController({ ...own, until });
    await expect(refused).rejects.toMatchObject({ errorName: "AccountInCharge" });
    await mined(publisher.blockController({ did: own.did, controller: another, until }));
    expect(await publisher.getBlock({ did: own.did, controller: another })).toMatchObject({ weight: 1 });
  });
});
