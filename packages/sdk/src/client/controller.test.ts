import { maturation, newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import type { Address } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_BLOCK } from "./controller.ts";

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

const registry = await testRegistry();
const { publisher, attest, newAccount, mined, chain, passTime } = registry;
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
});
