import { newDid, registerApp, type TestRegistry, testRegistry } from "@app-registry/test-kit/testRegistry";
import { beforeAll, describe, expect, it } from "vitest";
import { traitHash } from "../traits.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
});

describe("a registered record", () => {
  it("is read with every field, by DID, by token id and as a summary", async () => {
    const { publisher } = registry;
    const fungibleTokenId = "eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f";
    const minted = await registerApp(registry, { fungibleTokenId });
    const { did, metadataJson, dataUrl, dataHash, traitHashes } = minted;
    const app = await publisher.getApp({ did, major: 1 });
    expect(app).toEqual({
      ...{ did, dataUrl, dataHash, traitHashes, fungibleTokenId },
      ...{ versionMajor: 1, interfaces: 2, dataHashAlgorithm: 0, contractId: "", status: 0 },
      versionHistory: [{ major: 1, minor: 0, patch: 0, registeredAt: expect.any(Number) }],
      minter: publisher.account.address,
    });
    // A DID as a person types it.
    const typed = did.replace("example.com", "Example.COM.");
    expect(await publisher.getApp({ did: typed, major: 1 })).toEqual(app);

    const tokenId = await publisher.tokenIdOf({ did, major: 1 });
    expect(tokenId).toBe(await publisher.totalSupply());
    expect(await publisher.getAppByTokenId(tokenId)).toEqual(app);
    const latestVersion = { major: 1, minor: 0, patch: 0 };
    expect(await publisher.getAppSummary({ did, major: 1 })).toMatchObject({
      ...{ tokenId, owner: publisher.account.address, latestVersion, traitHashes },
    });
    expect(await publisher.getMetadata(did)).toEqual({
      ...{ json: metadataJson, version: latestVersion, dataHash, storedAt: expect.any(Number) },
    });

    const some = { did, major: 1, traitHashes: [traitHash("api:rest"), traitHash("api:mcp")] };
    expect(await publisher.hasAnyTraits(some)).toBe(true);
    expect(await publisher.hasAllTraits(some)).toBe(false);
    expect(await publisher.hasAllTraits({ ...some, traitHashes: [traitHash("weather")] })).toBe(true);
  });

  it("has versions, which are listed oldest first and page by page, and a summary at a past block", async () => {
    const { chain, publisher, mined } = registry;
    const minted = await registerApp(registry, { metadataJson: "" });
    const { did } = minted;
    const blockNumber = await chain.getBlockNumber();
    for (const patch of [1, 2, 5]) {
      const version = { major: 1, minor: 0, patch };
      await mined(publisher.updateAppControlled({ ...minted, version, interfaces: 0 }));
    }
    const patches: number[] = [];
    for await (const { patch } of publisher.listVersions({ did, major: 1, limit: 2 })) patches.push(patch);
    expect(patches).toEqual([0, 1, 2, 5]);
    const past = await publisher.getAppSummary({ did, major: 1, blockNumber });
    expect(past.latestVersion.patch).toBe(0);
    await mined(publisher.mint({ ...minted, version: { major: 2, minor: 0, patch: 0 } }));
    expect(await publisher.latestMajor(did)).toBe(2);
    // Its JSON is not on the chain.
    expect(await publisher.getMetadata(did)).toBeUndefined();
  });
});

it("reads of a DID or token id without a record return nothing, or reject", async () => {
  const { publisher } = registry;
  const did = newDid();
  expect(await publisher.tokenIdOf({ did, major: 1 })).toBe(0n);
  expect(await publisher.getMetadata(did)).toBeUndefined();
  await expect(publisher.getApp({ did, major: 3 })).rejects.toMatchObject({
    ...{ name: "ContractRevertError", errorName: "AppNotFound", args: { major: 3 }, retryable: false },
  });
  await expect(publisher.getAppByTokenId(999_999n)).rejects.toMatchObject({ errorName: "TokenNotFound" });
});
