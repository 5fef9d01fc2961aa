import { mintParameters, registerApp, restMetadata, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("makes an older major's JSON the latest JSON of the DID", async () => {
  const registry = await testRegistry();
  const { publisher, mined } = registry;
  const first = await registerApp(registry);
  const second = mintParameters(first.did, restMetadata("Weather 2"));
  await mined(publisher.mint({ ...second, version: { major: 2, minor: 0, patch: 0 } }));
  expect((await publisher.getMetadata(first.did))?.json).toBe(second.metadataJson);
  await mined(publisher.republishMetadata({ did: first.did, major: 1, metadataJson: first.metadataJson }));
  expect((await publisher.getMetadata(first.did))?.json).toBe(first.metadataJson);
});
