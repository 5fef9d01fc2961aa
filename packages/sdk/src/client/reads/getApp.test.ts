import { newDid, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";
import { InvalidDidError } from "../../did.ts";
import { ContractRevertError } from "../../errors/contractRevertError.ts";

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

  it("normalises a DID as a person types it", async () => {
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

  it("rejects a text that is not a DID", async () => {
    const { publisher } = await testRegistry();
    await expect(publisher.getApp({ did: "example.com/x", major: 1 })).rejects.toBeInstanceOf(
      InvalidDidError,
    );
  });
});
