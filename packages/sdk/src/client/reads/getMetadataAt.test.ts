import {
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";
import { MetadataPointerError } from "../versionRecord.ts";

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
