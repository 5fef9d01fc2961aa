import { newDid, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

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
