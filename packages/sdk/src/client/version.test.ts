import {
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  type TestRegistry,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { beforeAll, describe, expect, it } from "vitest";
import { createLimitedRpc } from "../../test/chain/limitedRpc.ts";
import { traitHash } from "../traits.ts";
import { createAppRegistryClient } from "./createAppRegistryClient.ts";
import { VersionNotFoundError } from "./notRegistered.ts";
import { MetadataPointerError } from "./version.ts";

describe("getVersionRecord", () => {
  let registry: TestRegistry;
  const did = newDid();
  const first = mintParameters(did);
  const second = {
    ...mintParameters(did, restMetadata("Weather 2")),
    version: { major: 1, minor: 0, patch: 1 },
  };

  beforeAll(async () => {
    registry = await testRegistry();
    const { publisher, mined } = registry;
    await registerApp(registry, first);
    const dataUrl = "https://example.com/second.json";
    await mined(
      publisher.updateAppControlled({ ...second, dataUrl, interfaces: 0, traitHashes: [traitHash("rain")] }),
    );
    // Raise only the version: the content, the URL and the traits do not change.
    const { dataHash, dataHashAlgorithm } = second;
    await mined(
      publisher.updateAppControlled({
        did,
        version: { major: 1, minor: 3, patch: 0 },
        dataHash,
        dataHashAlgorithm,
        interfaces: 3,
      }),
    );
  });

  it("reads an older version with its own fields", async () => {
    const record = await registry.publisher.getVersionRecord({ did, version: first.version });
    expect(record).toMatchObject({
      did,
      version: { ...first.version, registeredAt: expect.any(Number) },
      dataUrl: first.dataUrl,
      dataHash: first.dataHash,
      dataHashAlgorithm: 0,
      interfaces: 2,
      traitHashes: first.traitHashes,
      current: false,
    });
    expect(record.version.registeredAt).toBeGreaterThan(0);
    expect(await registry.publisher.getMetadataAt(record.pointer ?? "0x")).toBe(first.metadataJson);
  });

  it("carries over the fields that an update leaves unchanged, and the JSON", async () => {
    const record = await registry.publisher.getVersionRecord({
      did,
      version: { major: 1, minor: 3, patch: 0 },
    });
    expect(record).toMatchObject({
      dataUrl: "https://example.com/second.json",
      dataHash: second.dataHash,
      interfaces: 3,
      traitHashes: [traitHash("rain")],
      current: true,
    });
    expect(await registry.publisher.getMetadataAt(record.pointer ?? "0x")).toBe(second.metadataJson);
  });

  it("reads the latest patch of major.minor", async () => {
    const { version } = await registry.publisher.getVersionRecord({ did, version: { major: 1, minor: 0 } });
    expect(version).toMatchObject({ major: 1, minor: 0, patch: 1 });
  });

  it("returns no pointer for a JSON that is not on the chain", async () => {
    const minted = await registerApp(registry, { metadataJson: "" });
    expect((await registry.publisher.getVersionRecord(minted)).pointer).toBeUndefined();
  });

  it.each([
    { major: 1, minor: 0, patch: 9 },
    { major: 1, minor: 7 },
    { major: 9, minor: 0, patch: 0 },
  ])("rejects version %o, which was never published", async (version) => {
    const read = registry.publisher.getVersionRecord({ did, version });
    await expect(read).rejects.toBeInstanceOf(VersionNotFoundError);
  });

  it("reads through an RPC that limits the blocks of one log request", async () => {
    await registry.chain.mine({ blocks: 500 });
    const rpc = await createLimitedRpc(registry.chain.transport.url ?? "", { maxLogBlocks: 100 });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient: rpc.client });
    const { dataHash } = await client.getVersionRecord({ did, version: first.version });
    expect(dataHash).toBe(first.dataHash);
    expect(rpc.refused).toBeGreaterThan(0);
  });
});

describe("getMetadataAt", () => {
  it("reads the full JSON, including characters beyond ASCII, from its pointer", async () => {
    const registry = await testRegistry();
    const minted = mintParameters(newDid(), restMetadata("Wetter für Zürich 🌦"));
    await registerApp(registry, minted);
    const { pointer } = await registry.publisher.getVersionRecord(minted);
    expect(pointer && (await registry.publisher.getMetadataAt(pointer))).toBe(minted.metadataJson);
  });

  it("rejects an address without JSON with MetadataPointerError", async () => {
    const { publisher, deployment } = await testRegistry();
    for (const address of [publisher.account.address, deployment.contracts.AppRegistry.address]) {
      await expect(publisher.getMetadataAt(address)).rejects.toBeInstanceOf(MetadataPointerError);
    }
  });
});
