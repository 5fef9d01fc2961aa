import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

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
