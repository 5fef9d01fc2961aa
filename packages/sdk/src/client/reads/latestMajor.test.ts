import { newDid, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("returns the highest major version", async () => {
  const registry = await testRegistry();
  const { publisher } = registry;
  const minted = await registerApp(registry);
  await registry.mined(publisher.mint({ ...minted, version: { major: 2, minor: 0, patch: 0 } }));
  expect(await publisher.latestMajor(minted.did)).toBe(2);
});

it("rejects a DID without a record with AppNotFound", async () => {
  const { publisher } = await testRegistry();
  await expect(publisher.latestMajor(newDid())).rejects.toMatchObject({ errorName: "AppNotFound" });
});
