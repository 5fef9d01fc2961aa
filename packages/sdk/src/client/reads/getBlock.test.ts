import { maturation, newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import type { Address } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_BLOCK } from "../control.ts";

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
