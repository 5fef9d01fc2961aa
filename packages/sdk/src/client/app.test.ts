import { newDid, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";
import { ContractRevertError } from "../errors/contractRevertError.ts";
import { traitHash } from "../traits.ts";

describe("getApp", () => {
  it("reads every field of a record with its history", async () => {
    const registry = await testRegistry();
    const { publisher } = registry;
    const minted = await registerApp(registry, {
      fungibleTokenId: "eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f",
    });
    const app = await publisher.getApp({ did: minted.did, major: 1 });
    expect(app).toEqual({
      did: minted.did,
      versionMajor: 1,
      versionHistory: [{ major: 1, minor: 0, patch: 0, registeredAt: expect.any(Number) }],
      interfaces: 2,
      dataUrl: minted.dataUrl,
      dataHash: minted.dataHash,
      dataHashAlgorithm: 0,
      contractId: "",
      fungibleTokenId: minted.fungibleTokenId,
      minter: publisher.account.address,
      status: 0,
      traitHashes: minted.traitHashes,
    });
  });

  it("normalizes a DID as a person types it", async () => {
    const registry = await testRegistry();
    const { did } = await registerApp(registry);
    const typed = did.replace("example.com", "Example.COM.");
    expect((await registry.publisher.getApp({ did: typed, major: 1 })).did).toBe(did);
  });

  it("rejects with AppNotFound if nothing is registered", async () => {
    const { publisher } = await testRegistry();
    const read = publisher.getApp({ did: newDid(), major: 3 });
    await expect(read).rejects.toBeInstanceOf(ContractRevertError);
    await expect(read).rejects.toMatchObject({
      errorName: "AppNotFound",
      args: { major: 3 },
      retryable: false,
    });
  });
});

describe("getAppByTokenId", () => {
  it("reads a record by its token id", async () => {
    const registry = await testRegistry();
    const { publisher } = registry;
    const { did } = await registerApp(registry);
    const tokenId = await publisher.tokenIdOf({ did, major: 1 });
    expect(await publisher.getAppByTokenId(tokenId)).toEqual(await publisher.getApp({ did, major: 1 }));
  });

  it("rejects an unknown token id with TokenNotFound", async () => {
    const { publisher } = await testRegistry();
    await expect(publisher.getAppByTokenId(999_999n)).rejects.toMatchObject({ errorName: "TokenNotFound" });
  });
});

describe("getAppSummary", () => {
  it("reads a record with its token, holder and latest version, now and at a past block", async () => {
    const registry = await testRegistry();
    const { chain, publisher } = registry;
    const minted = await registerApp(registry);
    const blockNumber = await chain.getBlockNumber();
    const version = { major: 1, minor: 0, patch: 1 };
    await registry.mined(publisher.updateAppControlled({ ...minted, version, interfaces: 0 }));

    const summary = await publisher.getAppSummary({ did: minted.did, major: 1 });
    expect(summary).toMatchObject({
      tokenId: await publisher.tokenIdOf({ did: minted.did, major: 1 }),
      owner: publisher.account.address,
      latestVersion: version,
      traitHashes: minted.traitHashes,
    });
    const past = await publisher.getAppSummary({ did: minted.did, major: 1, blockNumber });
    expect(past.latestVersion.patch).toBe(0);
  });
});

describe("tokenIdOf", () => {
  it("returns a token id, or 0n for a version that is not registered", async () => {
    const registry = await testRegistry();
    const { did } = await registerApp(registry);
    expect(await registry.publisher.tokenIdOf({ did, major: 1 })).toBe(
      await registry.publisher.totalSupply(),
    );
    expect(await registry.publisher.tokenIdOf({ did, major: 2 })).toBe(0n);
    expect(await registry.publisher.tokenIdOf({ did: newDid(), major: 1 })).toBe(0n);
  });
});

describe("latestMajor", () => {
  it("returns the highest major version", async () => {
    const registry = await testRegistry();
    const { publisher } = registry;
    const minted = await registerApp(registry);
    await registry.mined(publisher.mint({ ...minted, version: { major: 2, minor: 0, patch: 0 } }));
    expect(await publisher.latestMajor(minted.did)).toBe(2);
  });
});

describe("hasTraits", () => {
  it("hasAllTraits and hasAnyTraits match the traits of a record", async () => {
    const registry = await testRegistry();
    const { did } = await registerApp(registry);
    const { hasAllTraits, hasAnyTraits } = registry.publisher;
    const traitHashes = [traitHash("api:rest"), traitHash("api:mcp")];
    expect(await hasAnyTraits({ did, major: 1, traitHashes })).toBe(true);
    expect(await hasAllTraits({ did, major: 1, traitHashes })).toBe(false);
    expect(await hasAllTraits({ did, major: 1, traitHashes: [traitHash("weather")] })).toBe(true);
  });
});

describe("getMetadata", () => {
  it("reads the latest JSON of a DID with its version", async () => {
    const registry = await testRegistry();
    const { did, metadataJson, dataHash } = await registerApp(registry);
    expect(await registry.publisher.getMetadata(did)).toEqual({
      json: metadataJson,
      version: { major: 1, minor: 0, patch: 0 },
      dataHash,
      storedAt: expect.any(Number),
    });
  });

  it("returns undefined if no JSON is on the chain", async () => {
    const registry = await testRegistry();
    const { did } = await registerApp(registry, { metadataJson: "" });
    expect(await registry.publisher.getMetadata(did)).toBeUndefined();
    expect(await registry.publisher.getMetadata(newDid())).toBeUndefined();
  });
});

describe("listVersions", () => {
  it("lists versions oldest first, page by page", async () => {
    const registry = await testRegistry();
    const minted = await registerApp(registry);
    for (const patch of [1, 2, 5]) {
      const version = { major: 1, minor: 0, patch };
      await registry.mined(registry.publisher.updateAppControlled({ ...minted, version, interfaces: 0 }));
    }
    const patches: number[] = [];
    for await (const { patch } of registry.publisher.listVersions({ did: minted.did, major: 1, limit: 2 })) {
      patches.push(patch);
    }
    expect(patches).toEqual([0, 1, 2, 5]);
  });
});
