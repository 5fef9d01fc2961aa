import { mintParameters, registerApp, restMetadata, testRegistry } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";

const version = { major: 1, minor: 0, patch: 1 };

describe("updateAppControlled", () => {
  it("publishes a new version with its document", async () => {
    const registry = await testRegistry();
    const { publisher, mined } = registry;
    const { did } = await registerApp(registry);
    const next = mintParameters(did, restMetadata("Weather 2"));
    await mined(publisher.updateAppControlled({ ...next, version, dataUrl: "https://example.com/2.json" }));
    expect(await publisher.getAppSummary({ did, major: 1 })).toMatchObject({
      latestVersion: version,
      dataUrl: "https://example.com/2.json",
      dataHash: next.dataHash,
    });
    expect(await publisher.getMetadata(did)).toMatchObject({ json: next.metadataJson, version });
  });

  it("rejects an update that would reuse a stored URL of an older version", async () => {
    const registry = await testRegistry();
    const { publisher } = registry;
    const { did } = await registerApp(registry, { dataUrl: "https://example.com/x/v/1.0.0" });
    const { dataUrl: _, ...next } = mintParameters(did, restMetadata("Weather 2"));
    const update = publisher.updateAppControlled({ ...next, version });
    await expect(update).rejects.toMatchObject({ name: "PublicationConflictError", code: "data-url" });
  });

  it.each([
    ["VersionNotGreater", { version: { major: 1, minor: 0, patch: 0 } }],
    ["AppNotFound", { version: { major: 2, minor: 0, patch: 0 } }],
    ["InterfaceRemoved", { version, interfaces: 1 }],
    ["InterfaceChangeNeedsMinor", { version, interfaces: 3 }],
  ])("rejects with %s", async (errorName, change) => {
    const registry = await testRegistry();
    const minted = await registerApp(registry);
    const update = registry.publisher.updateAppControlled({ ...minted, ...change });
    await expect(update).rejects.toMatchObject({ errorName });
  });

  it("rejects a stranger with NotAuthorized", async () => {
    const registry = await testRegistry();
    const minted = await registerApp(registry);
    const stranger = await registry.newAccount();
    const update = stranger.updateAppControlled({ ...minted, version });
    await expect(update).rejects.toMatchObject({ errorName: "NotAuthorized" });
  });
});
